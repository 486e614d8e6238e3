import { Type } from 'typebox'
import { WelcomeSchema } from '../../api/health.ts'
import { ApiError } from '../../errors.ts'
import type { ConsoleFile, ConsoleFiles } from '../../web/console-files.ts'
import { ok } from '../answers/answers.ts'
import { type Answer, definePublicRoute, type Route } from '../route.ts'

/** The console for a browser that opens the service's address. */
async function consolePage(files: ConsoleFiles): Promise<Answer<200, Buffer>> {
  return webAnswer(await files.get('index.html'))
}

const DESCRIPTION = {
  method: 'GET',
  summary: 'A page of the documentation',
  description: 'The documentation, for people with a browser.',
  tag: 'Service',
  isPage: true,
  answers: { 200: { description: 'The page.', contentType: 'text/html' } },
  errors: [],
} as const

/** The documentation, as pages to read in a browser. */
const DOCS_ROUTES: readonly Route[] = ['/docs', '/docs/:page', '/docs/:folder/:page'].map((url, depth) =>
  definePublicRoute({
    ...DESCRIPTION,
    url,
    operationId: `getDocsPage${depth}`,
    handle: async ({ docs, about, params }) => {
      const path = [params['folder'], params['page']].filter((name) => name !== undefined).join('/')
      return webAnswer(await docs.get(path, about.document))
    },
  }),
)

/** Scripts and styles of our own alone, requests to this service alone; pictures also from what was read with the key. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The answer for a file that a browser shows. Throws `route_not_found` for `null`. */
function webAnswer(file: ConsoleFile | null): Answer<200, Buffer> {
  if (file === null) throw new ApiError('route_not_found')
  const headers = {
    'content-type': file.mimeType,
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    // A new version shows at once; what did not change is not sent again.
    'cache-control': 'no-cache',
    vary: 'accept',
  }
  return { status: 200, headers, body: file.content }
}

/** Contract, "Around it": what the service says of itself. */
export const SERVICE_ROUTES: readonly Route[] = [
  definePublicRoute({
    method: 'GET',
    url: '/',
    operationId: 'getService',
    summary: 'What this is and where to go on',
    description: 'Names the service, its version and where to go on. A browser, which accepts HTML, gets the console.',
    tag: 'Service',
    answers: {
      200: {
        description: 'Name, version and links; the console for who accepts HTML.',
        schema: WelcomeSchema,
        page: true,
      },
    },
    errors: [],
    handle: async ({ about, console, headers }) => {
      if (headers.accept?.includes('text/html')) return consolePage(console)
      return ok({
        service: 'Recollect',
        version: about.version,
        links: { openapi: '/openapi.json', docs: '/docs', health: '/health', ready: '/health/ready' },
      })
    },
  }),
  definePublicRoute({
    method: 'GET',
    url: '/openapi.json',
    operationId: 'getOpenapi',
    summary: 'This document',
    description: 'This document, made from the routes that answer.',
    tag: 'Service',
    answers: { 200: { description: 'The OpenAPI 3.1 document.', schema: Type.Object({}) } },
    errors: [],
    handle: async ({ about }) => ok(about.documentText),
  }),
  definePublicRoute({
    method: 'GET',
    url: '/console/:file',
    operationId: 'getConsoleFile',
    summary: 'A file of the console',
    description: 'What the page of the console needs.',
    tag: 'Service',
    isPage: true,
    answers: { 200: { description: 'The file.', contentType: '*/*' } },
    errors: [],
    handle: async ({ console, params }) => webAnswer(await console.get(params['file'] ?? '')),
  }),
  ...DOCS_ROUTES,
]
