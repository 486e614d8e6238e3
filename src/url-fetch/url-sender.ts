import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { PostRequest } from './guarded-agent.ts'
import { type FailureMessages, fetchFailed, toApiError, UrlFailure } from './url-failure.ts'
import { createUrlGuard, type PrivateAllowlistEntry, type Resolve, resolveBySystem } from './url-guard.ts'

/** Maximum delay by a DNS lookup when a URL is registered. A slower name is checked on sending. */
const LOOKUP_TIMEOUT_MS = 2000

const SEND_MESSAGES: FailureMessages = {
  refused: 'The URL is not allowed',
  failed: 'The message could not be delivered',
}

/** Response of a receiver. The body is untrusted, and truncated if too long or too slow. */
export type SentAnswer = { status: number; retryAfter: string | null; body: string }

/** Sends requests to URLs given by callers, with the same guard as downloads. */
export type UrlSender = {
  /**
   * Checks a URL and returns its normalized form. Rejects with `url_not_allowed`, or
   * `validation_failed` for an invalid URL. A name that cannot be resolved now is accepted: every
   * request checks again.
   */
  requireUrl(text: string): Promise<URL>
  /**
   * Sends a POST without following redirects. Rejects with an `ApiError` that gives the reason, or
   * with the signal's reason.
   */
  post(text: string, posted: PostRequest, signal: AbortSignal): Promise<SentAnswer>
}

/** Dependencies and limits of a sender. */
export type UrlSenderDeps = {
  allowPrivate: readonly PrivateAllowlistEntry[]
  /** Whole request, from DNS lookup to the end of the response. */
  timeoutMs: number
  /** Maximum number of body bytes read. */
  maxBodyBytes: number
  /** Defaults to the system's lookup. */
  resolve?: Resolve
}

/** Creates a sender with its own guard. */
export function createUrlSender(deps: UrlSenderDeps): UrlSender {
  const { allowPrivate, timeoutMs, maxBodyBytes, resolve = resolveBySystem } = deps
  const guard = createUrlGuard({ allowPrivate, ports: [80, 443], resolve })
  return {
    async requireUrl(text) {
      try {
        const { url, host, port } = guard.requireUrl(text)
        await Promise.race([
          guard.requireAddresses(host, port).catch(throwRefusal),
          pause(LOOKUP_TIMEOUT_MS, null, { ref: false }),
        ])
        return url
      } catch (error) {
        throw toApiError(error, SEND_MESSAGES)
      }
    },
    async post(text, posted, signal) {
      const late = AbortSignal.timeout(timeoutMs)
      const ending = AbortSignal.any([signal, late])
      try {
        const { url } = guard.requireUrl(text)
        // Not before something is sent, see `url-fetcher.ts`.
        const { requestOnce } = await import('./guarded-agent.ts')
        const connection = { guard, connectMs: timeoutMs }
        const response = await requestOnce(url, { connection, headersMs: timeoutMs, signal: ending, posted })
        const body = await readStart(response, maxBodyBytes)
        return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null, body }
      } catch (error) {
        signal.throwIfAborted()
        const slow = fetchFailed(`no response within ${timeoutMs / 1000} seconds`)
        throw toApiError(late.aborted ? slow : error, SEND_MESSAGES)
      }
    },
  }
}

/**
 * Returns the start of a body as text. An interrupted or slow body is truncated: only the status
 * matters.
 */
async function readStart(response: IncomingMessage, maxBytes: number): Promise<string> {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const pieces: Buffer[] = []
  let bytes = 0
  response.on('data', (piece: Buffer) => {
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= maxBytes) response.destroy()
  })
  response.on('error', () => resolve())
  response.on('close', () => resolve())
  await closed
  return Buffer.concat(pieces).subarray(0, maxBytes).toString('utf8')
}

function throwRefusal(error: unknown): void {
  if (error instanceof UrlFailure && error.code === 'url_not_allowed') throw error
}
