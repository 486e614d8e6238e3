import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/schema'
import { openapiDocument } from './openapi-document.ts'
import { ROUTES } from './routes/routes.ts'

type Content = Record<string, { schema: object; example?: unknown }>
type Operation = {
  operationId: string
  description?: string
  tags: string[]
  security?: object[]
  parameters?: { name: string; in: string; example?: string }[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}
type Document = {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

const DOCUMENT = JSON.parse(JSON.stringify(openapiDocument({ version: '1.2.3' }))) as Document
const OPERATIONS = Object.values(DOCUMENT.paths).flatMap((path) => Object.values(path))

test('every route is documented once, with a unique operation ID', () => {
  const described = ROUTES.filter(({ isPage }) => isPage !== true)
  assert.equal(OPERATIONS.length, described.length)
  assert.equal(new Set(OPERATIONS.map(({ operationId }) => operationId)).size, described.length)
  assert.deepEqual([DOCUMENT.openapi, DOCUMENT.info.title, DOCUMENT.info.version], ['3.1.0', 'Recollect', '1.2.3'])
})

test('every reference has a schema, and every schema is used', () => {
  const text = JSON.stringify(DOCUMENT)
  const used = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
  assert.deepEqual([...used].sort(), Object.keys(DOCUMENT.components.schemas))
  assert.equal(text.includes('$id'), false)
})

/** Their responses are never kept, so there is no Idempotency-Key. */
const NEVER_STORED = ['createChatCompletion', 'createEmbeddings']

test('every operation documents its success, errors and parameters', () => {
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
      assert.equal(repeatable, method === 'post' && !NEVER_STORED.includes(operationId), operationId)
    }
  }
})

test('documents can be added as JSON or as a form', () => {
  const body = DOCUMENT.paths['/v1/memories/{id}/documents']?.['post']?.requestBody
  assert.deepEqual(Object.keys(body?.content ?? {}), ['application/json', 'multipart/form-data'])
})

/** Binary content has no example. */
const IS_BYTES = /^(\*\/\*|application\/gzip|image\/png)$/

test('an original has its own media type', () => {
  const { responses } = OPERATIONS.find(({ operationId }) => operationId === 'getDocumentSource') ?? {}
  for (const status of ['200', '206']) assert.deepEqual(Object.keys(responses?.[status]?.content ?? {}), ['*/*'])
})

test('every body, response and path parameter has a valid example', () => {
  const { schemas } = DOCUMENT.components
  for (const { operationId, parameters = [], requestBody, responses } of OPERATIONS) {
    for (const { name, in: place, example } of parameters) {
      assert.ok(place !== 'path' || example !== undefined, `${operationId} shows no ${name}`)
    }
    for (const content of [requestBody?.content, ...Object.values(responses).map((answer) => answer.content)]) {
      for (const [type, { schema, example }] of Object.entries(content ?? {})) {
        if (IS_BYTES.test(type)) continue
        assert.ok(example !== undefined, `${operationId} shows no ${type}`)
        const check = Compile({ ...schema, components: { schemas } })
        assert.deepEqual(check.Errors(example)[1], [], `${operationId} ${type}`)
      }
    }
  }
})

test('every operation, parameter and property is described', () => {
  const missing = OPERATIONS.filter(({ description }) => !description).map(({ operationId }) => operationId)
  assert.deepEqual([...missing, ...undescribed(DOCUMENT, '')], [])
})

/** Paths of parameters, named schemas and properties without a description. */
function undescribed(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const node = value as Record<string, unknown>
  const own = Object.entries(node).flatMap(([name, child]) =>
    name === 'example' ? [] : undescribed(child, `${path}/${name}`),
  )
  const named = path === '/components/schemas' || isProperties(node['properties']) ? (node['properties'] ?? node) : {}
  const parameters = Array.isArray(node['parameters']) ? node['parameters'] : []
  return [...Object.entries(named), ...parameters.entries()]
    .flatMap(([name, child]) => (hasDescription(child) ? [] : [`${path}/${name}`]))
    .concat(own)
}

function isProperties(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'object')
}

/** A reference is described by its target. */
function hasDescription(value: unknown): boolean {
  const { $ref, description } = value as { $ref?: string; description?: string }
  return $ref !== undefined || (typeof description === 'string' && description.length > 3)
}

test('no example has an unknown field', () => {
  const { schemas } = DOCUMENT.components
  const closed = JSON.parse(JSON.stringify(schemas, (_key, value) => close(value)))
  for (const { operationId, requestBody, responses } of OPERATIONS) {
    for (const content of [requestBody?.content, ...Object.values(responses).map((answer) => answer.content)]) {
      for (const { schema, example } of Object.values(content ?? {})) {
        if (example === undefined || operationId === 'getOpenapi') continue
        const own = JSON.parse(JSON.stringify(schema, (_key, value) => close(value)))
        assert.deepEqual(Compile({ ...own, components: { schemas: closed } }).Errors(example)[1], [], operationId)
      }
    }
  }
})

/** Object schema without additional properties. */
function close(value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
  return isObject && value.type === 'object' ? { ...value, additionalProperties: false } : value
}
