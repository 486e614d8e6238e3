import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createJobChanges, type JobChange, shareJobChanges } from './job-changes.ts'

test('a listener receives the changes of its job, and a listener without job receives all', () => {
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

test('an ended subscription receives nothing and does not affect others', () => {
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

test('a listener may unsubscribe during a call without affecting others', () => {
  const changes = createJobChanges()
  const heard: string[] = []
  const end = changes.subscribe('job_a', () => end())
  changes.subscribe('job_a', ({ kind }) => heard.push(kind))
  changes.publish({ jobId: 'job_a', kind: 'changed' })
  assert.deepEqual(heard, ['changed'])
})

/** Two processes that receive each other's messages. */
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

test('queued jobs and stop requests reach every process once', () => {
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

test('progress is not shared with other processes', () => {
  const { one, two, sent } = openTwo()
  one.changes.publish({ jobId: 'job_1', kind: 'changed' })
  assert.deepEqual([one.heard.length, two.heard.length, sent.length], [1, 0, 0])
})
