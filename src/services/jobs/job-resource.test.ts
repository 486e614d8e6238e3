import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../database/schema.ts'
import { toJobResource } from './job-resource.ts'

const ROW: Job = {
  id: 'job_1',
  organization_id: 'org_1',
  memory_id: 'mem_1',
  job_type: 'documentingestion',
  status: 'pending',
  progress: 0,
  message: 'waiting for a worker',
  payload: '{"secret":1}',
  result: '{"documentsAdded":1}',
  error: 'old',
  error_code: null,
  is_partial: 0,
  cancel_requested: 0,
  attempts: 0,
  max_attempts: 5,
  lease_token: null,
  lease_expires_at: null,
  run_after: '2026-11-21T08:00:00.000Z',
  created_at: '2026-11-21T08:00:00.000Z',
  started_at: null,
  completed_at: null,
}

test('an import has a memory id once completed', () => {
  const memoryOf = (status: Job['status']) => toJobResource({ ...ROW, job_type: 'memoryimport', status }).memoryId
  assert.deepEqual([memoryOf('pending'), memoryOf('processing'), memoryOf('failed')], [null, null, null])
  assert.equal(memoryOf('completed'), 'mem_1')
})

test('a pending job has the fields of the API document, and neither result nor error nor internals', () => {
  assert.deepEqual(toJobResource(ROW), {
    id: 'job_1',
    memoryId: 'mem_1',
    jobType: 'documentingestion',
    status: 'pending',
    progress: 0,
    message: 'waiting for a worker',
    errorCode: null,
    isPartial: false,
    attempts: 0,
    createdAt: '2026-11-21T08:00:00.000Z',
    startedAt: null,
    completedAt: null,
  })
})

test('completed and partial jobs have a result, failed jobs an error', () => {
  const shown = (status: Job['status']) => {
    const resource = toJobResource({ ...ROW, status })
    return ['result' in resource, 'error' in resource]
  }
  assert.deepEqual(shown('processing'), [false, false])
  assert.deepEqual(shown('completed'), [true, false])
  assert.deepEqual(shown('partial'), [true, false])
  assert.deepEqual(shown('failed'), [false, true])
})

test('a running job reports a cancellation request until the end', () => {
  const asked = { ...ROW, cancel_requested: 1, status: 'processing', message: 're-embedded 10 of 20 chunks' } as const
  assert.match(toJobResource(asked).message, /^cancellation requested/)
  const ended = toJobResource({ ...asked, status: 'failed', message: 'cancelled on request' })
  assert.equal(ended.message, 'cancelled on request')
})
