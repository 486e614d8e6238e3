import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAllowedMethods } from './unknown-paths.ts'

const allowed = createAllowedMethods([
  { method: 'GET', url: '/v1/jobs' },
  { method: 'GET', url: '/v1/jobs/:id' },
  { method: 'DELETE', url: '/v1/jobs/:id' },
  { method: 'POST', url: '/v1/jobs/:id/cancel' },
  { method: 'GET', url: '/openapi.json' },
])

test('a path has the methods of its routes, and HEAD with GET', () => {
  assert.deepEqual(allowed('/v1/jobs/job_1'), ['GET', 'HEAD', 'DELETE', 'OPTIONS'])
  assert.deepEqual(allowed('/v1/jobs/job_1/cancel'), ['POST', 'OPTIONS'])
  assert.deepEqual(allowed('/v1/jobs/'), ['GET', 'HEAD', 'OPTIONS'])
})

test('an unknown path allows nothing', () => {
  for (const path of ['/v1/job', '/v1/jobs/a/b', '/openapi-json', '']) assert.deepEqual(allowed(path), [])
})

test('a literal path has only the methods of its own route', () => {
  const allowed = createAllowedMethods([
    { method: 'GET', url: '/v1/memories/:id' },
    { method: 'DELETE', url: '/v1/memories/:id' },
    { method: 'POST', url: '/v1/memories/import' },
  ])
  for (const path of ['/v1/memories/import', '/v1/memories/import/'])
    assert.deepEqual(allowed(path), ['POST', 'OPTIONS'])
  assert.deepEqual(allowed('/v1/memories/mem_1'), ['GET', 'HEAD', 'DELETE', 'OPTIONS'])
})

test('a parameter with a suffix matches only with the suffix', () => {
  const allowed = createAllowedMethods([{ method: 'GET', url: '/pages/:page.png' }])
  assert.deepEqual(allowed('/pages/1.png'), ['GET', 'HEAD', 'OPTIONS'])
  for (const other of ['/pages/1', '/pages/1.jpg', '/pages/1.5.png', '/pages/.png'])
    assert.deepEqual(allowed(other), [])
})
