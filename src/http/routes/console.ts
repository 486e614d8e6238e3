import { ApiError } from '../../errors.ts'
import type { ConsoleFiles } from '../../web/console-files.ts'
import { type Answer, definePublicRoute, type Route } from '../route.ts'

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

/** The console for a browser that opens the service's address. */
export async function consolePage(files: ConsoleFiles): Promise<Answer> {
  return fileAnswer(files, 'index.html')
}

async function fileAnswer(files: ConsoleFiles, name: string): Promise<Answer> {
  const file = await files.get(name)
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

/** What the console's page needs. */
export const CONSOLE_ROUTES: readonly Route[] = [
  definePublicRoute({
    method: 'GET',
    url: '/console/:file',
    operationId: 'getConsoleFile',
    summary: 'A file of the console',
    tag: 'Service',
    isPage: true,
    answers: { 200: { description: 'The file.' } },
    errors: [],
    handle: async ({ console, params }) => fileAnswer(console, params['file'] ?? ''),
  }),
]
