import { ConnectionError, type RecollectError, toError } from './client-errors.ts'

/** Settings for sending requests. */
export type Transport = {
  /** URL of the service, without a trailing slash. */
  baseUrl: string
  apiKey: string | null
  fetch: typeof fetch
  /** Number of retries after 429, 5xx or no response. */
  retries: number
  /** Timeout until the response headers. */
  timeoutMs: number
}

/** A request. `makeBody` creates a new body for every attempt; `null` means no body. */
export type RequestOptions = {
  method: string
  path: string
  headers?: Readonly<Record<string, string>>
  makeBody?: (() => NonNullable<RequestInit['body']> | Promise<NonNullable<RequestInit['body']>>) | null
  /** False if the body can only be read once. */
  repeatable?: boolean
  signal?: AbortSignal | undefined
}

/** Error details if no request was sent. */
const NOT_SENT = { code: 'unsendable', status: 0 }
const FIRST_RETRY_DELAY_MS = 500
/** Longest Retry-After to wait for. The caller should handle longer ones. */
const MAX_RETRY_DELAY_MS = 30_000
/** Errors that a retry cannot fix: an exceeded query quota, or damaged data. */
const PERMANENT_ERRORS: ReadonlySet<string> = new Set(['query_quota_exceeded', 'data_damaged'])

/** Another attempt with the same key is in progress, or its process has just died. */
const IN_PROGRESS = 'idempotency_in_progress'

/**
 * Sends a request and resolves with a successful response. Retries after 429, 5xx and no response.
 * All attempts of a POST have the same `Idempotency-Key`, so that nothing is done twice. An attempt
 * that finds another one in progress waits for its result, up to the timeout. Rejects with a {@link
 * RecollectError}, or with the signal's reason.
 */
export async function sendRequest(transport: Transport, sending: RequestOptions): Promise<Response> {
  requireValidSettings(transport)
  const headers = headersOf(transport, sending)
  const most = sending.repeatable === false ? 0 : transport.retries
  let waitsUntil = Number.POSITIVE_INFINITY
  for (let repeats = 0; ; ) {
    const outcome = await sendOnce(transport, sending, headers)
    if (outcome instanceof Response) return outcome
    // The first attempt may have succeeded although its response was lost.
    if (repeats > 0 && sending.method === 'DELETE' && outcome.error.status === 404) {
      return new Response(null, { status: 204 })
    }
    const pauseMs = outcome.retryAfterMs ?? FIRST_RETRY_DELAY_MS * 2 ** repeats * (0.75 + Math.random() / 2)
    const isUnderWay = outcome.error.code === IN_PROGRESS && sending.repeatable !== false
    if (isUnderWay) waitsUntil = Math.min(waitsUntil, Date.now() + transport.timeoutMs)
    else repeats += 1
    const isPatient = isUnderWay ? Date.now() + pauseMs < waitsUntil : repeats <= most && isTransient(outcome.error)
    if (!isPatient || pauseMs > MAX_RETRY_DELAY_MS) throw outcome.error
    await waitMs(pauseMs, sending.signal)
  }
}

/**
 * Checks the settings first. `fetch` reports invalid settings like an unreachable service, and a
 * retry would be useless.
 */
function requireValidSettings({ baseUrl, apiKey }: Transport): void {
  // In browsers, the URL may be relative to the page.
  const page = (globalThis as { location?: { href: string } }).location?.href
  const protocol = readProtocol(baseUrl, page)
  if (protocol !== 'http:' && protocol !== 'https:') {
    const message = `The baseUrl ${JSON.stringify(baseUrl)} is not a valid HTTP URL.`
    throw new ConnectionError(message, { ...NOT_SENT, remedy: 'Set baseUrl to a URL such as http://127.0.0.1:8080.' })
  }
  // RFC 9110, section 5.5. Keys contain only printable ASCII; trailing white space is stripped by
  // fetch.
  if (!/^[\x20-\x7e]*[\t\r\n ]*$/.test(apiKey ?? '')) {
    const message = 'The apiKey contains characters that are not allowed in a header.'
    throw new ConnectionError(message, {
      ...NOT_SENT,
      remedy: 'Copy the key again, without quotes or other extra characters.',
    })
  }
}

/** Empty for an invalid URL. Early releases of Node 18 have no URL.canParse. */
function readProtocol(url: string, page: string | undefined): string {
  try {
    return new URL(url, page).protocol
  } catch {
    return ''
  }
}

type FailedRequest = { error: RecollectError; retryAfterMs: number | null }

async function sendOnce(
  { baseUrl, fetch: send, timeoutMs }: Transport,
  { method, path, makeBody, signal }: RequestOptions,
  headers: Record<string, string>,
): Promise<Response | FailedRequest> {
  const body = await makeBody?.()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  const signals = [late.signal, ...(signal === undefined ? [] : [signal])]
  try {
    const answer = await send(`${baseUrl}${path}`, {
      method,
      headers,
      signal: anySignal(signals),
      ...(body === undefined ? {} : { body }),
      // Node requires this option for a stream body; browsers ignore it.
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    })
    return answer.ok ? answer : { error: await toError(answer), retryAfterMs: readRetryAfter(answer) }
  } catch (cause) {
    signal?.throwIfAborted()
    return { error: noResponseError(baseUrl, late.signal.aborted ? timeoutMs : null, cause), retryAfterMs: null }
  } finally {
    clearTimeout(timer)
  }
}

/** Aborted with the first of the signals. Early releases of Node 18 have no AbortSignal.any. */
function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  if (typeof AbortSignal.any === 'function') return AbortSignal.any([...signals])
  const first = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason)
    signal.addEventListener('abort', () => first.abort(signal.reason), { once: true, signal: first.signal })
  }
  return first.signal
}

function headersOf({ apiKey }: Transport, { method, headers }: RequestOptions): Record<string, string> {
  return {
    accept: 'application/json',
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(method === 'POST' ? { 'idempotency-key': randomName() } : {}),
    ...headers,
  }
}

function noResponseError(baseUrl: string, timeoutMs: number | null, cause: unknown): ConnectionError {
  const why = timeoutMs === null ? 'cannot be reached' : `did not answer within ${timeoutMs} ms`
  return new ConnectionError(`${baseUrl} ${why}.`, {
    code: timeoutMs === null ? 'unreachable' : 'timeout',
    status: 0,
    remedy: 'Check that the service is running at this URL, and that the network allows the connection.',
    cause,
  })
}

function isTransient({ status, code }: RecollectError): boolean {
  return status === 0 || ((status >= 500 || status === 429) && !PERMANENT_ERRORS.has(code))
}

/** RFC 9110, section 10.2.3: seconds or a date. */
function readRetryAfter({ headers }: Response): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return 1000 * Math.max(0, seconds)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}

function waitMs(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
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

/**
 * 128 random bits in hexadecimal. `crypto.randomUUID` is missing on pages without TLS from another
 * host, and `crypto` in Node 18. The name has to be unique, not secret.
 */
export function randomName(): string {
  const bytes = Uint8Array.from({ length: 16 }, () => Math.floor(256 * Math.random()))
  const { crypto } = globalThis as { crypto?: { getRandomValues(into: Uint8Array): unknown } }
  crypto?.getRandomValues(bytes)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
