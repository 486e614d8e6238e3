import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Asked, Evaluation, Found } from './shapes.ts'
import { addTexts, ask, find, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const documents = [
  { title: 'Leeds', text: 'The fee in Leeds is EUR 10.', metadata: { year: 2019, due: '2026-03-01', open: true } },
  { title: 'Hull', text: 'The fee in Hull is EUR 20.', metadata: { year: 2021.5, due: '2026-03-01T12:00:00+02:00' } },
  { title: 'York', text: 'The fee in York is EUR 30.', metadata: { year: '2020', note: null }, tags: ['north'] },
]
let memoryId = ''
let ids: string[] = []

const service = useSharedService(async (started) => {
  memoryId = await makeMemory(started)
  const added = await addTexts(started, memoryId, documents)
  assertStatus(added, 200)
  ids = added.json.documentIds
})

const titlesOf = ({ hits }: Pick<Found, 'hits'>) => hits.map(({ title }) => title).sort()
const by = async (filter: object) => titlesOf(await find(service, memoryId, 'fee', { options: { filter } }))
const byMetadata = (metadata: object) => by({ metadata })

test('metadata compares with every operator, by type', async () => {
  verifies('filter.operators', 'filter.typed')
  assert.deepEqual(await byMetadata({ year: { $eq: 2019 } }), ['Leeds'])
  assert.deepEqual(await byMetadata({ year: { $ne: 2019 } }), ['Hull', 'York'])
  assert.deepEqual(await byMetadata({ year: { $in: [2019, '2020'] } }), ['Leeds', 'York'])
  assert.deepEqual(await byMetadata({ year: { $nin: [2019, '2020'] } }), ['Hull'])
  assert.deepEqual(await byMetadata({ year: { $gt: 2019 } }), ['Hull'])
  assert.deepEqual(await byMetadata({ year: { $gte: 2019, $lt: 2021.5 } }), ['Leeds'])
  assert.deepEqual(await byMetadata({ year: { $lte: '2020' } }), ['York'])
  assert.deepEqual(await byMetadata({ note: { $exists: true } }), ['York'])
  assert.deepEqual(await byMetadata({ due: { $exists: false } }), ['York'])
  assert.deepEqual(await byMetadata({ due: { $gt: '2026-03-01T09:00:00Z' } }), ['Hull'])
  assert.deepEqual(await byMetadata({ due: '2026-03-01T10:00:00Z' }), ['Hull'])
})

test('groups combine conditions', async () => {
  verifies('filter.groups')
  assert.deepEqual(await byMetadata({ $or: [{ open: true }, { note: null }] }), ['Leeds', 'York'])
  assert.deepEqual(await byMetadata({ $and: [{ year: { $gt: 1 } }, { open: true }] }), ['Leeds'])
  assert.deepEqual(await byMetadata({ $not: { $or: [{ open: true }, { note: null }] } }), ['Hull'])
})

test('documents are filtered by time and source', async () => {
  verifies('filter.created', 'filter.source-type')
  assert.equal((await by({ createdAfter: '2020-01-01' })).length, 3)
  assert.deepEqual(await by({ createdBefore: '2020-01-01' }), [])
  assert.deepEqual(await by({ createdAfter: new Date(Date.now() + 60_000).toISOString() }), [])
  assert.equal((await by({ sourceType: 'text' })).length, 3)
  assert.deepEqual(await by({ sourceType: 'file' }), [])
})

test('an unknown operator is refused by its name, with the known ones', async () => {
  verifies('filter.unknown-operator')
  const refuse = async (filter: object, param: string) => {
    const answer = await service.post(`/v1/memories/${memoryId}/find`, { query: 'fee', options: { filter } })
    assertError(answer, 400, 'validation_failed', param)
    return answer.json.error.message
  }
  assert.match(
    await refuse({ metadata: { year: { $near: 1 } } }, 'options.filter.metadata.year.$near'),
    /\$near .*\$gte/,
  )
  assert.match(await refuse({ metadata: { $nor: [] } }, 'options.filter.metadata.$nor'), /\$and, \$or, \$not/)
  await refuse({ metadata: 'team' }, 'options.filter.metadata')
  await refuse({ createdAfter: 'yesterday' }, 'options.filter.createdAfter')
  await refuse({ sourceType: 'paper' }, 'options.filter.sourceType')
})

test('a filter over the limits is refused', async () => {
  verifies('filter.limits')
  const deep = (levels: number): object => (levels === 0 ? { a: 1 } : { $not: deep(levels - 1) })
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, 1]))
  for (const metadata of [deep(6), many, { a: { $in: Array(1001).fill(1) } }]) {
    const answer = await service.post(`/v1/memories/${memoryId}/find`, {
      query: 'f',
      options: { filter: { metadata } },
    })
    assertError(answer, 400, 'validation_failed')
  }
  assert.equal((await byMetadata(deep(5))).length, 3)
})

