import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Posted } from './guarded-agent.ts'
import { fetchFailed, toApiError, UrlFailure, type UrlWords } from './url-failure.ts'
import { createUrlGuard, type PrivateOpening, type Resolve, resolveBySystem } from './url-guard.ts'

/** How long a look-up may hold up who names a URL; one that takes longer is judged when something is sent. */
const LOOKUP_MS = 2000

const SENDING: UrlWords = { refused: 'The URL may not be sent to', failed: 'The message could not be delivered' }

/** What a receiver answered. Its body is its own word, cut where it was too long, or came too slowly. */
export type SentAnswer = { status: number; retryAfter: string | null; body: string }

/** Sends to URLs that callers name, through the guard that downloads go through. */
export type UrlSender = {
  /** Judges a URL and gives it as it will be used. Rejects with `url_not_allowed`, or `validation_failed` for what is no URL. A name that cannot be looked up at the moment is let through: every sending judges again. */
  requireUrl(text: string): Promise<URL>
  /** One POST; no redirect is followed. Rejects with an `ApiError` that says why there was no answer, or with the signal's reason. */
  post(text: string, posted: Posted, signal: AbortSignal): Promise<SentAnswer>
}

/** How a sender is made. */
export type UrlSenderParts = {
  allowPrivate: readonly PrivateOpening[]
  /** For all of a request, from the look-up to the end of the answer. */
  timeoutMs: number
  /** Bytes of an answer's body that are read. */
  maxBodyBytes: number
  /** The system's own look-up when absent. */
  resolve?: Resolve
}

/** A sender behind a guard of its own. */
export function createUrlSender(parts: UrlSenderParts): UrlSender {
  const { allowPrivate, timeoutMs, maxBodyBytes, resolve = resolveBySystem } = parts
  const guard = createUrlGuard({ allowPrivate, ports: [80, 443], resolve })
  return {
    async requireUrl(text) {
      try {
        const { url, host, port } = guard.requireUrl(text)
        await Promise.race([
          guard.requireAddresses(host, port).catch(throwRefusal),
          pause(LOOKUP_MS, null, { ref: false }),
        ])
        return url
      } catch (error) {
        throw toApiError(error, SENDING)
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
        const slow = fetchFailed(`no answer came within ${timeoutMs / 1000} seconds`)
        throw toApiError(late.aborted ? slow : error, SENDING)
      }
    },
  }
}

/** The beginning of a body, as text. What breaks off or takes too long leaves what came: it is the status that counts. */
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
