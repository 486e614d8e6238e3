import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import type { ExtractAnswer, SearchAnswer } from './api-types.ts'
import { useSharedService } from './service.ts'
import type { Accepted, Correction, Document, Memory } from './shapes.ts'
import {
  addText,
  addTexts,
  ask,
  endOfJob,
  find,
  listDocuments,
  makeKey,
  makeMemory,
  readDocument,
  readMemory,
  readText,
  upload,
} from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()

type Changed = Document & { warnings: { code: string; param: string | null }[] }

/** Changes a document; fails unless the answer is 200. */
async function change(memoryId: string, documentId: string, body: object): Promise<Changed> {
  const answer = await service.call<Changed>('PATCH', `/v1/memories/${memoryId}/documents/${documentId}`, { body })
  assertStatus(answer, 200)
  return answer.json
}

/** The titles of all hits. */
async function titlesOf(memoryId: string, query: string, options: object = {}): Promise<string[]> {
  return (await find(service, memoryId, query, { options })).hits.map(({ title }) => title)
}

test('a document takes a new title, tags and metadata, and stays what it is', async () => {
  verifies('changes.document', 'changes.document.filters')
  const memoryId = await makeMemory(service)
  const given = { tags: ['old'], metadata: { year: 2025 }, externalId: 'herons' }
  const id = await addText(service, memoryId, 'The grey heron fishes at dawn.', { title: 'Herons', ...given })
  await addText(service, memoryId, 'The pike waits in the reeds.', { title: 'Pikes', tags: ['old'] })
  const before = await readDocument(service, memoryId, id)
  const { warnings, ...tagged } = await change(memoryId, id, { tags: ['new', 'bird', 'new'], colour: 'grey' })
  assert.deepEqual([tagged.tags, warnings[0]?.param, warnings.length], [['new', 'bird'], 'colour', 1])
  assert.ok(tagged.updatedAt > before.updatedAt)
  const { pages: _, ...kept } = before
  assert.deepEqual(tagged, { ...kept, tags: ['new', 'bird'], updatedAt: tagged.updatedAt })
  assert.deepEqual(await titlesOf(memoryId, 'heron', { filter: { tags: ['bird'] } }), ['Herons'])
  assert.deepEqual(await titlesOf(memoryId, 'heron', { filter: { tags: ['old'] } }), [])
  assert.equal((await listDocuments(service, memoryId, '?tag=old')).total, 1)
  assert.equal((await listDocuments(service, memoryId, '?tag=bird')).documents[0]?.id, id)
  const metadata = { year: 2026, draft: true }
  assert.deepEqual((await change(memoryId, id, { metadata })).metadata, metadata)
  assert.deepEqual(await titlesOf(memoryId, 'heron', { filter: { metadata: { year: 2026 } } }), ['Herons'])
  assert.deepEqual(await titlesOf(memoryId, 'heron', { filter: { metadata: { year: 2025 } } }), [])
  const emptied = await change(memoryId, id, { tags: [], metadata: {} })
  assert.deepEqual([emptied.tags, emptied.metadata, emptied.title], [[], {}, 'Herons'])
  assert.deepEqual(await titlesOf(memoryId, 'heron', { filter: { tags: ['bird'] } }), [])
  const again = await change(memoryId, id, { tags: [] })
  assert.equal(again.updatedAt, emptied.updatedAt, 'nothing has changed')
  assert.equal(await readText(service, memoryId, id), 'The grey heron fishes at dawn.')
  const { ok, problems } = (await service.get<{ ok: boolean; problems: unknown }>(`/v1/memories/${memoryId}/verify`))
    .json
  assert.ok(ok, JSON.stringify(problems))
})

test('a new title is found by words and by meaning, and the earlier one is not', async () => {
  verifies('changes.document.title')
  const memoryId = await makeMemory(service)
  const id = await addText(service, memoryId, 'It opens at nine and closes at five.', { title: 'Swimming pool' })
  await addText(service, memoryId, 'Cheese is made of milk.', { title: 'Dairy' })
  const semantic = { mode: 'semantic', minScore: 0.3 }
  const [before] = (await find(service, memoryId, 'swimming pool', { options: semantic })).hits
  assert.equal(before?.documentId, id)
  assert.equal((await change(memoryId, id, { title: 'City library' })).title, 'City library')
  const lexical = { mode: 'lexical' }
  assert.deepEqual(await titlesOf(memoryId, 'library', lexical), ['City library'])
  assert.deepEqual(await titlesOf(memoryId, 'swimming', lexical), [])
  const byMeaning = async (query: string) =>
    (await find(service, memoryId, query, { options: { mode: 'semantic' } })).hits.find((hit) => hit.documentId === id)
  const [pool, library] = [await byMeaning('swimming pool'), await byMeaning('city library')]
  assert.ok((library?.scores.semantic ?? 0) > 0.6, JSON.stringify(library?.scores))
  assert.ok((pool?.scores.semantic ?? 0) < 0.45, JSON.stringify(pool?.scores))
  const { answer } = await ask(service, memoryId, 'When does the city library open?')
  assert.match(answer, /nine/)
})

