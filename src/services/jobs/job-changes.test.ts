import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createJobChanges } from './job-changes.ts'

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
