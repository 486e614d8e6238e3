import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { MAX_STORED_RESPONSE_BYTES } from '../limits.ts'
import type { Caller } from '../services/caller.ts'
import type { IdempotencyService } from '../services/nodes/idempotency-service.ts'
import { created, ok } from './answers/answers.ts'
import { errorAnswer, toApiError } from './answers/error-answer.ts'
import { answerIdempotently, readIdempotencyKey, startFingerprint } from './idempotency.ts'
import type { Answer } from './route.ts'

const caller: Caller = {
  organizationId: 'org',
  keyId: null,
  keyName: null,
  scope: 'organization',
  memoryIds: null,
  role: 'admin',
  planId: 'free',
}
const request = {
  caller,
  idempotencyKey: 'k',
  fingerprint: 'f',
  memoryId: null,
  requestId: 'req_2',
  isSafeToRepeat: false,
  wantsEvents: false,
}
const silent = { debug() {}, info() {}, warn() {}, error() {} }

function keeper(overrides: Partial<IdempotencyService> = {}) {
  const calls: unknown[] = []
  const idempotency: IdempotencyService = {
    claim: async (...call) => {
      calls.push(['begin', ...call])
      return { state: 'claimed' }
    },
    saveInTransaction: async (...call) => void calls.push(['keep', ...call]),
    saveResponse: async (...call) => void calls.push(['finish', ...call]),
    release: async (...call) => void calls.push(['release', ...call]),
    reserveBytes: async () => true,
    ...overrides,
  }
  const toAnswer = (error: unknown): Answer => errorAnswer(toApiError(error), 'req_1')
  return { calls, parts: { idempotency, log: silent, toAnswer } }
}

test('the first response is stored and replayed with its Location', async () => {
  const { calls, parts } = keeper()
  const answer = await answerIdempotently(parts, request, async () => created('/v1/x/1', { id: 1 }))
  assert.equal(answer.status, 201)
  assert.deepEqual(calls[1], [
    'finish',
    'org',
    'k',
    { status: 201, headers: { location: '/v1/x/1' }, body: '{"id":1}' },
  ])
})

test('a secret shown once is not stored', async () => {
  const { calls, parts } = keeper()
  const work = async () => ({ ...created<object>('/v1/x/1', { id: 1, key: 'rcl_secret' }), shownOnce: 'key' })
  const answer = await answerIdempotently(parts, request, work)
  assert.deepEqual(answer.body, { id: 1, key: 'rcl_secret' })
  assert.deepEqual(calls[1], [
    'finish',
    'org',
    'k',
    { status: 201, headers: { location: '/v1/x/1' }, body: '{"id":1,"key":null}' },
  ])
})

test('work stores its own response, without a secret shown once', async () => {
  const { calls, parts } = keeper()
  const toAnswer = (id: number): Answer => ({ ...created(`/v1/x/${id}`, { id, key: 'rcl_secret' }), shownOnce: 'key' })
  const transaction = {} as Parameters<IdempotencyService['saveInTransaction']>[0]
  await answerIdempotently(parts, request, async (storeResponseAs) => {
    await storeResponseAs(toAnswer)(transaction, 1)
    return toAnswer(1)
  })
  const kept = { status: 201, headers: { location: '/v1/x/1' }, body: '{"id":1,"key":null}' }
  assert.deepEqual(calls[1], ['keep', transaction, { keyId: 'org', idempotencyKey: 'k' }, kept])
})

test('a client error is stored; a server error and 429 release the key', async () => {
  for (const [code, expected] of [
    ['memory_not_found', 'finish'],
    ['internal_error', 'release'],
    ['rate_limited', 'release'],
  ] as const) {
    const { calls, parts } = keeper()
    await answerIdempotently(parts, request, () => Promise.reject(new ApiError(code)))
    assert.equal((calls[1] as string[])[0], expected)
  }
})

test('the complete answer of a stream is stored at its end, and a broken stream releases the key', async () => {
  for (const [whole, kept] of [
    [ok<object>({ answer: 'yes' }), 'finish'],
    [null, 'release'],
  ] as const) {
    const { calls, parts } = keeper()
    const { promise, resolve } = Promise.withResolvers<Answer | null>()
    const answer = await answerIdempotently(parts, request, async () => ({ ...ok({}), finalAnswer: promise }))
    assert.equal(answer.finalAnswer, promise)
    assert.equal(calls.length, 1)
    resolve(whole)
    await promise
    await Promise.resolve()
    assert.equal((calls[1] as unknown[])[0], kept)
  }
})