const HULL = { metadata: { year: { $gt: 2020 } } }

test('search, ask, extract and evaluate take the same filter', async () => {
  verifies('filter.everywhere')
  const options = { filter: HULL }
  const found = await service.post<Found>(`/v1/memories/${memoryId}/search`, { query: 'fee', options })
  assert.deepEqual(titlesOf(found.json), ['Hull'])
  assert.match((await ask(service, memoryId, 'What is the fee?', options)).answer, /20/)
  const fields = [{ key: 'fee', label: 'fee', data_type: 'currency' }]
  const body = { sections: [{ id: 's', name: 'Fees', fields }], options }
  type Extracted = { values: { s: { fee: { amount: number } | null } } }
  const extracted = await service.post<Extracted>(`/v1/memories/${memoryId}/extract`, body)
  assert.equal(extracted.json.values.s.fee?.amount, 20)
  const questions = [{ query: 'fee', documentIds: [ids[0]] }]
  const rank = async (options: object) => {
    const answer = await service.post<Evaluation>(`/v1/memories/${memoryId}/evaluate`, { questions, options })
    return answer.json.perQuestion[0]?.rank ?? null
  }
  assert.deepEqual([(await rank({})) !== null, await rank(options)], [true, null])
  for (const path of ['search', 'ask', 'extract', 'evaluate']) {
    const bad = {
      query: 'q',
      question: 'q',
      questions,
      sections: body.sections,
      options: { filter: { metadata: { $x: 1 } } },
    }
    assertError(await service.post(`/v1/memories/${memoryId}/${path}`, bad), 400, 'validation_failed')
  }
})

test('of many documents the few that pass are all found, whichever match better', async () => {
  verifies('filter.exact', 'filter.fresh')
  const memory = await makeMemory(service)
  const texts = Array.from({ length: 1500 }, (_, at) => ({
    text:
      at % 100 === 0
        ? `Note ${at} of the harbour, with words about gulls.`
        : `Harbour harbour dues of the harbour, ${at}.`,
    metadata: { rare: at % 100 === 0, place: at },
  }))
  assertStatus(await addTexts(service, memory, texts), 200)
  const filter = { metadata: { rare: true, place: { $gte: 0 } } }
  for (const mode of ['lexical', 'semantic', 'hybrid']) {
    // The first search reads the memory file, later ones the index in memory.
    for (let search = 0; search < 3; search += 1) {
      const { hits } = await find(service, memory, 'harbour dues', { options: { mode, limit: 100, filter } })
      assert.equal(hits.length, 15, `${mode} ${search}`)
      assert.ok(hits.every(({ metadata }) => metadata['rare'] === true))
    }
  }
  const [added] = (await addTexts(service, memory, [{ text: 'Late harbour.', metadata: { rare: true, place: 9 } }]))
    .json.documentIds
  const after = async () => (await find(service, memory, 'harbour', { options: { limit: 100, filter } })).hits
  assert.ok((await after()).some(({ documentId }) => documentId === added))
  await service.delete(`/v1/memories/${memory}/documents/${added}`)
  assert.equal((await after()).length, 15)
})

test('a filter that no document meets says so', async () => {
  verifies('filter.none-passes')
  for (const filter of [{ metadata: { year: 1900 } }, { tags: ['north'], documentIds: ids.slice(0, 1) }]) {
    const { hits, totalHits, warnings } = await find(service, memoryId, 'fee', { options: { filter } })
    assert.deepEqual([hits, totalHits, warnings.map(({ code }) => code)], [[], 0, ['filter_matches_no_document']])
  }
  const answer: Asked = await ask(service, memoryId, 'What is the fee?', { filter: { tags: ['south'] } })
  assert.equal(answer.answered, false)
})

test('filters apply to corrections, by their topics and their source', async () => {
  verifies('filter.corrections')
  const memory = await makeMemory(service)
  await addTexts(service, memory, [{ text: 'The fee in Leeds is EUR 10.', tags: ['fees'] }])
  const body = { statement: 'The fee in Leeds is EUR 12.', topics: ['fees', 'Leeds'] }
  assertStatus(await service.post(`/v1/memories/${memory}/correct`, body), 201)
  const kinds = async (filter: object) =>
    (await find(service, memory, 'fee in Leeds', { options: { filter } })).hits.map(({ kind }) => kind)
  assert.deepEqual(await kinds({ tags: ['Leeds'] }), ['correction'])
  assert.deepEqual(await kinds({ sourceType: 'correction' }), ['correction'])
  assert.deepEqual(await kinds({ sourceType: 'text' }), ['document'])
  assert.equal((await kinds({ tags: ['fees'] }))[0], 'correction')
})
