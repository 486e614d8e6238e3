import { IDS } from '../../api/story.ts'
import { EXAMPLES } from '../examples/operations.ts'
import { isRepeatable, type Route } from '../route.ts'
import { ROUTES } from '../routes/routes.ts'
import type { SchemaNode } from '../schemas/schema-node.ts'
import { describeAnswers, describeErrors } from './describe-answers.ts'
import { describeMedia } from './describe-media.ts'
import { createSchemaComponents, type Json, type SchemaComponents } from './schema-components.ts'

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

function queryParameters({ query }: Route, components: SchemaComponents): Json[] {
  const { properties = {}, required = [] } = (query ?? {}) as SchemaNode
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
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
