import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createJobChanges, type JobChange, shareJobChanges } from './job-changes.ts'

test('a listener hears the changes of its job only, one without a job hears all', () => {
  const changes = createJobChanges()
  const one: string[] = []
  const all: string[] = []
  changes.subscribe('job_a', ({ kind }) => one.push(kind))
  changes.subscribe(null, ({ jobId }) => all.push(jobId))
  changes.publish({ jobId: 'job_a', kind: 'queued' })
  changes.publish({ jobId: 'job_b', kind: 'changed' })
  assert.deepEqual(one, ['queued'])
  assert.deepEqual(all, ['job_a', 'job_b'])
})

test('an ended subscription hears nothing more and leaves those of others alone', () => {
  const changes = createJobChanges()
  const heard: string[] = []
  const listener = ({ kind }: { kind: string }) => heard.push(kind)
  const first = changes.subscribe('job_a', listener)
  first()
  const second = changes.subscribe('job_a', listener)
  first()
  changes.publish({ jobId: 'job_a', kind: 'changed' })
  second()
  changes.publish({ jobId: 'job_a', kind: 'changed' })
  assert.deepEqual(heard, ['changed'])
})

test('a listener that ends its subscription while it is called keeps no other from hearing', () => {
  const changes = createJobChanges()
  const heard: string[] = []
  const end = changes.subscribe('job_a', () => end())
  changes.subscribe('job_a', ({ kind }) => heard.push(kind))
  changes.publish({ jobId: 'job_a', kind: 'changed' })
  assert.deepEqual(heard, ['changed'])
})

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
