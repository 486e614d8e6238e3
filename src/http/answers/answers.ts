import type { Answer } from '../route.ts'

/**
 * Response 200 with JSON. The body type is inferred from the target, so that excess fields are
 * compile errors.
 */
export function ok<Body>(body: NoInfer<Body>, headers: Record<string, string> = {}): Answer<200, Body> {
  return { status: 200, headers, body }
}

/** Response 201 with JSON and the location of the new resource. */
export function created<Body>(location: string, body: NoInfer<Body>): Answer<201, Body> {
  return { status: 201, headers: { location }, body }
}

/** Recommended polling interval (API document, "Jobs": every 5 to 10 seconds). */
const POLL_SECONDS = 5

/** Response 202 with JSON, the location of the job and a polling interval. */
export function accepted<Body>(location: string, body: NoInfer<Body>): Answer<202, Body> {
  return { status: 202, headers: { location, 'retry-after': String(POLL_SECONDS) }, body }
}

/** Response with any status, headers and body. */
export function respond<const Status extends number, Body>(
  status: Status,
  headers: Record<string, string>,
  body: Body,
): Answer<Status, Body> {
  return { status, headers, body }
}

/** Response 204. */
export function noContent(): Answer<204, null> {
  return { status: 204, headers: {}, body: null }
}

/** Content-Disposition header with a file name (RFC 6266, and RFC 5987 for non-ASCII names). */
export function contentDisposition(filename: string | null): string {
  if (filename === null) return 'attachment'
  // A member of an archive has a path.
  const name = filename.split('/').at(-1) ?? filename
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return ascii === name
    ? `attachment; filename="${ascii}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/**
 * Allows only this service's own scripts, styles and requests. `blob:` images show content fetched
 * with the API key.
 */
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

/** Headers of a page for browsers. */
export const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  // Browsers revalidate, so that a new version shows immediately.
  'cache-control': 'no-cache',
  vary: 'accept',
}
