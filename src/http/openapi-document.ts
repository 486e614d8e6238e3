import { IDS } from '../api/example-data.ts'
import { ErrorSchema } from '../api/values.ts'
import { ApiError, ERRORS, type ErrorCode } from '../errors.ts'
import { errorAnswer } from './answers/error-answer.ts'
import { EXAMPLES } from './examples.ts'
import type { SchemaNode } from './read-value.ts'
import { isReplayable, neededRole, type Route } from './route.ts'
import { ROUTES } from './routes/routes.ts'

/**
 * Generates the OpenAPI 3.1 document from the mounted routes. The result is deterministic per
 * version.
 */
export function openapiDocument({ version }: { version: string }): object {
  const components = createSchemaComponents()
  const paths: Record<string, Json> = {}
  for (const route of ROUTES.filter(({ isPage }) => isPage !== true)) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Recollect',
      version,
      description: 'Index documents; get passages with verifiable source offsets.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...new Set(ROUTES.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      schemas: components.list(),
    },
  }
}

function describeOperation(route: Route, components: SchemaComponents): Json {
  const { operationId, summary, description, tag } = route
  const parameters = [...pathParameters(route), ...queryParameters(route, components), ...headerParameters(route)]
  const body = requestBody(route, components)
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(route.access === 'public' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== null && { requestBody: body }),
    responses: { ...describeAnswers(route, components), ...describeErrors(route, components) },
  }
}

function pathParameters({ url }: Route): Json[] {
  return [...url.matchAll(/(\w+)\/:(\w+)/g)].map(([, collection = '', name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: PATH_PARAMETERS[collection]?.[0],
    example: PATH_PARAMETERS[collection]?.[1],
  }))
}

/** Path parameters by the preceding path segment. */
const PATH_PARAMETERS: Readonly<Record<string, readonly [description: string, example: string]>> = {
  memories: ['Identifier of the memory.', IDS.memory],
  documents: ['Identifier of the document.', IDS.document],
  corrections: ['Identifier of the correction.', IDS.correction],
  pages: ['Page number, starting at 1.', '1'],
  jobs: ['Identifier of the job.', IDS.job],
  projects: ['Identifier of the project.', IDS.project],
  keys: ['Identifier of the key.', IDS.key],
  webhooks: ['Identifier of the webhook.', IDS.webhook],
  sources: ['Identifier of the source.', IDS.source],
  models: ['Identifier or name of the memory, or name of the embedding model.', IDS.memory],
  vector_stores: ['Identifier of the memory.', IDS.memory],
}

function queryParameters({ query }: Route, components: SchemaComponents): Json[] {
  const { properties = {}, required = [] } = (query ?? {}) as SchemaNode
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema: components.refer(schema),
  }))
}

function headerParameters(route: Route): Json[] {
  if (!isReplayable(route) || route.access === 'public') return []
  const description = 'Idempotency key. The first response is replayed for 24 hours.'
  const schema = { type: 'string', minLength: 1, maxLength: 255 }
  return [{ name: 'Idempotency-Key', in: 'header', required: false, description, schema }]
}

function requestBody({ operationId, body, form }: Route, components: SchemaComponents): Json | null {
  if (body === null && form === undefined) return null
  const example = EXAMPLES[operationId]
  const content: Json = {}
  if (body !== null) content['application/json'] = describeMedia(components.refer(body), example?.body)
  if (form !== undefined) {
    content['multipart/form-data'] = describeMedia(components.refer(form.parts), example?.form)
  }
  return { required: true, content }
}

/** RFC 9110, sections 15.3.5 and 15.4.5. */
const STATUSES_WITHOUT_BODY = ['204', '304']

/** Documents the declared responses of a route by status. */
function describeAnswers({ operationId, answers }: Route, components: SchemaComponents): Json {
  const example = EXAMPLES[operationId]
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema, contentType, events }]) => {
      const shown = schema === undefined ? errorOrText(status, components) : components.refer(schema)
      const content: Json = {
        [contentType ?? 'application/json']: describeMedia(
          shown,
          example?.answers?.[Number(status)] ?? exampleError(status),
        ),
      }
      if (events !== undefined) {
        content['text/event-stream'] = describeMedia({ type: 'string', description: events }, example?.events)
      }
      return [status, STATUSES_WITHOUT_BODY.includes(status) ? { description } : { description, content }]
    }),
  )
}

function errorOrText(status: string, components: SchemaComponents): Json {
  return Number(status) >= 400 ? components.refer(ErrorSchema) : { type: 'string' }
}

/**
 * Documents the errors of a route by status: declared errors and errors of all routes of its kind.
 */
function describeErrors(route: Route, components: SchemaComponents): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set([...impliedErrors(route), ...route.errors])) {
    const [status] = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const schema = components.refer(ErrorSchema)
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => route.answers[status] === undefined)
      .sort(([one], [other]) => one - other)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('\n\n'),
          content: { 'application/json': { schema, example: exampleErrorBody(codes) } },
        },
      ]),
  )
}

/** Returns an error example for a status that the route documents itself. */
function exampleError(status: string): Json | undefined {
  return Number(status) >= 400 ? exampleErrorBody(['validation_failed']) : undefined
}

/** Returns the error body of the first code, as an example. */
function exampleErrorBody([code]: readonly ErrorCode[]): Json | undefined {
  return code === undefined ? undefined : (errorAnswer(new ApiError(code), IDS.request).body as Json)
}

/** Returns the errors that every route of this kind can cause. */
function impliedErrors(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['validation_failed', 'internal_error', 'service_unavailable', 'request_timeout']
  if (route.access !== 'public') codes.push('missing_api_key', 'invalid_api_key', 'rate_limited')
  if (route.access === 'organization' || route.access === 'installation') codes.push('scope_forbidden')
  if (route.access !== 'public' && neededRole(route) !== 'reader') codes.push('role_forbidden')
  if (route.maxBodyBytes !== undefined) {
    codes.push('malformed_json', 'content_type_mismatch', 'body_too_large', 'unsupported_media_type')
  }
  if (isReplayable(route)) codes.push('idempotency_in_progress', 'idempotency_key_reused')
  return codes
}

/** Documents a body, with an example if there is one. */
function describeMedia(schema: Json, example: unknown): Json {
  return example === undefined ? { schema } : { schema, example }
}

/** Part of the OpenAPI document. */
type Json = Record<string, unknown>

/** Named schemas of the document. Other schemas are inlined. */
type SchemaComponents = {
  /**
   * Converts a schema to OpenAPI 3.1. A named schema becomes a reference to its component, at any
   * depth.
   */
  refer(schema: object): Json
  /** Returns all referenced components, sorted by name. */
  list(): Json
}

/** Creates an empty set of components. */
function createSchemaComponents(): SchemaComponents {
  const components = new Map<string, Json>()

  function refer(schema: object): Json {
    const { $id, ...rest } = schema as SchemaNode
    if ($id === undefined) return copySchema(rest) as Json
    if (!components.has($id)) {
      // Reserves the name first, for schemas that contain themselves.
      components.set($id, {})
      components.set($id, copySchema(rest) as Json)
    }
    return { $ref: `#/components/schemas/${$id}` }
  }

  function copySchema(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(copyPart)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, copyPart(child)]))
  }

  function copyPart(value: unknown): unknown {
    const isNamed = typeof value === 'object' && value !== null && '$id' in value && typeof value.$id === 'string'
    return isNamed ? refer(value) : copySchema(value)
  }

  return {
    refer,
    list: () => Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}
