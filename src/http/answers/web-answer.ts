import { ApiError } from '../../errors.ts'
import type { ConsoleFile } from '../../web/console-files.ts'
import type { Answer } from '../route.ts'

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
export function webAnswer(file: ConsoleFile | null): Answer<200, Buffer> {
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
