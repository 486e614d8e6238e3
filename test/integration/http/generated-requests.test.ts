/** Requests generated from the schemas of the routes and then damaged always get a clear answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SchemaNode } from '../../../src/http/read-value.ts'
import { ROUTES } from '../../../src/http/routes/routes.ts'
import { MEMORY_ID } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

/** The same requests in every run; a failure found with another seed becomes a separate test. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 260_221)

/** Values close to the schema: valid values, boundary values, and any JSON. */
function near(schema: SchemaNode): fc.Arbitrary<unknown> {
  const anything = { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 }
  return fc.oneof(anything, { arbitrary: fitting(schema), weight: 4 })
}

function fitting(schema: SchemaNode): fc.Arbitrary<unknown> {
  if (schema.properties !== undefined) return nearObject(schema.properties)
  if (schema.patternProperties !== undefined)
    return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 })
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum, 'other')
  if (schema.type === 'array') return fc.array(near(schema.items ?? {}), { maxLength: 3 })
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer' || schema.type === 'number') {
    return fc.oneof(fc.integer({ min: -1, max: 250 }), fc.double(), fc.constantFrom(1e308, -0, 2 ** 53))
  }
  return fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', '\0', '\ud800', 'x'.repeat(25_000)))
}

function nearObject(properties: Readonly<Record<string, SchemaNode>>): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, near(schema)]))
  const extra = fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toString', 'foo'), fc.jsonValue(), {
    maxKeys: 1,
  })
  return fc.tuple(fc.record(fields, { requiredKeys: [] }), extra).map(([known, more]) => ({ ...known, ...more }))
}

const damage = fc.oneof(
  { arbitrary: fc.constant((text: string) => text), weight: 6 },
  { arbitrary: fc.nat(200).map((length) => (text: string) => text.slice(0, length)), weight: 1 },
  { arbitrary: fc.string({ unit: 'binary' }).map((noise) => (text: string) => text + noise), weight: 1 },
)

const segment = fc.oneof(
  { arbitrary: fc.constant(MEMORY_ID), weight: 4 },
  { arbitrary: fc.string({ minLength: 1 }).map((text) => encodeURIComponent(text.toWellFormed())), weight: 1 },
)

const request = fc.constantFrom(...ROUTES).chain((route) =>
  fc.record({
    route: fc.constant(route),
    id: segment,
    query: route.query === null ? fc.constant({}) : nearObject((route.query as SchemaNode).properties ?? {}),
    body: route.body === null ? fc.constant(null) : near(route.body as SchemaNode),
    damage,
  }),
)

function queryString(query: unknown): string {
  const pairs = Object.entries(query as object).map(([name, value]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return `${encodeURIComponent(name)}=${encodeURIComponent(text.toWellFormed())}`
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&').slice(0, 4000)}`
}

test('no generated request gets a 5xx, and every refusal has the error body', { timeout: 60_000 }, async (t) => {
  const server = await startServer(t)
  await fc.assert(
    fc.asyncProperty(request, async ({ route, id, query, body, damage: spoil }) => {
      const path = route.url.replace(/:id|:documentId/g, () => id) + queryString(query)
      const init =
        body === null ? {} : { body: spoil(JSON.stringify(body)), headers: { 'content-type': 'application/json' } }
      const response = await server.send(route.method, path, init)
      assert.ok(response.status < 500, `${route.operationId} answered ${response.status}`)
      if (response.status >= 400) await readError(response)
      else await response.arrayBuffer()
    }),
    { numRuns: 1000, seed: SEED },
  )
})
