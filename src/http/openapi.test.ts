import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openapiDocument } from './openapi.ts'
import { ROUTES } from './routes/routes.ts'

type Operation = {
  operationId: string
  tags: string[]
  security?: object[]
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, object> }
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
}
type Document = {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

const DOCUMENT = JSON.parse(JSON.stringify(openapiDocument({ version: '1.2.3' }))) as Document
const OPERATIONS = Object.values(DOCUMENT.paths).flatMap((path) => Object.values(path))

test('every route is described once, under an id of its own', () => {
  const described = ROUTES.filter(({ isPage }) => isPage !== true)
  assert.equal(OPERATIONS.length, described.length)
  assert.equal(new Set(OPERATIONS.map(({ operationId }) => operationId)).size, described.length)
  assert.deepEqual([DOCUMENT.openapi, DOCUMENT.info.title, DOCUMENT.info.version], ['3.1.0', 'Recollect', '1.2.3'])
})

test('every reference leads to a schema, and no schema is left unused', () => {
  const text = JSON.stringify(DOCUMENT)
  const used = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
  assert.deepEqual([...used].sort(), Object.keys(DOCUMENT.components.schemas))
  assert.equal(text.includes('$id'), false)
})

test('every operation tells its success, the errors of its kind and its parameters', () => {
  for (const [path, methods] of Object.entries(DOCUMENT.paths)) {
    for (const [method, { operationId, responses, parameters = [], security }] of Object.entries(methods)) {
      assert.ok(
        Object.keys(responses).some((status) => status.startsWith('2')),
        operationId,
      )
      assert.ok(responses['500'], operationId)
      assert.equal(responses['401'] === undefined, security !== undefined, operationId)
      const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
      assert.deepEqual(path.match(/\{\w+\}/g) ?? [], named, operationId)
      const repeatable = parameters.some(({ name }) => name === 'Idempotency-Key')
      // Nothing of it is kept, its answer least of all.
      assert.equal(repeatable, method === 'post' && operationId !== 'askOnce', operationId)
    }
  }
})

test('documents are added as JSON or as a form', () => {
  const body = DOCUMENT.paths['/v1/memories/{id}/documents']?.['post']?.requestBody
  assert.deepEqual(Object.keys(body?.content ?? {}), ['application/json', 'multipart/form-data'])
})
