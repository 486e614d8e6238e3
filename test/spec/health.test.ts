import assert from 'node:assert/strict'
import { rename, rm, writeFile } from 'node:fs/promises'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import { addTexts, find, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

type Check = { status: string; latencyMs?: number; error?: string; optional?: boolean }
type Health = { status: string; version: string; timestamp: string }
type Ready = Health & { checks: Record<string, Check> }

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const service = useSharedService()

test('health says healthy with version and time, to anyone and without the /v1 prefix', async () => {
  verifies('health.fields', 'health.status-healthy', 'keys.api.health-open', 'rules.versioning.prefix')
  verifies('rules.versioning.health-version', 'rules.api.http')
  const answer = await service.get<Health>('/health', { key: null })
  assertStatus(answer, 200)
  assert.equal(answer.json.status, 'healthy')
  assert.match(answer.json.version, /^\d+\.\d+\.\d+/)
  assert.match(answer.json.timestamp, TIMESTAMP)
  assertError(await service.get('/v1/health'), 404, 'route_not_found')
  assertError(await service.get('/memories'), 404, 'route_not_found')
})

test('readiness names the database and the object store, each with its state', async () => {
  verifies('health.ready.checks-connectivity', 'health.ready.body', 'keys.api.health-open')
  const answer = await service.get<Ready>('/health/ready', { key: null })
  assertStatus(answer, 200)
  assert.equal(answer.json.status, 'ready')
  assert.match(answer.json.version, /^\d+\.\d+\.\d+/)
  assert.match(answer.json.timestamp, TIMESTAMP)
  for (const name of ['database', 'objectStore']) {
    assert.equal(answer.json.checks[name]?.status, 'up', name)
    assert.equal(typeof answer.json.checks[name]?.latencyMs, 'number', name)
  }
})

test('further checks are marked optional', async () => {
  verifies('health.ready.optional')
  const answer = await service.get<Ready>('/health/ready')
  const further = Object.entries(answer.json.checks).filter(([name]) => !['database', 'objectStore'].includes(name))
  for (const [name, check] of further) assert.equal(check.optional, true, name)
  for (const name of ['embedder', 'ocr', 'worker']) assert.equal(answer.json.checks[name]?.status, 'up', name)
})

test('a broken object store makes readiness 503 and an add a retryable 503, and all is well once it is back', async () => {
  verifies('health.ready.503', 'errors.api.degraded', 'errors.503.service_unavailable', 'health.ready.body')
  verifies('rules.headers.retry-after')
  const memoryId = await makeMemory(service)
  const aside = `${service.dataDirectory}-aside`
  await rename(service.dataDirectory, aside)
  await writeFile(service.dataDirectory, 'not a folder')
  try {
    const answer = await service.get<Ready>('/health/ready')
    assertStatus(answer, 503)
    assert.equal(answer.json.status, 'degraded')
    assert.equal(answer.json.checks['objectStore']?.status, 'down')
    assert.ok((answer.json.checks['objectStore']?.error ?? '').length > 0)
    const refused = await addTexts(service, memoryId, [{ title: 'Lost', text: 'zanzibar lighthouse schedule' }])
    assertError(refused, 503, 'service_unavailable')
  } finally {
    await rm(service.dataDirectory)
    await rename(aside, service.dataDirectory)
  }
  assertStatus(await service.get('/health/ready'), 200)
  assert.equal((await find(service, memoryId, 'zanzibar lighthouse')).hits.length, 0)
  assertStatus(await addTexts(service, memoryId, [{ title: 'Kept', text: 'zanzibar lighthouse schedule' }]), 200)
  assert.equal((await find(service, memoryId, 'zanzibar lighthouse')).hits.length, 1)
})

test('the OpenAPI document is served and names every endpoint of the API document that is built', async () => {
  verifies('beyond.openapi', 'rules.api.path-ids')
  const answer = await service.get<{ openapi: string; paths: Record<string, Record<string, unknown>> }>('/openapi.json')
  assertStatus(answer, 200)
  assert.match(answer.json.openapi, /^3\.1\./)
  const paths = Object.keys(answer.json.paths).map((path) => path.replaceAll(/\{[^}]+\}/g, ':id'))
  for (const path of ['/health', '/health/ready', '/v1/account', '/v1/memories', '/v1/memories/:id']) {
    assert.ok(paths.includes(path), path)
  }
  for (const path of ['documents', 'documents/:id', 'find', 'search', 'correct', 'corrections']) {
    assert.ok(paths.includes(`/v1/memories/:id/${path}`), path)
  }
  for (const path of ['/v1/jobs', '/v1/jobs/:id', '/v1/projects', '/v1/projects/:id', '/v1/keys', '/v1/keys/:id']) {
    assert.ok(paths.includes(path), path)
  }
})
