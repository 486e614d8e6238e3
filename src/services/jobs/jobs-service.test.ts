import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobResource } from '../../api/job.ts'
import { createJobChanges } from './job-changes.ts'
import { watchJob } from './jobs-service.ts'

const NEVER_MS = 2 ** 31 - 1

function jobAt(progress: number, status: JobResource['status'] = 'processing'): JobResource {
  const times = { createdAt: '', startedAt: null, completedAt: null }
  const rest = { message: '', errorCode: null, isPartial: false, attempts: 1, ...times }
  return { id: 'job_1', memoryId: 'mem_1', jobType: 'test', status, progress, ...rest }
}

/** A job with a sequence of states, and the number of active listeners. */
function scene(states: JobResource[]) {
  const changes = createJobChanges()
  let listening = 0
  let reads = 0
  return {
    signal: new AbortController(),
    notify: () => changes.publish({ jobId: 'job_1', kind: 'changed' }),
    counts: () => ({ listening, reads }),
    watch(pollMs: number, signal: AbortSignal) {
      return watchJob({
        jobId: 'job_1',
        pollMs,
        signal,
        read: async () => states[Math.min(reads++, states.length - 1)] ?? jobAt(0),
        changes: {
          subscribe(jobId, listener) {
            listening += 1
            const end = changes.subscribe(jobId, listener)
            return () => {
              listening -= 1
              end()
            }
          },
        },
      })
    },
  }
}

test('a watch yields the current state, then every change, and ends with the final state', async () => {
  const { watch, counts, notify, signal } = scene([jobAt(0), jobAt(0), jobAt(5), jobAt(100, 'completed')])
  const seen: number[] = []
  for await (const { progress } of watch(1, signal.signal)) {
    seen.push(progress)
    notify()
  }
  assert.deepEqual(seen, [0, 5, 100])
  assert.equal(counts().listening, 0)
})

test('a change in this process is seen without waiting for a poll', async () => {
  const { watch, notify, signal } = scene([jobAt(0), jobAt(100, 'completed')])
  const states = watch(NEVER_MS, signal.signal)
  await states.next()
  const next = states.next()
  notify()
  assert.equal((await next).value?.progress, 100)
})

test('a change in another process is seen at the next poll', async () => {
  const { watch, signal } = scene([jobAt(0), jobAt(0), jobAt(0), jobAt(100, 'failed')])
  const seen: string[] = []
  for await (const { status } of watch(1, signal.signal)) seen.push(status)
  assert.deepEqual(seen, ['processing', 'failed'])
})

test('an aborted watch still yields the current state', async () => {
  const { watch, counts, signal } = scene([jobAt(3)])
  signal.abort()
  const seen: number[] = []
  for await (const { progress } of watch(NEVER_MS, signal.signal)) seen.push(progress)
  assert.deepEqual(seen, [3])
  assert.equal(counts().listening, 0)
})

test('an abort and a leaving reader end the watch and its subscription', async () => {
  const waiting = scene([jobAt(3)])
  const states = waiting.watch(NEVER_MS, waiting.signal.signal)
  await states.next()
  const next = states.next()
  waiting.signal.abort()
  assert.equal((await next).done, true)
  assert.equal(waiting.counts().listening, 0)

  const left = scene([jobAt(3)])
  for await (const _ of left.watch(NEVER_MS, left.signal.signal)) break
  assert.equal(left.counts().listening, 0)
})
