import type { Answer } from '../route.ts'

/** 200 with JSON. The type of the body comes from where the answer goes, so that a field too many is seen. */
export function ok<Body>(body: NoInfer<Body>, headers: Record<string, string> = {}): Answer<200, Body> {
  return { status: 200, headers, body }
}

/** 201 with JSON and where the new resource is. */
export function created<Body>(location: string, body: NoInfer<Body>): Answer<201, Body> {
  return { status: 201, headers: { location }, body }
}

/** Seconds after which polling a job is advised (API document, "Jobs": every 5 to 10 seconds). */
const POLL_SECONDS = 5

/** 202 with JSON, where the job is and when to look at it. */
export function accepted<Body>(location: string, body: NoInfer<Body>): Answer<202, Body> {
  return { status: 202, headers: { location, 'retry-after': String(POLL_SECONDS) }, body }
}

/** Any status, with headers and a body of any kind. */
export function respond<const Status extends number, Body>(
  status: Status,
  headers: Record<string, string>,
  body: Body,
): Answer<Status, Body> {
  return { status, headers, body }
}

/** 204. */
export function noContent(): Answer<204, null> {
  return { status: 204, headers: {}, body: null }
}

/** A Content-Disposition header that offers this name for saving (RFC 6266, with RFC 5987 for what is not ASCII). */
export function contentDisposition(filename: string | null): string {
  if (filename === null) return 'attachment'
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return ascii === filename
    ? `attachment; filename="${ascii}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
