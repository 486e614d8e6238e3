import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Account, Asked, Found, Hit, Project } from './shapes.ts'
import { addTexts, makeKey, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const service = useService()

type OwnedHit = Hit & { memoryId: string }
type FoundAcross = Omit<Found, 'hits'> & { hits: OwnedHit[] }

const find = (body: object, key?: string) => service.post<FoundAcross>('/v1/find', body, key ? { key } : {})
const countQueries = async () => (await service.get<Account>('/v1/account')).json.usage.queries

async function makeFilled(name: string, ...texts: string[]): Promise<string> {
  const memory = await makeMemory(service, name)
  assertStatus(
    await addTexts(
      service,
      memory,
      texts.map((text) => ({ text })),
    ),
    200,
  )
  return memory
}

test('several memories are searched at once; hits name their memory and are sorted by score', async () => {
  verifies('several.find', 'several.scores', 'several.counted-once')
  const tides = await makeFilled(
    'Tides',
    'The harbour gate opens two hours before high tide.',
    'Gulls nest on the pier.',
  )
  const trains = await makeFilled(
    'Trains',
    'The night train to Vienna leaves at ten.',
    'The gate of the platform is closed.',
  )
  const before = await countQueries()
  const answer = await find({ query: 'When does the harbour gate open?', memoryIds: [tides, trains], topK: 3 })
  assertStatus(answer, 200)
  const { hits, totalHits } = answer.json
  assert.equal(await countQueries(), before + 1)
  assert.deepEqual([hits[0]?.memoryId, hits[0]?.text], [tides, 'The harbour gate opens two hours before high tide.'])
  assert.deepEqual(
    hits.map(({ rank }) => rank),
    hits.map((_, at) => at + 1),
  )
  assert.ok(hits.length <= 3 && totalHits >= hits.length)
  assert.ok(hits.some(({ memoryId }) => memoryId === trains))
  for (let at = 1; at < hits.length; at += 1) assert.ok((hits[at - 1]?.score ?? 0) >= (hits[at]?.score ?? 0))
  // The best of a memory that knows nothing of the query scores lower than that of another.
  const vienna = await find({ query: 'night train to Vienna', memoryIds: [tides, trains, trains] })
  assert.equal(vienna.json.hits[0]?.memoryId, trains)
  const alone = await service.post<Found>(`/v1/memories/${trains}/find`, { query: 'night train to Vienna' })
  assert.equal(vienna.json.hits[0]?.score, alone.json.hits[0]?.score)
})

test('a project stands for its memories', async () => {
  verifies('several.project')
  const project = await service.post<Project>('/v1/projects', { name: 'Ports' })
  assertStatus(project, 201)
  const projectId = project.json.id
  const empty = await find({ query: 'buoy', projectId })
  assert.deepEqual([empty.status, empty.json.hits, empty.json.warnings[0]?.code], [200, [], 'no_memory'])
  const created = await service.post<{ id: string }>('/v1/memories', { name: 'Buoys', projectId })
  await addTexts(service, created.json.id, [{ text: 'The buoy is red.' }])
  await makeFilled('Elsewhere', 'The buoy is green.')
  const found = await find({ query: 'buoy', projectId })
  assert.deepEqual(
    found.json.hits.map(({ memoryId, text }) => [memoryId, text]),
    [[created.json.id, 'The buoy is red.']],
  )
  assertError(await find({ query: 'q', projectId: 'prj_none' }), 404, 'project_not_found')
  for (let at = 0; at < 20; at += 1) await service.post('/v1/memories', { name: `M${at}`, projectId })
  assertError(await find({ query: 'q', projectId }), 400, 'validation_failed', 'projectId')
})

test('an answer cites passages of several memories by their memory', async () => {
  verifies('several.ask', 'several.counted-once')
  const north = await makeFilled('North', 'The fee in Leeds is EUR 10.')
  const south = await makeFilled('South', 'The parking fee in Dover is EUR 7.')
  const before = await countQueries()
  const body = {
    question: 'What is the parking fee in Dover?',
    memoryIds: [north, south],
    options: { includeSources: true },
  }
  const answer = await service.post<Asked>('/v1/ask', body)
  assertStatus(answer, 200)
  assert.equal(await countQueries(), before + 1)
  assert.match(answer.json.answer, /EUR 7/)
  const owners = (items: readonly object[]) => items.map((item) => (item as { memoryId: string }).memoryId)
  assert.deepEqual(owners(answer.json.citations), [south])
  assert.ok(owners(answer.json.sources).every((owner) => [north, south].includes(owner)))
  const streamed = await service.post('/v1/ask', body, { headers: { accept: 'text/event-stream' } })
  assert.match(streamed.text, /event: done/)
  const filter = { tags: ['none'] }
  const none = await service.post<Asked>('/v1/ask', { ...body, options: { filter } })
  assert.equal(none.json.answered, false)
})

test('a correction holds for its own memory', async () => {
  verifies('several.corrections')
  const own = await makeFilled('Own', 'The fee in Leeds is EUR 10.')
  const other = await makeFilled('Other', 'The fee in Leeds is EUR 10.', 'Boats are blue.')
  const statement = 'The fee in Leeds is EUR 12.'
  assertStatus(await service.post(`/v1/memories/${own}/correct`, { statement, topics: ['fees'] }), 201)
  const { json } = await find({ query: 'What is the fee in Leeds?', memoryIds: [other, own] })
  assert.deepEqual([json.hits[0]?.kind, json.hits[0]?.memoryId], ['correction', own])
  assert.ok(json.hits.some(({ memoryId, text }) => memoryId === other && text === 'The fee in Leeds is EUR 10.'))
  const without = await find({ query: 'What is the fee in Leeds?', memoryIds: [other] })
  assert.ok(without.json.hits.every(({ kind }) => kind === 'document'))
})

test('a memory that the key may not see is not found, and nothing is counted', async () => {
  verifies('several.scope')
  const own = await makeFilled('Scoped', 'The crane is yellow.')
  const other = await makeFilled('Secret', 'The crane is purple.')
  const { key = '' } = await makeKey(service, own)
  const before = await countQueries()
  for (const memoryIds of [[own, other], [other], ['mem_x'], [own, 'mem_01h455vb4pex5vsknk084sn02q']])
    assertError(await find({ query: 'crane', memoryIds }, key ?? ''), 404, 'memory_not_found')
  assertError(
    await service.post('/v1/ask', { question: 'crane?', memoryIds: [own, other] }, { key: key ?? '' }),
    404,
    'memory_not_found',
  )
  assertError(await find({ query: 'crane', projectId: 'prj_x' }, key ?? ''), 403, 'scope_forbidden')
  assert.equal(await countQueries(), before)
  const found = await find({ query: 'crane', memoryIds: [own] }, key ?? '')
  assert.deepEqual(
    found.json.hits.map(({ text }) => text),
    ['The crane is yellow.'],
  )
})

test('either memories or a project are required, and at most 20 memories', async () => {
  verifies('several.limit')
  for (const body of [
    {},
    { memoryIds: ['mem_a'], projectId: 'prj_a' },
    { memoryIds: Array(21).fill('mem_a') },
    { memoryIds: [] },
  ])
    for (const path of ['/v1/find', '/v1/ask'])
      assertError(
        await service.post(path, { query: 'q', question: 'q', ...body }),
        400,
        'validation_failed',
        'memoryIds',
      )
})
