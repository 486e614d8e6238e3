import assert from 'node:assert/strict'
import test from 'node:test'
import { ApiError } from '../../../src/errors.ts'
import { createCorrectionsService, sweepCorrections } from '../../../src/services/corrections/corrections-service.ts'
import { openIngestFixture } from './ingest-fixture.ts'

const CORRECTIONS = [{ statement: 'The refund window is 45 days.', topics: ['refunds'], boost: 2 }]

test('corrections whose request ran out of time are not kept', async (t) => {
  const { parts, caller, memory, memories, find } = await openIngestFixture(t)
  const corrections = createCorrectionsService(parts)
  const signal = AbortSignal.abort(new ApiError('request_timeout'))
  await assert.rejects(corrections.add(caller, memory.id, { corrections: CORRECTIONS, signal }), {
    code: 'request_timeout',
  })
  assert.equal((await memories.get(caller, memory.id)).correctionCount, 0)
  assert.deepEqual((await find('refunds')).hits, [])
})

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const untilIn = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString()

test('an expired correction is not found, and swept with its chunks after a week and not before', async (t) => {
  const { parts, caller, memory, memories, find, pass } = await openIngestFixture(t)
  const corrections = createCorrectionsService(parts)
  const { signal } = new AbortController()
  const given = CORRECTIONS.map((one) => ({ ...one, expiresAt: untilIn(parts.now(), HOUR_MS) }))
  const [expiring] = await corrections.add(caller, memory.id, { corrections: given, signal })
  const [lasting] = await corrections.add(caller, memory.id, { corrections: CORRECTIONS, signal })
  assert.equal((await find('refund window')).hits.length, 2)
  pass(HOUR_MS)
  assert.deepEqual(
    (await find('refund window')).hits.map(({ documentId }) => documentId),
    [lasting?.id],
  )
  pass(WEEK_MS - 1)
  await sweepCorrections(parts)
  assert.equal((await memories.get(caller, memory.id)).correctionCount, 2)
  pass(2)
  await sweepCorrections(parts)
  assert.equal((await memories.get(caller, memory.id)).correctionCount, 1)
  const listed = await corrections.list(caller, memory.id, { outranks: false, limit: 10, cursor: null })
  assert.deepEqual([listed.total, listed.corrections[0]?.id], [1, lasting?.id])
  const file = parts.memoryFile.named(memory.id)
  assert.deepEqual([...(await file.count(memory.id)).keys()], [lasting?.id])
  assert.notEqual(expiring?.id, lasting?.id)
})

test('expired corrections do not displace valid ones', async (t) => {
  const { parts, caller, memory, find, pass } = await openIngestFixture(t)
  const corrections = createCorrectionsService(parts)
  const { signal } = new AbortController()
  const expiresAt = untilIn(parts.now(), HOUR_MS)
  const crowd = Array.from({ length: 120 }, () => ({
    statement: 'Refund window: 45 days.',
    topics: [],
    boost: 2,
    expiresAt,
  }))
  await corrections.add(caller, memory.id, { corrections: crowd, signal })
  const statement = 'The window for a refund is open on Tuesdays, and who comes late waits until the next one.'
  const [lasting] = await corrections.add(caller, memory.id, {
    corrections: [{ statement, topics: [], boost: 1 }],
    signal,
  })
  pass(HOUR_MS)
  assert.equal((await find('refund window')).hits[0]?.documentId, lasting?.id)
})

test('a correction is stored even if its overridden passages cannot be searched', async (t) => {
  const { parts, caller, memory, find } = await openIngestFixture(t)
  const search = { find: () => Promise.reject(new Error('no search today')) }
  const corrections = createCorrectionsService({ ...parts, search })
  const [added] = await corrections.add(caller, memory.id, {
    corrections: CORRECTIONS,
    signal: new AbortController().signal,
  })
  assert.equal(added?.outranks, null)
  assert.equal((await find('refunds')).hits[0]?.documentId, added?.id)
})
