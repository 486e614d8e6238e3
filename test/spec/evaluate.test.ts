import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Account, Evaluation } from './shapes.ts'
import { addTexts, assertFields, find, makeKey, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const DOCUMENTS = [
  { title: 'Boats', text: 'The ferry to the island leaves from pier seven at noon.', externalId: 'boats' },
  { title: 'Trains', text: 'Night trains have couchettes, which are booked beside the ticket.', externalId: 'trains' },
  { title: 'Bread', text: 'Sourdough rises overnight in a cool kitchen.', externalId: 'bread' },
  { title: 'Codes', text: 'The pump reports ERR_4012 when its valve is blocked.', externalId: 'codes' },
]
let memoryId = ''
let ids: string[] = []

const service = useSharedService(async (started) => {
  memoryId = await makeMemory(started)
  const added = await addTexts(started, memoryId, DOCUMENTS)
  assertStatus(added, 200)
  ids = added.json.documentIds
})

function evaluate(body: Record<string, unknown>, memory = memoryId) {
  return service.post<Evaluation>(`/v1/memories/${memory}/evaluate`, body)
}

/** A relevant document at place 1 of 10, alone. */
const PERFECT = { ndcg: 1, recall: 1, mrr: 1, precision: 0.1 }

test('an evaluation answers ndcg, recall, mrr, precision and meanMs by mode, and every question', async () => {
  verifies('beyond.evaluate', 'beyond.evaluate.figures')
  const questions = [
    { query: 'when does the ferry leave', documentIds: [ids[0]] },
    { query: 'how long does sourdough rise', documentIds: [ids[2]] },
  ]
  const answer = await evaluate({ questions })
  assertStatus(answer, 200)
  assertFields(answer.json, 'questions', 'topK', 'results', 'perQuestion', 'warnings')
  assert.deepEqual([answer.json.questions, answer.json.topK], [2, 10])
  const modes = ['lexical', 'semantic', 'hybrid']
  assert.deepEqual(
    answer.json.results.map(({ meanMs, ...result }) => {
      assert.ok(meanMs > 0)
      return result
    }),
    modes.map((mode) => ({ mode, ...PERFECT })),
  )
  assert.deepEqual(
    answer.json.perQuestion,
    questions.flatMap(({ query }, index) => modes.map((mode) => ({ index, query, mode, rank: 1, ndcg: 1, recall: 1 }))),
  )
})

test('the figures follow from the ranks of a find', async () => {
  verifies('beyond.evaluate.figures')
  const query = 'trains and the ferry to the island'
  const [first, second] = (await find(service, memoryId, query)).hits.map(({ documentId }) => documentId)
  assert.ok(first !== undefined && second !== undefined)
  // Gains 1 and 3 at ranks 1 and 2; the third document, with gain 2, is not among the first two.
  const third = ids.find((id) => id !== first && id !== second)
  assert.ok(third !== undefined)
  const grades = { [first]: 1, [second]: 3, [third]: 2 }
  const questions = [{ query, documentIds: [first, second, third], grades }]
  const { json } = await evaluate({ questions, topK: 2, modes: ['auto'] })
  const [result] = json.results
  const gained = 1 + 3 / Math.log2(3)
  const ideal = 3 + 2 / Math.log2(3)
  assert.ok(Math.abs((result?.ndcg ?? 0) - gained / ideal) < 1e-6, `ndcg is ${result?.ndcg}`)
  assert.deepEqual([result?.mode, result?.recall, result?.mrr, result?.precision], ['auto', 0.666667, 1, 1])
})

test('a question that is missed has no rank and counts 0', async () => {
  verifies('beyond.evaluate.figures')
  const { json } = await evaluate({
    questions: [{ query: 'ERR_4012', documentIds: [ids[2]] }],
    topK: 1,
    modes: ['lexical'],
  })
  assert.deepEqual(json.perQuestion, [{ index: 0, query: 'ERR_4012', mode: 'lexical', rank: null, ndcg: 0, recall: 0 }])
  const { meanMs: _, ...result } = json.results[0] ?? { meanMs: 0 }
  assert.deepEqual(result, { mode: 'lexical', ndcg: 0, recall: 0, mrr: 0, precision: 0 })
})

test('documents may be named by externalId, which outlives a replacement', async () => {
  verifies('beyond.evaluate.external-ids')
  const own = await makeMemory(service)
  await addTexts(service, own, DOCUMENTS)
  await addTexts(service, own, DOCUMENTS.slice(0, 1))
  const questions = [{ query: 'when does the ferry leave', externalIds: ['boats'] }]
  const { json } = await evaluate({ questions, modes: ['hybrid'] }, own)
  assert.equal(json.perQuestion[0]?.rank, 1)
})

test('a document that is named by a word every object has counts as any other', async () => {
  verifies('beyond.evaluate.external-ids')
  const own = await makeMemory(service)
  await addTexts(service, own, [{ title: 'Constructor', text: 'The ferry leaves at nine.', externalId: 'constructor' }])
  const questions = [{ query: 'when does the ferry leave', externalIds: ['constructor'] }]
  const { json } = await evaluate({ questions, modes: ['hybrid'] }, own)
  assert.deepEqual([json.perQuestion[0]?.rank, json.perQuestion[0]?.ndcg, json.results[0]?.recall], [1, 1, 1])
})

test('every document that is not there is named, and nothing is asked', async () => {
  verifies('beyond.evaluate.unknown')
  const other = await makeMemory(service)
  const [foreign] = (await addTexts(service, other, DOCUMENTS.slice(0, 1))).json.documentIds
  const questions = [
    { query: 'a', documentIds: [ids[0], foreign] },
    { query: 'b', documentIds: ['nonsense'], externalIds: ['boats', 'ships'] },
    { query: 'c', documentIds: [] },
    { query: 'd', externalIds: ['bread'], grades: { boats: 2 } },
  ]
  const answer = await service.post(`/v1/memories/${memoryId}/evaluate`, { questions })
  assertError(answer, 400, 'validation_failed', 'questions[0].documentIds[1]')
  assert.deepEqual(
    answer.json.error.details?.map(({ param }) => param),
    [
      'questions[0].documentIds[1]',
      'questions[1].documentIds[0]',
      'questions[1].externalIds[1]',
      'questions[2].documentIds',
      'questions[3].grades.boats',
    ],
  )
  assert.match(answer.json.error.details?.[2]?.message ?? '', /does not exist in this memory: ships/)
})

test('an evaluation takes 500 questions at most, and its modes and topK are checked', async () => {
  verifies('beyond.evaluate.bound')
  const question = { query: 'a', documentIds: [ids[0]] }
  const wrong: [Record<string, unknown>, string][] = [
    [{}, 'questions'],
    [{ questions: [] }, 'questions'],
    [{ questions: Array.from({ length: 501 }, () => question) }, 'questions'],
    [{ questions: [{ documentIds: [ids[0]] }] }, 'questions[0].query'],
    [{ questions: [{ ...question, query: ' ' }] }, 'questions[0].query'],
    [{ questions: [question], topK: 0 }, 'topK'],
    [{ questions: [question], topK: 101 }, 'topK'],
    [{ questions: [question], modes: [] }, 'modes'],
    [{ questions: [question], modes: ['best'] }, 'modes[0]'],
    [{ questions: [{ ...question, grades: { [ids[0] ?? '']: 11 } }] }, `questions[0].grades.${ids[0]}`],
  ]
  for (const [body, param] of wrong)
    assertError(await service.post(`/v1/memories/${memoryId}/evaluate`, body), 400, 'validation_failed', param)
})

test('corrections are skipped unless a question names one', async () => {
  verifies('beyond.evaluate.corrections')
  const own = await makeMemory(service)
  const [boats] = (await addTexts(service, own, DOCUMENTS)).json.documentIds
  const statement = 'The ferry to the island leaves from pier nine.'
  const { json: correction } = await service.post<{ id: string }>(`/v1/memories/${own}/correct`, { statement })
  const query = 'where does the ferry to the island leave'
  assert.equal((await find(service, own, query)).hits[0]?.documentId, correction.id)
  const ranks = async (...documentIds: (string | undefined)[]) =>
    (await evaluate({ questions: [{ query, documentIds }] }, own)).json.perQuestion.map(({ rank }) => rank)
  assert.deepEqual(await ranks(boats), [1, 1, 1])
  assert.deepEqual(await ranks(correction.id), [1, 1, 1])
  const both = await evaluate({ questions: [{ query, documentIds: [correction.id, boats] }], topK: 2 }, own)
  assert.deepEqual(
    both.json.results.map(({ ndcg, precision }) => [ndcg, precision]),
    Array.from({ length: 3 }, () => [1, 1]),
  )
})

test('a memory key evaluates its memory and no other; without a key it is 401', async () => {
  verifies('beyond.same-rules')
  const { key } = await makeKey(service, memoryId)
  const body = { questions: [{ query: 'ferry', documentIds: [ids[0]] }] }
  assertStatus(await service.call('POST', `/v1/memories/${memoryId}/evaluate`, { body, key }), 200)
  const other = await makeMemory(service)
  assertError(await service.call('POST', `/v1/memories/${other}/evaluate`, { body, key }), 404, 'memory_not_found')
  assertError(
    await service.call('POST', `/v1/memories/${memoryId}/evaluate`, { body, key: null }),
    401,
    'missing_api_key',
  )
})

test('evaluate costs no query', async () => {
  verifies('beyond.evaluate.free')
  const used = async () => (await service.get<Account>('/v1/account')).json.usage.queries
  const before = await used()
  assertStatus(await evaluate({ questions: [{ query: 'ferry', documentIds: [ids[0]] }] }), 200)
  assert.equal(await used(), before)
  await find(service, memoryId, 'ferry')
  assert.equal(await used(), before + 1)
})
