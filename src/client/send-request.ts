import { ConnectionError, type RecollectError, toError } from './client-errors.ts'

/** How requests are sent. */
export type Transport = {
  /** Where the service is, without a slash at the end. */
  baseUrl: string
  apiKey: string | null
  fetch: typeof fetch
  /** Repeats of a request that failed with 429, 5xx or no answer. */
  retries: number
  /** Time for one answer's head. */
  timeoutMs: number
}

/** One request; `makeBody` gives a new body for every attempt, and `null` says that there is none. */
export type Sending = {
  method: string
  path: string
  headers?: Readonly<Record<string, string>>
  makeBody?: (() => NonNullable<RequestInit['body']> | Promise<NonNullable<RequestInit['body']>>) | null
  /** False where the body can be read once only. */
  repeatable?: boolean
  signal?: AbortSignal | undefined
}

/** No request left. */
const UNSENDABLE = { code: 'unsendable', status: 0 }
const FIRST_PAUSE_MS = 500
/** A service that asks for a longer pause than this is not waited for: its caller should know. */
const LONGEST_PAUSE_MS = 30_000
/** What no repeat helps against: the month's queries are used up, or what is stored has to be restored. */
const PERMANENT: ReadonlySet<string> = new Set(['query_quota_exceeded', 'data_damaged'])

/** An attempt under the same key is at work, or its process died a moment ago. */
const UNDER_WAY = 'idempotency_in_progress'

/**
 * The answer of success. A request is repeated after 429, 5xx and where no answer came, a POST under one `Idempotency-Key`
 * for all its attempts, so that nothing is done twice; one that finds another attempt at work waits for that one's answer as long as any answer may
 * take. Rejects with a {@link RecollectError}, and with the signal's reason.
 */
export async function sendRequest(transport: Transport, sending: Sending): Promise<Response> {
  requireSendable(transport)
  const headers = headersOf(transport, sending)
  const most = sending.repeatable === false ? 0 : transport.retries
  let waitsUntil = Number.POSITIVE_INFINITY
  for (let repeats = 0; ; ) {
    const outcome = await sendOnce(transport, sending, headers)
    if (outcome instanceof Response) return outcome
    // The first attempt may have deleted it although its answer was lost.
    if (repeats > 0 && sending.method === 'DELETE' && outcome.error.status === 404) {
      return new Response(null, { status: 204 })
    }
    const pauseMs = outcome.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** repeats * (0.75 + Math.random() / 2)
    const isUnderWay = outcome.error.code === UNDER_WAY && sending.repeatable !== false
    if (isUnderWay) waitsUntil = Math.min(waitsUntil, Date.now() + transport.timeoutMs)
    else repeats += 1
    const isPatient = isUnderWay ? Date.now() + pauseMs < waitsUntil : repeats <= most && isPassing(outcome.error)
    if (!isPatient || pauseMs > LONGEST_PAUSE_MS) throw outcome.error
    await pause(pauseMs, sending.signal)
  }
}

/** What can never be sent is said at once: fetch has one error for it and for a service that is away, and it would be repeated. */
function requireSendable({ baseUrl, apiKey }: Transport): void {
  // In a browser an address may begin at the page's own. Node 20 has no URL.parse.
  const page = (globalThis as { location?: { href: string } }).location?.href
  const { protocol } = URL.canParse(baseUrl, page) ? new URL(baseUrl, page) : { protocol: '' }
  if (protocol !== 'http:' && protocol !== 'https:') {
    const message = `baseUrl is ${JSON.stringify(baseUrl)}, which is no address of a service.`
    throw new ConnectionError(message, { ...UNSENDABLE, remedy: 'Set it to one such as http://127.0.0.1:8080.' })
  }
  // RFC 9110, section 5.5; what a header may have beside it no key has. White space of ASCII at its end is dropped on the way.
  if (!/^[\x20-\x7e]*[\t\r\n ]*$/.test(apiKey ?? '')) {
    const message = 'apiKey has characters that no key has, and that no header can carry.'
    throw new ConnectionError(message, {
      ...UNSENDABLE,
      remedy: 'Copy the key anew, without quotes or other characters around it.',
    })
  }
}

type Failed = { error: RecollectError; retryAfterMs: number | null }

async function sendOnce(
  { baseUrl, fetch: send, timeoutMs }: Transport,
  { method, path, makeBody, signal }: Sending,
  headers: Record<string, string>,
): Promise<Response | Failed> {
  const body = await makeBody?.()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  const signals = [late.signal, ...(signal === undefined ? [] : [signal])]
  try {
    const answer = await send(`${baseUrl}${path}`, {
      method,
      headers,
      signal: AbortSignal.any(signals),
      ...(body === undefined ? {} : { body }),
      // Node demands it for a body that is a stream; browsers ignore it.
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    })
    return answer.ok ? answer : { error: await toError(answer), retryAfterMs: readRetryAfter(answer) }
  } catch (cause) {
    signal?.throwIfAborted()
    return { error: noAnswer(baseUrl, late.signal.aborted ? timeoutMs : null, cause), retryAfterMs: null }
  } finally {
    clearTimeout(timer)
  }
}

function headersOf({ apiKey }: Transport, { method, headers }: Sending): Record<string, string> {
  return {
    accept: 'application/json',
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(method === 'POST' ? { 'idempotency-key': randomName() } : {}),
    ...headers,
  }
}

function noAnswer(baseUrl: string, timeoutMs: number | null, cause: unknown): ConnectionError {
  const why = timeoutMs === null ? 'cannot be reached' : `did not answer within ${timeoutMs} ms`
  return new ConnectionError(`${baseUrl} ${why}.`, {
    code: timeoutMs === null ? 'unreachable' : 'timeout',
    status: 0,
    remedy: 'Check that the service runs at this address and that the network lets you through.',
    cause,
  })
}

function isPassing({ status, code }: RecollectError): boolean {
  return status === 0 || ((status >= 500 || status === 429) && !PERMANENT.has(code))
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function readRetryAfter({ headers }: Response): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return 1000 * Math.max(0, seconds)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}

function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, durationMs)
    function done(): void {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    function stop(): void {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** 128 random bits as hexadecimal digits. A page that came without TLS from another machine has no `crypto.randomUUID`. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
