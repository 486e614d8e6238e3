import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useService } from './service.ts'
import { verifies } from './verifies.ts'

const service = useService()
const open = useService({ RECOLLECT_METRICS_PUBLIC: 'true' })

/** The value of a metric with these labels in this order; 0 before the first count. */
async function readMetric(name: string, labels = ''): Promise<number> {
  const { text } = await service.get('/metrics')
  const line = text.split('\n').find((one) => one.startsWith(labels === '' ? `${name} ` : `${name}{${labels}} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

test('metrics are Prometheus text, for an organization key only', async () => {
  verifies('beyond.metrics')
  const answer = await service.get('/metrics')
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  for (const line of answer.text.split('\n')) {
    assert.match(line, /^(#.*|[a-zA-Z_:][\w:]*(\{[^}]*\})? (-?[\d.]+(e[+-]?\d+)?|Nan|\+Inf))?$/)
  }
  const { json: memory } = await service.post<{ id: string }>('/v1/memories', { name: 'One' })
  const { json: scoped } = await service.post<{ key: string }>('/v1/keys', { scope: 'memory', memoryId: memory.id })
  const refused = [null, 'wrong', scoped.key].map(async (key) => (await service.get('/metrics', { key })).status)
  assert.deepEqual(await Promise.all(refused), [401, 401, 403])
})

test('metrics need no key where they are public', async () => {
  verifies('beyond.metrics')
  assert.equal((await open.get('/metrics', { key: null })).status, 200)
  assert.equal((await open.get('/v1/account', { key: null })).status, 401)
})

test('requests are counted by path template, and jobs by their end', async () => {
  verifies('beyond.metrics')
  const { json: memory } = await service.post<{ id: string }>('/v1/memories', { name: 'Two' })
  const path = `/v1/memories/${memory.id}`
  const body = { documents: [{ title: 'Mill', text: 'The mill grinds.' }], options: { async: true } }
  const { json: accepted } = await service.post<{ jobId: string }>(`${path}/documents`, body)
  const job = await service.get<{ status: string }>(`/v1/jobs/${accepted.jobId}?wait=30`)
  assert.equal(job.json.status, 'completed')
  await service.post(`${path}/find`, { query: 'mill' })
  await service.get(`/v1/nothing/${memory.id}`)
  const found = 'method="POST",route="/v1/memories/:id/find",status="200"'
  assert.equal(await readMetric('recollect_http_request_seconds_count', found), 1)
  const nowhere = 'method="other",route="none",status="404"'
  assert.equal(await readMetric('recollect_http_request_seconds_count', nowhere), 1)
  assert.equal(await readMetric('recollect_documents'), 1)
  assert.ok((await readMetric('recollect_stored_bytes')) >= 16)
  assert.equal(await readMetric('recollect_jobs', 'state="pending"'), 0)
  const ended = () => readMetric('recollect_job_run_seconds_count', 'type="documentingestion",outcome="completed"')
  // The run is counted right behind the end of the job.
  while ((await ended()) === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  const { text } = await service.get('/metrics')
  assert.doesNotMatch(text, /(mem|doc|job|key|org|req)_[0-9a-z]{26}|Mill|mill/)
})

test('the backlog of a deletion is counted until it is gone', async () => {
  verifies('beyond.metrics', 'beyond.deleted-bytes.counted')
  const { json: memory } = await service.post<{ id: string }>('/v1/memories', { name: 'Three' })
  const path = `/v1/memories/${memory.id}/documents`
  const body = { documents: [{ title: 'Weir', text: 'The weir is open.' }] }
  const { json: added } = await service.post<{ documentIds: string[] }>(path, body)
  const before = await readMetric('recollect_removals_waiting', 'stage="bytes"')
  assert.equal((await service.delete(`${path}/${added.documentIds[0]}`)).status, 204)
  assert.equal(await readMetric('recollect_removals_waiting', 'stage="bytes"'), before + 1)
  assert.ok((await readMetric('recollect_removals_oldest_seconds', 'stage="bytes"')) < 900)
})
