import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { parseEvents } from './events.ts'
import { prose } from './prose.ts'
import { useSharedService } from './service.ts'
import type { Accepted, Job, List } from './shapes.ts'
import {
  addInBackground,
  assertFields,
  endOfJob,
  find,
  listDocuments,
  makeMemory,
  readDocument,
  upload,
} from './steps.ts'
import { verifies } from './verifies.ts'

const MB = 1024 * 1024
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const service = useSharedService()

/** A job large enough to be observed while it runs. */
async function longJob(memoryId: string, megabytes = 2.5): Promise<Accepted> {
  const answer = await upload<Accepted>(service, memoryId, { content: prose(megabytes * MB), filename: 'long.txt' })
  assertStatus(answer, 202)
  return answer.json
}

async function failedJob(memoryId: string): Promise<Accepted> {
  const file = { content: '{"cut": [1, 2', filename: 'cut.json', options: { async: true } }
  const answer = await upload<Accepted>(service, memoryId, file)
  assertStatus(answer, 202)
  assert.equal((await endOfJob(service, answer.json.jobId)).status, 'failed')
  return answer.json
}

test('a completed job has all fields, its result and its times', async () => {
  verifies('jobs.get', 'jobs.id', 'jobs.memory-id', 'jobs.job-type', 'jobs.status', 'jobs.progress', 'jobs.message')
  verifies(
    'jobs.result',
    'jobs.times',
    'jobs.state.completed',
    'jobs.further-fields',
    'jobs.is-partial',
    'jobs.state.created',
  )
  const memoryId = await makeMemory(service)
  const text = 'The ferry leaves at noon.'
  const accepted = (await addInBackground(service, memoryId, text)).json
  assert.deepEqual([accepted.job.status, accepted.job.completedAt, 'result' in accepted.job], ['pending', null, false])
  const job = await endOfJob(service, accepted.jobId)
  assertFields(job, 'id', 'memoryId', 'jobType', 'status', 'progress', 'message', 'result', 'isPartial')
  assertFields(job, 'errorCode', 'attempts', 'createdAt', 'startedAt', 'completedAt')
  assert.deepEqual(
    [job.id, job.memoryId, job.jobType, job.status, job.progress, job.isPartial, job.errorCode],
    [accepted.jobId, memoryId, 'documentingestion', 'completed', 100, false, null],
  )
  assert.ok(!('error' in job) && job.message.length > 0 && job.attempts >= 1)
  for (const time of [job.createdAt, job.startedAt, job.completedAt]) assert.match(time ?? '', TIMESTAMP)
  assert.ok(job.createdAt <= (job.startedAt ?? '') && (job.startedAt ?? '') <= (job.completedAt ?? ''))
  assertFields(job.result, 'documentsAdded', 'chunksCreated', 'documentIds', 'totalBytes', 'processingMs')
  assert.deepEqual([job.result?.documentsAdded, job.result?.chunksCreated, job.result?.totalBytes], [1, 1, text.length])
  assert.deepEqual(job.result?.documentIds, accepted.documentIds)
})

test('the events of a job show its progress to the end', async () => {
  verifies('jobs.events', 'jobs.state.processing', 'jobs.progress', 'jobs.message')
  const memoryId = await makeMemory(service)
  const { jobId } = await longJob(memoryId)
  const answer = await service.get(`/v1/jobs/${jobId}/events`, { headers: { accept: 'text/event-stream' } })
  assertStatus(answer, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const events = parseEvents<Job>(answer.text)
  const jobs = events.map(({ data }) => data).filter((data) => data.id === jobId)
  assert.ok(jobs.length >= 2, answer.text.slice(0, 500))
  const atWork = jobs.filter(({ status }) => status === 'processing')
  assert.ok(atWork.length > 0 && atWork.every(({ startedAt }) => startedAt !== null))
  assert.ok(
    atWork.some(({ progress }) => progress > 0 && progress < 100),
    'some progress between start and end',
  )
  const progress = jobs.map((job) => job.progress)
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  )
  assert.deepEqual([jobs.at(-1)?.status, jobs.at(-1)?.progress], ['completed', 100])
})

test('the events of an ended job are its last state and the end', async () => {
  verifies('jobs.events')
  const memoryId = await makeMemory(service)
  const { jobId } = (await addInBackground(service, memoryId, 'Over soon.')).json
  await endOfJob(service, jobId)
  const events = parseEvents<Job>((await service.get(`/v1/jobs/${jobId}/events`)).text)
  assert.ok(events.length >= 1 && events.some(({ data }) => data.status === 'completed'))
  assertError(await service.get('/v1/jobs/job_01h455vb4pex5vsknk084sn02q/events'), 404, 'job_not_found')
})

test('wait holds the answer until the job ends, and no longer than asked', async () => {
  verifies('jobs.wait')
  const memoryId = await makeMemory(service)
  const { jobId } = await longJob(memoryId)
  const short = await service.get<Job>(`/v1/jobs/${jobId}?wait=0`)
  assertStatus(short, 200)
  const held = await service.get<Job>(`/v1/jobs/${jobId}?wait=30`)
  assert.equal(held.json.status, 'completed')
  for (const wait of ['-1', 'x', '1e9']) {
    assertError(await service.get(`/v1/jobs/${jobId}?wait=${wait}`), 400, 'validation_failed', 'wait')
  }
})

