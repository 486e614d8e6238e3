import { Type } from 'typebox'
import { WelcomeSchema } from '../../api/health.ts'
import { ApiError } from '../../errors.ts'
import type { ConsoleFile, ConsoleFiles } from '../../web/console-files.ts'
import { ok, PAGE_HEADERS, respond } from '../answers/answers.ts'
import { type Answer, definePublicRoute, type Route } from '../route.ts'

/** Responds with the console for browsers that open the service's URL. */
async function consolePage(files: ConsoleFiles): Promise<Answer<200, Buffer>> {
  return fileAnswer(await files.get('index.html'))
}

const DESCRIPTION = {
  method: 'GET',
  summary: 'Documentation page',
  description: 'A page of the documentation, for browsers.',
  tag: 'Service',
  isPage: true,
  answers: { 200: { description: 'The page.', contentType: 'text/html' } },
  errors: [],
} as const

/** Documentation pages for browsers. */
const DOCS_ROUTES: readonly Route[] = ['/docs', '/docs/:page', '/docs/:folder/:page'].map((url, depth) =>
  definePublicRoute({
    ...DESCRIPTION,
    url,
    operationId: `getDocsPage${depth}`,
    handle: async ({ docs, serviceInfo, params }) => {
      const path = [params['folder'], params['page']].filter((name) => name !== undefined).join('/')
      return fileAnswer(await docs.get(path, serviceInfo.document))
    },
  }),
)

/** Responds with a file for browsers. Throws `route_not_found` for `null`. */
function fileAnswer(file: ConsoleFile | null): Answer<200, Buffer> {
  if (file === null) throw new ApiError('route_not_found')
  return { status: 200, headers: { ...PAGE_HEADERS, 'content-type': file.mimeType }, body: file.content }
}

/** Contract, "Around it": service information, OpenAPI document, console and documentation. */
export const SERVICE_ROUTES: readonly Route[] = [
  definePublicRoute({
    method: 'GET',
    url: '/',
    operationId: 'getService',
    summary: 'Service information',
    description:
      'Returns the name, the version and links of the service. Browsers (Accept: text/html) get the console.',
    tag: 'Service',
    answers: {
      200: {
        description: 'Name, version and links. For browsers, the console.',
        schema: WelcomeSchema,
        page: true,
      },
    },
    errors: [],
    handle: async ({ serviceInfo, console, headers, signIn }) => {
      if (headers.accept?.includes('text/html')) return consolePage(console)
      return ok({
        service: 'Recollect',
        version: serviceInfo.version,
        links: {
          openapi: '/openapi.json',
          docs: '/docs',
          health: '/health',
          ready: '/health/ready',
          // Absolute, since the cookies of a sign-in belong to this host.
          ...(signIn === null ? {} : { signIn: `${signIn.publicUrl}/auth/sign-in` }),
        },
      })
    },
  }),
  definePublicRoute({
    method: 'GET',
    url: '/openapi.json',
    operationId: 'getOpenapi',
    summary: 'OpenAPI document',
    description: 'Returns the OpenAPI 3.1 document of this API.',
    tag: 'Service',
    answers: { 200: { description: 'The OpenAPI 3.1 document.', schema: Type.Object({}) } },
    errors: [],
    handle: async ({ serviceInfo }) => ok(serviceInfo.documentText),
  }),
  definePublicRoute({
    method: 'GET',
    url: '/console',
    operationId: 'getConsole',
    summary: 'Console',
    description: 'Sends the browser to the console.',
    tag: 'Service',
    isPage: true,
    answers: { 303: { description: 'The address of the console.' } },
    errors: [],
    handle: async () => respond(303, { location: '/' }, null),
  }),
  definePublicRoute({
    method: 'GET',
    url: '/console/:file',
    operationId: 'getConsoleFile',
    summary: 'Console file',
    description: 'A script, style sheet or icon of the console.',
    tag: 'Service',
    isPage: true,
    answers: { 200: { description: 'The file.', contentType: '*/*' } },
    errors: [],
    handle: async ({ console, params }) => fileAnswer(await console.get(params['file'] ?? '')),
  }),
  ...DOCS_ROUTES,
]