test("a large response of read-only work is not stored, nor one beyond the organization's limit", async () => {
  const read = { ...request, isSafeToRepeat: true }
  for (const [characters, room, kept] of [
    [1000, true, 'finish'],
    [MAX_STORED_RESPONSE_BYTES.computed, true, 'release'],
    [1000, false, 'release'],
  ] as const) {
    const { calls, parts } = keeper({ reserveBytes: async () => room })
    const answer = await answerIdempotently(parts, read, async () => ok({ text: 'x'.repeat(characters) }))
    assert.equal(answer.status, 200)
    assert.equal((calls[1] as unknown[])[0], kept)
  }
})

test("error responses count towards the organization's limit", async () => {
  for (const [room, kept] of [
    [true, 'finish'],
    [false, 'release'],
  ] as const) {
    const { calls, parts } = keeper({ reserveBytes: async () => room })
    await answerIdempotently(parts, request, () => Promise.reject(new ApiError('validation_failed')))
    assert.equal((calls[1] as unknown[])[0], kept)
  }
})

test('a large response of committed work is stored without its text', async () => {
  const { calls, parts } = keeper()
  const documents = Array.from({ length: 9 }, (_, at) => ({
    id: `doc_${String(at).padStart(26, '0')}`,
    title: 'x'.repeat(MAX_STORED_RESPONSE_BYTES.committed / 8),
    chunkCount: at,
  }))
  const transaction = {} as Parameters<IdempotencyService['saveInTransaction']>[0]
  await answerIdempotently(parts, request, async (storeResponseAs) => {
    await storeResponseAs(() => ok({ documents }))(transaction, null)
    return ok({ documents })
  })
  const { body } = (calls[1] as [string, unknown, unknown, { body: string }])[3]
  assert.deepEqual(JSON.parse(body), { documents: documents.map((document) => ({ ...document, title: '' })) })
})

test('a stored response is replayed without running the work', async () => {
  const claim = async () => ({ state: 'done', status: 200, headers: { location: '/x' }, body: '{"a":1}' }) as const
  const answer = await answerIdempotently(keeper({ claim }).parts, request, () =>
    assert.fail('the work was done twice'),
  )
  assert.deepEqual(answer, { status: 200, headers: { location: '/x', 'idempotent-replayed': 'true' }, body: '{"a":1}' })
})

test('a replayed error has the ID of the current request', async () => {
  const body = JSON.stringify(errorAnswer(new ApiError('memory_not_found'), 'req_1').body)
  const claim = async () => ({ state: 'done', status: 404, headers: {}, body }) as const
  const answer = await answerIdempotently(keeper({ claim }).parts, request, () =>
    assert.fail('the work was done twice'),
  )
  assert.equal(JSON.stringify(answer.body), body.replace('req_1', 'req_2'))
})

test('a running request and a different body under the same key are rejected', async () => {
  for (const [state, code] of [
    ['running', 'idempotency_in_progress'],
    ['reused', 'idempotency_key_reused'],
  ] as const) {
    const { parts } = keeper({ claim: async () => ({ state }) })
    const promise = answerIdempotently(parts, request, async () => ok({}))
    await assert.rejects(promise, (error) => error instanceof ApiError && error.code === code)
  }
})

test('finished work is answered even if its response cannot be stored', async () => {
  const { parts } = keeper({ saveResponse: () => Promise.reject(new Error('no database')) })
  assert.equal((await answerIdempotently(parts, request, async () => ok({}))).status, 200)
})

test('on a full disk, requests that are safe to repeat are answered without being stored, others are rejected', async () => {
  const error = new ApiError('service_unavailable')
  const { calls, parts } = keeper({ claim: async () => ({ state: 'unwritten', error }) })
  const never = async () => assert.fail('the work was done without a claim')
  await assert.rejects(answerIdempotently(parts, request, never), error)
  assert.equal((await answerIdempotently(parts, { ...request, isSafeToRepeat: true }, async () => ok({}))).status, 200)
  assert.deepEqual(calls, [])
})

test('without a database, every request with a key is rejected', async () => {
  const error = new ApiError('service_unavailable')
  const { parts } = keeper({ claim: () => Promise.reject(error) })
  const never = async () => assert.fail('the work was done without a claim')
  await assert.rejects(answerIdempotently(parts, { ...request, isSafeToRepeat: true }, never), error)
})

test('a key has 1 to 255 characters, and requests are identified by method, path and body', () => {
  assert.equal(readIdempotencyKey(undefined), null)
  assert.equal(readIdempotencyKey('x'.repeat(255))?.length, 255)
  assert.throws(() => readIdempotencyKey(''))
  assert.throws(() => readIdempotencyKey('x'.repeat(256)))
  const print = (url: string, ...pieces: (string | Buffer)[]) => {
    const hash = startFingerprint('POST', url)
    for (const piece of pieces) hash.update(piece)
    return hash.digest('hex')
  }
  assert.equal(print('/a', 'bc'), print('/a', Buffer.from('b'), 'c'))
  assert.notEqual(print('/a', 'b'), print('/a?b', ''))
})
