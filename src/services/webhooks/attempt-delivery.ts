import type { Webhook } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { WEBHOOKS } from '../../limits.ts'
import type { SentAnswer, UrlSender } from '../../url-fetch/url-sender.ts'
import { readRetryAfterMs } from './choose-next-attempt.ts'
import { signMessage } from './sign-message.ts'

/** How an attempt went. */
export type Attempt = {
  attemptedAt: Date
  durationMs: number
  isDelivered: boolean
  statusCode: number | null
  /** What the receiver answered, shortened. */
  response: string | null
  /** Why it failed, for the owner of the webhook. */
  error: string | null
  /** How long the receiver asks to be left alone. */
  retryAfterMs: number | null
}

/** A message to a webhook; `data` is what the event is about. */
export type OutgoingMessage = { id: string; type: string; timestamp: string; data: object }

/** What sending needs. */
export type AttemptParts = { urls: UrlSender; now: () => Date }

/**
 * Sends a message once. Only a 2xx is a delivery (Standard Webhooks, "Operational considerations"). Rejects with the signal's reason; whatever
 * else goes wrong is an attempt that failed.
 */
export async function attemptDelivery(
  { urls, now }: AttemptParts,
  { url, secret }: Pick<Webhook, 'url' | 'secret'>,
  { id, type, timestamp, data }: OutgoingMessage,
  signal: AbortSignal,
): Promise<Attempt> {
  const attemptedAt = now()
  const startedMs = performance.now()
  const body = JSON.stringify({ type, timestamp, data })
  const headers = {
    'content-type': 'application/json',
    ...signMessage(secret, { id, at: attemptedAt, body }),
  }
  const end = await post(urls, url, { headers, body }, signal)
  const durationMs = Math.round(performance.now() - startedMs)
  return { attemptedAt, durationMs, ...describeEnd(end, now()) }
}

type End = SentAnswer | ApiError

async function post(
  urls: UrlSender,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
): Promise<End> {
  const bytes = Buffer.from(body)
  try {
    return await urls.post(
      url,
      { headers: { ...headers, 'content-length': String(bytes.length) }, body: bytes },
      signal,
    )
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function describeEnd(end: End, now: Date): Omit<Attempt, 'attemptedAt' | 'durationMs'> {
  if (end instanceof ApiError) {
    return { isDelivered: false, statusCode: null, response: null, error: end.message, retryAfterMs: null }
  }
  const { status, retryAfter, body } = end
  const isDelivered = status >= 200 && status < 300
  return {
    isDelivered,
    statusCode: status,
    response: shorten(body),
    error: isDelivered ? null : sayStatus(status),
    retryAfterMs: readRetryAfterMs(retryAfter, now),
  }
}

function sayStatus(status: number): string {
  const isRedirect = status >= 300 && status < 400
  return `The receiver answered ${status}${isRedirect ? ', and redirects are not followed' : ''}.`
}

/** What can be stored and shown; PostgreSQL takes no NUL. */
function shorten(body: string): string {
  return body
    .slice(0, WEBHOOKS.answerCharacters)
    .replace(/(?![\n\t])\p{Cc}/gu, '\ufffd')
    .toWellFormed()
}
