import { IDS } from '../api/story.ts'
import { ErrorSchema } from '../api/values.ts'
import { ApiError, ERRORS, type ErrorCode } from '../errors.ts'
import { errorAnswer } from './answers/error-answer.ts'
import { EXAMPLES } from './examples.ts'
import type { SchemaNode } from './read-value.ts'
import { isRepeatable, type Route } from './route.ts'
import { ROUTES } from './routes/routes.ts'

/** The OpenAPI 3.1 document, made from the very routes that answer. The same version gives the same document. */
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

/** By the word before it in the path. */
const PATH_PARAMETERS: Readonly<Record<string, readonly [description: string, example: string]>> = {
  memories: ['The identifier of the memory.', IDS.memory],
  documents: ['The identifier of the document.', IDS.document],
  pages: ['The number of the page, from 1.', '1'],
  jobs: ['The identifier of the job.', IDS.job],
  projects: ['The identifier of the project.', IDS.project],
  keys: ['The identifier of the key.', IDS.key],
  webhooks: ['The identifier of the webhook.', IDS.webhook],
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
  if (!isRepeatable(route) || route.access === 'public') return []
  const description = 'The first answer to this key comes again for 24 h; the request is done once.'
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
const HAVE_NO_BODY = ['204', '304']

/** The answers that a route names, by status. */
function describeAnswers({ operationId, answers }: Route, components: SchemaComponents): Json {
  const example = EXAMPLES[operationId]
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema, contentType, events }]) => {
      const shown = schema === undefined ? errorOrText(status, components) : components.refer(schema)
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

function errorOrText(status: string, components: SchemaComponents): Json {
  return Number(status) >= 400 ? components.refer(ErrorSchema) : { type: 'string' }
}

/** The errors of a route that it does not describe itself, by status: those it names, and those of every route of its kind. */
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
  if (route.access === 'organization' || route.access === 'installation') codes.push('scope_forbidden')
  if (route.maxBodyBytes !== undefined) {
    codes.push('malformed_json', 'content_type_mismatch', 'body_too_large', 'unsupported_media_type')
  }
  if (isRepeatable(route)) codes.push('idempotency_in_progress', 'idempotency_key_reused')
  return codes
}

/** What a body looks like, with an example where there is one. */
function describeMedia(schema: Json, example: unknown): Json {
  return example === undefined ? { schema } : { schema, example }
}

/** A part of the document. */
type Json = Record<string, unknown>

/** The schemas of the document that have a name; all others stand where they are used. */
type SchemaComponents = {
  /** The schema as OpenAPI 3.1 has it: one with a name becomes a reference to its component, and so do those within. */
  refer(schema: object): Json
  /** Every component that was referred to, by its name, in the order of names. */
  list(): Json
}

/** Makes the components of one document, none yet. */
function createSchemaComponents(): SchemaComponents {
  const components = new Map<string, Json>()

  function refer(schema: object): Json {
    const { $id, ...rest } = schema as SchemaNode
    if ($id === undefined) return copySchema(rest) as Json
    if (!components.has($id)) {
      // A schema that contains itself finds its name taken.
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
