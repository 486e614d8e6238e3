import { ApiError, ERRORS, type ErrorCode } from '../errors.ts'
import { errorAnswer } from './answers/error-answer.ts'
import { EXAMPLES } from './examples/operations.ts'
import { IDS } from './examples/resources.ts'
import type { Route } from './route.ts'
import { ROUTES } from './routes/routes.ts'
import type { SchemaNode } from './schemas/schema-node.ts'
import { ErrorSchema } from './schemas/values.ts'

type Json = Record<string, unknown>

/** Schemas with a name, as they are met; all others stand where they are used. */
type Components = Map<string, Json>

/** The OpenAPI 3.1 document, made from the very routes that answer. The same version gives the same document. */
export function openapiDocument({ version }: { version: string }): object {
  const components: Components = new Map()
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
      description: 'A memory service: documents in, passages that can be checked out.',
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
      schemas: Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  }
}

function describeOperation(route: Route, components: Components): Json {
  const { operationId, summary, tag } = route
  const parameters = [...pathParameters(route), ...queryParameters(route, components), ...headerParameters(route)]
  const body = requestBody(route, components)
  return {
    operationId,
    summary,
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
    example: PATH_EXAMPLES[collection],
  }))
}

/** By the word before it in the path. */
const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  memories: IDS.memory,
  documents: IDS.document,
  pages: '1',
  jobs: IDS.job,
  projects: IDS.project,
  keys: IDS.key,
  webhooks: IDS.webhook,
}

function queryParameters({ query }: Route, components: Components): Json[] {
  const { properties = {}, required = [] } = (query ?? {}) as SchemaNode
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: toReference(schema, components),
  }))
}

function headerParameters(route: Route): Json[] {
  if (!isRepeatable(route) || route.access === 'public') return []
  const description = 'The first answer to this key comes again for 24 h; the request is done once.'
  const schema = { type: 'string', minLength: 1, maxLength: 255 }
  return [{ name: 'Idempotency-Key', in: 'header', required: false, description, schema }]
}

/** True where the first answer to an Idempotency-Key comes again. */
function isRepeatable({ method, keepsNothing }: Route): boolean {
  return method === 'POST' && keepsNothing !== true
}

function requestBody({ operationId, body, form }: Route, components: Components): Json | null {
  if (body === null && form === undefined) return null
  const example = EXAMPLES[operationId]
  const content: Json = {}
  if (body !== null) content['application/json'] = describeMedia(toReference(body, components), example?.body)
  if (form !== undefined) {
    content['multipart/form-data'] = describeMedia(toReference(form.parts, components), example?.form)
  }
  return { required: true, content }
}

function describeMedia(schema: Json, example: unknown): Json {
  return example === undefined ? { schema } : { schema, example }
}

/** RFC 9110, sections 15.3.5 and 15.4.5. */
const HAVE_NO_BODY = ['204', '304']

function describeAnswers({ operationId, answers }: Route, components: Components): Json {
  const example = EXAMPLES[operationId]
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema, contentType, events }]) => {
      const shown = schema === undefined ? errorOrText(status, components) : toReference(schema, components)
      const content: Json = {
        [contentType ?? 'application/json']: describeMedia(
          shown,
          example?.answers?.[Number(status)] ?? orRefused(status),
        ),
      }
      if (events !== undefined) {
        content['text/event-stream'] = describeMedia({ type: 'string', description: events }, example?.events)
      }
      return [status, HAVE_NO_BODY.includes(status) ? { description } : { description, content }]
    }),
  )
}

function errorOrText(status: string, components: Components): Json {
  return Number(status) >= 400 ? toReference(ErrorSchema, components) : { type: 'string' }
}

function describeErrors(route: Route, components: Components): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set([...impliedErrors(route), ...route.errors])) {
    const [status] = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const schema = toReference(ErrorSchema, components)
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => route.answers[status] === undefined)
      .sort(([one], [other]) => one - other)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('\n\n'),
          content: { 'application/json': { schema, example: exampleOf(codes) } },
        },
      ]),
  )
}

/** An error that a route describes itself has no code of its own. */
function orRefused(status: string): Json | undefined {
  return Number(status) >= 400 ? exampleOf(['validation_failed']) : undefined
}

/** The body of the first of these codes, as it comes where nothing more is known. */
function exampleOf([code]: readonly ErrorCode[]): Json | undefined {
  return code === undefined ? undefined : (errorAnswer(new ApiError(code), IDS.request).body as Json)
}

/** What a route can answer by its kind alone. */
function impliedErrors(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['validation_failed', 'internal_error', 'service_unavailable', 'request_timeout']
  if (route.access !== 'public') codes.push('missing_api_key', 'invalid_api_key', 'rate_limited')
  if (route.access === 'organization') codes.push('scope_forbidden')
  if (route.maxBodyBytes !== undefined) {
    codes.push('malformed_json', 'content_type_mismatch', 'body_too_large', 'unsupported_media_type')
  }
  if (isRepeatable(route)) codes.push('idempotency_in_progress', 'idempotency_key_reused')
  return codes
}

/** The schema as OpenAPI 3.1 has it: one with a name becomes a reference to its component. */
function toReference(schema: object, components: Components): Json {
  const { $id, ...rest } = schema as SchemaNode
  if ($id === undefined) return copySchema(rest, components) as Json
  if (!components.has($id)) {
    components.set($id, {})
    components.set($id, copySchema(rest, components) as Json)
  }
  return { $ref: `#/components/schemas/${$id}` }
}

function copySchema(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => copyPart(item, components))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, copyPart(child, components)]))
}

function copyPart(value: unknown, components: Components): unknown {
  const isNamed = typeof value === 'object' && value !== null && '$id' in value && typeof value.$id === 'string'
  return isNamed ? toReference(value, components) : copySchema(value, components)
}