test('a hidden document is in no search, answer or extraction, until it is shown again', async () => {
  verifies('changes.document.enabled')
  const memoryId = await makeMemory(service)
  const id = await addText(service, memoryId, 'The deposit is 450 euros.', { title: 'Deposit', tags: ['fees'] })
  await addText(service, memoryId, 'The garden closes at dusk.', { title: 'Garden' })
  const key = { headers: { 'Idempotency-Key': `find ${memoryId}` } }
  const path = `/v1/memories/${memoryId}`
  const question = 'How much is the deposit?'
  const schema = { sections: [{ id: 'a', name: 'A', fields: [{ key: 'd', label: 'Deposit', data_type: 'currency' }] }] }
  const seen = async () => ({
    find: (await find(service, memoryId, question)).hits.some((hit) => hit.documentId === id),
    filtered: (await find(service, memoryId, question, { options: { filter: { documentIds: [id] } } })).totalHits > 0,
    repeated: (await service.post<SearchAnswer>(`${path}/find`, { query: 'deposit' }, key)).text.includes(id),
    search: (await service.post<SearchAnswer>(`${path}/search`, { query: question })).text.includes(id),
    ask: (await ask(service, memoryId, question, { includeSources: true })).sources.some(
      (one) => one.documentId === id,
    ),
    extract: (await service.post<ExtractAnswer>(`${path}/extract`, schema)).json.fieldsFound === 1,
  })
  const shown = { find: true, filtered: true, repeated: true, search: true, ask: true, extract: true }
  assert.deepEqual(await seen(), shown)
  const hidden = await change(memoryId, id, { enabled: false })
  assert.deepEqual([hidden.enabled, hidden.status], [false, 'ready'])
  assert.deepEqual(await seen(), Object.fromEntries(Object.keys(shown).map((name) => [name, false])))
  const options = { explainDocumentId: id }
  const { explainedDocument } = await find(service, memoryId, question, { options })
  assert.match(explainedDocument?.message ?? '', /hidden/)
  const { documents, total } = await listDocuments(service, memoryId)
  assert.deepEqual([total, documents.find((one) => one.id === id)?.enabled], [2, false])
  assert.equal((await readMemory(service, memoryId)).documentCount, 2)
  assert.equal((await change(memoryId, id, { enabled: true })).enabled, true)
  assert.deepEqual(await seen(), shown)
})

test('hidden documents take no places from the others', async () => {
  verifies('changes.document.enabled.others')
  const memoryId = await makeMemory(service)
  const documents = Array.from({ length: 300 }, (_, at) => ({
    title: `Lift ${at}`,
    text: `The lift ${at} is out of order.`,
  }))
  const answer = await addTexts(service, memoryId, documents)
  assertStatus(answer, 200)
  await addText(service, memoryId, 'Stairs are beside the lift, which is for goods.', { title: 'Stairs' })
  for (const id of answer.json.documentIds) await change(memoryId, id, { enabled: false })
  for (const mode of ['lexical', 'semantic', 'hybrid'])
    assert.deepEqual(await titlesOf(memoryId, 'Is the lift out of order?', { mode, limit: 5 }), ['Stairs'], mode)
})

test('a wrong change is refused and changes nothing', async () => {
  verifies('changes.document.wrong')
  const [memoryId, otherId] = [await makeMemory(service), await makeMemory(service)]
  const id = await addText(service, memoryId, 'The grey heron fishes at dawn.', { title: 'Herons', tags: ['bird'] })
  const before = await readDocument(service, memoryId, id)
  const path = `/v1/memories/${memoryId}/documents/${id}`
  const large = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at, 'x'.repeat(2000)]))
  const wrong: readonly (readonly [unknown, string | undefined])[] = [
    [{}, undefined],
    [{ text: 'new' }, undefined],
    [{ title: '' }, 'title'],
    [{ title: '\u200b' }, 'title'],
    [{ title: 'x'.repeat(1001) }, 'title'],
    [{ tags: 'bird' }, 'tags'],
    [{ tags: [''] }, 'tags[0]'],
    [{ tags: ['x'], metadata: { a: {} } }, 'metadata.a'],
    [{ metadata: large }, 'metadata'],
    [{ enabled: 'no' }, 'enabled'],
    [{ enabled: 0 }, 'enabled'],
  ]
  for (const [body, param] of wrong)
    assertError(await service.call('PATCH', path, { body }), 400, 'validation_failed', param)
  const body = { title: 'x' }
  assertError(
    await service.call('PATCH', `/v1/memories/${otherId}/documents/${id}`, { body }),
    404,
    'document_not_found',
  )
  assertError(await service.call('PATCH', `/v1/memories/${memoryId}/documents/x`, { body }), 404, 'document_not_found')
  const { key } = await makeKey(service, otherId)
  assertError(await service.call('PATCH', path, { body, key }), 404, 'memory_not_found')
  assert.deepEqual(await readDocument(service, memoryId, id), before)
})