test('the list of jobs filters by status and memory, newest first', async () => {
  verifies('jobs.list', 'jobs.list.status', 'jobs.list.memory-id', 'jobs.list.partial')
  const [one, two] = [await makeMemory(service, 'One'), await makeMemory(service, 'Two')]
  const first = (await addInBackground(service, one, 'First.')).json.jobId
  await endOfJob(service, first)
  const failed = (await failedJob(one)).jobId
  const other = (await addInBackground(service, two, 'Other.')).json.jobId
  await endOfJob(service, other)
  const list = async (query: string) => {
    const answer = await service.get<List<'jobs', Job>>(`/v1/jobs?${query}`)
    assertStatus(answer, 200)
    return answer.json.jobs.map(({ id }) => id)
  }
  assert.deepEqual(await list(`memoryId=${one}`), [failed, first])
  assert.deepEqual(await list(`memoryId=${two}`), [other])
  assert.deepEqual(await list(`memoryId=${one}&status=completed`), [first])
  assert.deepEqual(await list(`memoryId=${one}&status=failed`), [failed])
  for (const status of ['pending', 'processing', 'partial'])
    assert.deepEqual(await list(`memoryId=${one}&status=${status}`), [])
  assert.deepEqual((await list('limit=2')).length, 2)
  assertError(await service.get('/v1/jobs?status=done'), 400, 'validation_failed', 'status')
})

test('the job list takes limits from 1 to 100', async () => {
  verifies('jobs.list.limit', 'limits.jobs-list')
  for (const limit of ['0', '101', 'x', '1.5', '-3']) {
    assertError(await service.get(`/v1/jobs?limit=${limit}`), 400, 'validation_failed', 'limit')
  }
  for (const limit of ['1', '100']) assertStatus(await service.get(`/v1/jobs?limit=${limit}`), 200)
})

test('a job at work is cancelled, ends with a reason and leaves nothing to find', async () => {
  verifies('jobs.cancel', 'jobs.error', 'jobs.state.failed')
  const memoryId = await makeMemory(service)
  const { jobId, documentIds } = await longJob(memoryId, 12)
  const answer = await service.call<Job>('POST', `/v1/jobs/${jobId}/cancel`)
  assertStatus(answer, 200)
  const job = await endOfJob(service, jobId)
  assert.deepEqual([job.status, job.errorCode], ['failed', 'cancelled'])
  assert.ok((job.error ?? '').length > 3)
  assert.equal((await readDocument(service, memoryId, documentIds[0] ?? '')).status, 'failed')
  assert.deepEqual((await find(service, memoryId, 'river stone market')).hits, [])
})

test('an ended job cannot be cancelled, a completed or waiting one not retried', async () => {
  verifies('jobs.cancel', 'jobs.retry', 'errors.409.job_not_cancellable')
  const memoryId = await makeMemory(service)
  const { jobId } = (await addInBackground(service, memoryId, 'Done soon.')).json
  await endOfJob(service, jobId)
  for (const action of ['cancel', 'retry']) {
    assertError(await service.call('POST', `/v1/jobs/${jobId}/${action}`), 409, 'job_not_cancellable')
    const stranger = `/v1/jobs/job_01h455vb4pex5vsknk084sn02q/${action}`
    assertError(await service.call('POST', stranger), 404, 'job_not_found')
  }
})

test('a cancelled job is retried under the same id and completes', async () => {
  verifies('jobs.retry')
  const memoryId = await makeMemory(service)
  const { jobId, documentIds } = await longJob(memoryId)
  await service.call('POST', `/v1/jobs/${jobId}/cancel`)
  assert.equal((await endOfJob(service, jobId)).status, 'failed')
  const again = await service.call<Job>('POST', `/v1/jobs/${jobId}/retry`)
  assertStatus(again, 200)
  assert.deepEqual([again.json.id, 'error' in again.json], [jobId, false])
  assert.equal((await endOfJob(service, jobId)).status, 'completed')
  assert.equal((await readDocument(service, memoryId, documentIds[0] ?? '')).status, 'ready')
  assert.equal((await listDocuments(service, memoryId)).total, 1)
})

test('a permanently failed job fails again when retried, with the same reason', async () => {
  verifies('jobs.retry', 'jobs.error', 'errors.api.job-failed')
  const memoryId = await makeMemory(service)
  const { jobId } = await failedJob(memoryId)
  assertStatus(await service.call('POST', `/v1/jobs/${jobId}/retry`), 200)
  const job = await endOfJob(service, jobId)
  assert.deepEqual([job.status, job.errorCode], ['failed', 'unprocessable_document'])
})

test('a job whose documents were deleted cannot be retried', async () => {
  verifies('jobs.retry')
  const memoryId = await makeMemory(service)
  const { jobId, documentIds } = await failedJob(memoryId)
  assertStatus(await service.call('DELETE', `/v1/memories/${memoryId}/documents/${documentIds[0]}`), 204)
  assertError(await service.call('POST', `/v1/jobs/${jobId}/retry`), 404, 'document_not_found')
  assert.equal((await service.get<Job>(`/v1/jobs/${jobId}`)).json.status, 'failed')
})

test('reads and adds are answered while a large job is at work', async () => {
  verifies('documents.sync-and-async')
  const memoryId = await makeMemory(service)
  const { jobId } = await longJob(memoryId)
  const other = await makeMemory(service, 'Meanwhile')
  const answer = await service.post(`/v1/memories/${other}/documents`, {
    documents: [{ title: 'Q', text: 'Quick words.' }],
  })
  assertStatus(answer, 200)
  assert.equal((await find(service, other, 'quick words')).hits.length, 1)
  assert.equal((await endOfJob(service, jobId)).status, 'completed')
})
