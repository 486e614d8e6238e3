import assert from 'node:assert/strict'
import test from 'node:test'
import { ApiError } from '../../../src/errors.ts'
import type { Caller } from '../../../src/services/caller.ts'
import { createVerifyService } from '../../../src/services/doctor/verify-service.ts'
import { addStranger } from './fixtures.ts'
import { openIngestFixture } from './ingest-fixture.ts'

/** Verifications that all wait for the first one, which ends on release. */
async function openVerification(t: Parameters<typeof openIngestFixture>[0]) {
  const { parts, caller, memory, memories } = await openIngestFixture(t)
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>()
  let atOnce = 0
  const measure = async (prefix: string) => {
    atOnce += 1
    assert.equal(atOnce, 1)
    await gate
    atOnce -= 1
    return parts.blobs.measure(prefix)
  }
  const blobs = { ...parts.blobs, measure }
  const service = createVerifyService({ ...parts, blobs })
  const verify = (by: Caller, memoryId: string, signal = new AbortController().signal) =>
    service.verify(by, memoryId, signal)
  const addOther = async () => {
    const other = await addStranger(parts.db)
    const made = await memories.create(other, { name: 'o', description: null, projectId: null, projectName: null })
    return { other, otherId: made.id }
  }
  return { caller, memoryId: memory.id, verify, addOther, letGo }
}

test('an organization verifies two memories at a time, one after the other, and is refused a third for a moment', async (t) => {
  const { caller, memoryId, verify, addOther, letGo } = await openVerification(t)
  const { other, otherId } = await addOther()
  const own = [verify(caller, memoryId), verify(caller, memoryId)]
  const refused = { code: 'rate_limited' }
  // Each is admitted after the lookup of its memory.
  const third = Promise.race([verify(caller, memoryId), ...own])
  await assert.rejects(third, refused)
  const ofOther = verify(other, otherId)
  letGo()
  assert.ok((await Promise.all([...own, ofOther])).every(({ ok }) => ok))
  assert.ok((await verify(caller, memoryId)).ok)
})

test('a waiting verification whose client leaves gives its place to the next', async (t) => {
  const { caller, memoryId, verify, letGo } = await openVerification(t)
  const first = verify(caller, memoryId)
  const leaving = new AbortController()
  const second = verify(caller, memoryId, leaving.signal)
  const refused = verify(caller, memoryId)
  await assert.rejects(Promise.race([refused, first]), { code: 'rate_limited' })
  leaving.abort(new ApiError('request_timeout'))
  await assert.rejects(second, { code: 'request_timeout' })
  const next = verify(caller, memoryId)
  letGo()
  assert.deepEqual([(await first).ok, (await next).ok], [true, true])
})

test('verifications of many organizations wait for each other up to a bound', async (t) => {
  const { verify, addOther, letGo } = await openVerification(t)
  const others = []
  for (let i = 0; i < 9; i += 1) others.push(await addOther())
  const all = others.map(({ other, otherId }) => verify(other, otherId))
  await assert.rejects(Promise.race(all), { code: 'rate_limited' })
  letGo()
  const outcomes = await Promise.allSettled(all)
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 8)
})
