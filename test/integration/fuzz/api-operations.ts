import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The part of JSON Schema used by the OpenAPI document. */
export type Schema = {
  type?: string
  enum?: string[]
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  maxProperties?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  anyOf?: Schema[]
  $ref?: string
}

/** A method of a path in the OpenAPI document, with references resolved. */
export type Operation = {
  method: string
  /** With `{name}` for the identifiers. */
  path: string
  operationId: string
  query: { name: string; schema: Schema }[]
  body: Schema | null
  takesUpload: boolean
  takesIdempotencyKey: boolean
  statuses: number[]
}

type Described = {
  operationId: string
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, unknown>
}

/** Every operation of the `openapi.json` in the repository. */
export function readOperations(): Operation[] {
  const file = join(import.meta.dirname, '..', '..', '..', 'openapi.json')
  const document = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, Described>>
    components: { schemas: Record<string, Schema> }
  }
  const { schemas } = document.components
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => {
      const json = requestBody?.content['application/json']?.schema
      return {
        method: method.toUpperCase(),
        path,
        operationId,
        query: parameters.filter((one) => one.in === 'query').map(({ name, schema }) => ({ name, schema })),
        body: json === undefined ? null : (resolve(json, schemas) as Schema),
        takesUpload: requestBody?.content['multipart/form-data'] !== undefined,
        takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
        statuses: Object.keys(responses).map(Number),
      }
    }),
  )
}

function resolve(value: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const reference = (value as Schema).$ref
  if (typeof reference === 'string') return resolve(schemas[reference.split('/').at(-1) ?? ''], schemas)
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, resolve(child, schemas)]))
}