test('of a correction the document changes enabled alone', async () => {
  verifies('changes.document.correction')
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The office opens at nine.')
  const statement = 'Since May the office opens at eight.'
  const { id } = (await service.post<Correction>(`/v1/memories/${memoryId}/correct`, { statement })).json
  const path = `/v1/memories/${memoryId}/documents/${id}`
  for (const body of [{ title: 'x' }, { tags: [] }, { metadata: {}, enabled: false }])
    assertError(await service.call('PATCH', path, { body }), 400, 'validation_failed', Object.keys(body)[0])
  const kinds = async () => (await find(service, memoryId, 'When does the office open?')).hits.map(({ kind }) => kind)
  assert.deepEqual(await kinds(), ['correction', 'document'])
  await change(memoryId, id, { enabled: false })
  assert.deepEqual(await kinds(), ['document'])
  await change(memoryId, id, { enabled: true })
  assert.deepEqual(await kinds(), ['correction', 'document'])
})

test('changes while a job reads the document are kept', async () => {
  verifies('changes.document.job')
  const memoryId = await makeMemory(service)
  const content = `# Rates\n\n${'A night costs 80 euros. '.repeat(2000)}`
  const file = { content, filename: 'rates.md', options: { async: true, tags: ['old'] } }
  const accepted = await upload<Accepted>(service, memoryId, file)
  assertStatus(accepted, 202)
  const [id = ''] = accepted.json.documentIds
  const changed = await change(memoryId, id, { title: 'Prices', tags: ['new'], enabled: false })
  assert.deepEqual([changed.title, changed.tags, changed.enabled], ['Prices', ['new'], false])
  assert.equal((await endOfJob(service, accepted.json.jobId)).status, 'completed')
  const after = await readDocument(service, memoryId, id)
  assert.deepEqual([after.title, after.tags, after.enabled, after.status], ['Prices', ['new'], false, 'ready'])
  assert.equal((await find(service, memoryId, 'price of a night')).totalHits, 0)
  await change(memoryId, id, { enabled: true, metadata: { a: 1 } })
  const filter = { tags: ['new'], metadata: { a: 1 } }
  assert.deepEqual(await titlesOf(memoryId, 'price of a night', { filter, limit: 1 }), ['Prices'])
  assert.deepEqual(await titlesOf(memoryId, 'price of a night', { filter: { tags: ['old'] } }), [])
})

test('an import keeps a hidden document hidden', async () => {
  verifies('changes.document.archive')
  const memoryId = await makeMemory(service)
  const id = await addText(service, memoryId, 'The grey heron fishes at dawn.', { title: 'Herons' })
  await addText(service, memoryId, 'A heron is a bird.', { title: 'Birds' })
  await change(memoryId, id, { enabled: false })
  const headers = { authorization: `Bearer ${service.bootstrapKey}` }
  const archive = await (await fetch(`${service.url}/v1/memories/${memoryId}/export`, { headers })).blob()
  const form = new FormData()
  form.append('file', archive, 'memory.tar.gz')
  const imported = await service.call<Memory>('POST', '/v1/memories/import', { body: form })
  assertStatus(imported, 201)
  assert.deepEqual(await titlesOf(imported.json.id, 'heron'), ['Birds'])
  const { documents } = await listDocuments(service, imported.json.id)
  assert.deepEqual(
    documents.map(({ title, enabled }) => [title, enabled]),
    [
      ['Birds', true],
      ['Herons', false],
    ],
  )
})

test('a new version of a hidden document is hidden, and a hidden document is no duplicate', async () => {
  verifies('changes.document.enabled.kept')
  const memoryId = await makeMemory(service)
  const text = 'The grey heron fishes at dawn.'
  const first = await addText(service, memoryId, text, { title: 'First', externalId: 'herons' })
  await change(memoryId, first, { enabled: false })
  const second = await addText(service, memoryId, `${text} It sleeps at noon.`, {
    title: 'Second',
    externalId: 'herons',
  })
  assert.deepEqual(await titlesOf(memoryId, 'heron'), [])
  const documents = [{ title: 'Third', text: `${text} It sleeps at noon.` }]
  const path = `/v1/memories/${memoryId}/documents`
  const added = await service.post<{ documentsAdded: number }>(path, { documents, options: { deduplicate: true } })
  assert.deepEqual([added.status, added.json.documentsAdded], [200, 1])
  assert.deepEqual(await titlesOf(memoryId, 'heron'), ['Third'])
  await change(memoryId, second, { enabled: true })
  assert.deepEqual((await titlesOf(memoryId, 'heron', { collapseDuplicates: false })).sort(), ['Second', 'Third'])
})
