import { createHmac, randomBytes } from 'node:crypto'
import type { Webhook } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { WEBHOOKS } from '../../limits.ts'
import type { SentAnswer, UrlSender } from '../../url-fetch/url-sender.ts'

/** Result of a delivery attempt. */
export type DeliveryAttempt = {
  attemptedAt: Date
  durationMs: number
  isDelivered: boolean
  statusCode: number | null
  /** Response body, truncated. */
  response: string | null
  /** Reason of the failure, for the owner of the webhook. */
  error: string | null
  /** Delay requested by the receiver. */
  retryAfterMs: number | null
}

/** A webhook message; `data` is the subject of the event. */
type OutgoingMessage = { id: string; type: string; timestamp: string; data: object }

/** Dependencies of an attempt. */
type AttemptDeps = { urls: UrlSender; now: () => Date }

/**
 * Sends a message once. Only a 2xx status is a delivery (Standard Webhooks, "Operational
 * considerations"). Rejects with the signal's reason; any other failure is a failed attempt.
 */
export async function attemptDelivery(
  { urls, now }: AttemptDeps,
  {
    webhook: { url, secret },
    message: { id, type, timestamp, data },
    signal,
  }: { webhook: Pick<Webhook, 'url' | 'secret'>; message: OutgoingMessage; signal: AbortSignal },
): Promise<DeliveryAttempt> {
  const attemptedAt = now()
  const startedMs = performance.now()
  const body = JSON.stringify({ type, timestamp, data })
  const headers = {
    'content-type': 'application/json',
    ...signMessage(secret, { id, at: attemptedAt, body }),
  }
  const end = await post(urls, { url, headers, body, signal })
  const durationMs = Math.round(performance.now() - startedMs)
  return { attemptedAt, durationMs, ...toAttemptResult(end, now()) }
}

type PostResult = SentAnswer | ApiError

async function post(
  urls: UrlSender,
  { url, headers, body, signal }: { url: string; headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<PostResult> {
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

function toAttemptResult(end: PostResult, now: Date): Omit<DeliveryAttempt, 'attemptedAt' | 'durationMs'> {
  if (end instanceof ApiError) {
    return { isDelivered: false, statusCode: null, response: null, error: end.message, retryAfterMs: null }
  }
  const { status, retryAfter, body } = end
  const isDelivered = status >= 200 && status < 300
  return {
    isDelivered,
    statusCode: status,
    response: sanitizeBody(body),
    error: isDelivered ? null : describeStatus(status),
    retryAfterMs: readRetryAfterMs(retryAfter, now),
  }
}

function describeStatus(status: number): string {
  const isRedirect = status >= 300 && status < 400
  return `The receiver returned ${status}${isRedirect ? '. Redirects are not followed' : ''}.`
}

/** Removes characters that cannot be stored or shown; PostgreSQL rejects NUL. */
function sanitizeBody(body: string): string {
  return body
    .slice(0, WEBHOOKS.answerCharacters)
    .replace(/(?![\n\t])\p{Cc}/gu, '\ufffd')
    .toWellFormed()
}

/** Signature by the Standard Webhooks specification 1.0.0 ("Signature scheme", symmetric). */
const PREFIX = 'whsec_'
/** The specification requires 24 to 64; HMAC-SHA256 uses 32. */
const SECRET_BYTES = 32

/** Generates a secret: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** Signed content: `webhook-id`, time of the attempt, and the exact body. */
type SignedMessage = { id: string; at: Date; body: string }

/** The three headers by which a receiver verifies origin, integrity and age of a message. */
export function signMessage(secret: string, { id, at, body }: SignedMessage): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}

/**
 * Delay after the first attempt, multiplied by {@link DELAY_GROWTH} after each further one. Our
 * choice: 5 s, 20 s, 80 s, 5 min, 21 min, 85 min, 4 h, 4 h …
 */
const FIRST_DELAY_MS = 5000
const DELAY_GROWTH = 4
/** Maximum delay, even if the receiver requests more. */
const MAX_BASE_DELAY_MS = 4 * 3600 * 1000
/** Random part of the delay, so that messages that failed together are not retried together. */
const JITTER = 0.2

/** Upper limit of any retry delay, with jitter. */
export const MAX_RETRY_DELAY_MS = MAX_BASE_DELAY_MS * (1 + JITTER)

/**
 * A failed attempt: number of attempts so far, creation time of the message, and the delay
 * requested by the receiver.
 */
type FailedAttempt = { attempts: number; createdAt: Date; now: Date; retryAfterMs: number | null }

/**
 * Time of the next attempt; `null` after the maximum retry period. `random` returns numbers from 0
 * to below 1.
 */
export function chooseNextAttempt(
  { attempts, createdAt, now, retryAfterMs }: FailedAttempt,
  random: () => number,
): Date | null {
  const grownMs = Math.min(FIRST_DELAY_MS * DELAY_GROWTH ** (attempts - 1), MAX_BASE_DELAY_MS)
  const pauseMs = Math.max(grownMs * (1 + JITTER * (2 * random() - 1)), Math.min(retryAfterMs ?? 0, MAX_BASE_DELAY_MS))
  const next = new Date(now.getTime() + Math.round(pauseMs))
  return next.getTime() - createdAt.getTime() > WEBHOOKS.triedForMs ? null : next
}

/**
 * Parses `Retry-After` to milliseconds (RFC 9110, section 10.2.3: seconds or a date); `null` if
 * invalid.
 */
export function readRetryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  // V8 parses a bare number as a year or a month.
  const at = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
