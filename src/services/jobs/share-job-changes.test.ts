import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createJobChanges, type JobChange } from './job-changes.ts'
import { shareJobChanges } from './share-job-changes.ts'

/** Two processes that hear whatever one of them sends. */
function openTwo() {
  const sent: string[] = []
  const open = (owner: string) => {
    const carrier = {
      send(text: string) {
        sent.push(text)
        for (const process of processes) process.changes.hear(text)
      },
    }
    const changes = shareJobChanges(createJobChanges(), { owner, carrier: () => carrier })
    const heard: JobChange[] = []
    changes.subscribe(null, (change) => heard.push(change))
    return { changes, heard }
  }
  const processes: ReturnType<typeof open>[] = []
  processes.push(open('one'), open('two'))
  const [one, two] = processes
  assert.ok(one && two)
  return { one, two, sent }
}

test('a job that waits or is to stop is heard once by every process', () => {
  const { one, two } = openTwo()
  one.changes.publish({ jobId: 'job_1', kind: 'stop-asked' })
  one.changes.publish({ jobId: 'job_2', kind: 'queued' })
  assert.deepEqual(one.heard, [
    { jobId: 'job_1', kind: 'stop-asked' },
    { jobId: 'job_2', kind: 'queued' },
  ])
  assert.deepEqual(two.heard, [
    { jobId: 'job_1', kind: 'stop-asked' },
    { jobId: '', kind: 'queued' },
  ])
})

test('progress stays in its process, where who waits elsewhere looks for himself', () => {
  const { one, two, sent } = openTwo()
  one.changes.publish({ jobId: 'job_1', kind: 'changed' })
  assert.deepEqual([one.heard.length, two.heard.length, sent.length], [1, 0, 0])
})
