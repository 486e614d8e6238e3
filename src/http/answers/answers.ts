import type { Answer } from '../route.ts'

/** 200 with JSON. */
export function ok(body: object, headers: Record<string, string> = {}): Answer {
  return { status: 200, headers, body }
}

/** 201 with JSON and where the new resource is. */
export function created(location: string | null, body: object): Answer {
  return { status: 201, headers: location === null ? {} : { location }, body }
}

/** Seconds after which polling a job is advised (API document, "Jobs": every 5 to 10 seconds). */
const POLL_SECONDS = 5

/** 202 with JSON, where the job is and when to look at it. */
export function accepted(location: string, body: object): Answer {
  return { status: 202, headers: { location, 'retry-after': String(POLL_SECONDS) }, body }
}

/** 204. */
export function noContent(): Answer {
  return { status: 204, headers: {}, body: null }
}
