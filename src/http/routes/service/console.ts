import type { ConsoleFiles } from '../../../web/console-files.ts'
import { webAnswer } from '../../answers/web-answer.ts'
import { type Answer, definePublicRoute, type Route } from '../../route.ts'

/** The console for a browser that opens the service's address. */
export async function consolePage(files: ConsoleFiles): Promise<Answer<200, Buffer>> {
  return webAnswer(await files.get('index.html'))
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
    answers: { 200: { description: 'The file.', contentType: '*/*' } },
    errors: [],
    handle: async ({ console, params }) => webAnswer(await console.get(params['file'] ?? '')),
  }),
]
