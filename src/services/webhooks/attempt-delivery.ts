import { createHmac, randomBytes } from 'node:crypto'
import type { Webhook } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { WEBHOOKS } from '../../limits.ts'
import type { SentAnswer, UrlSender } from '../../url-fetch/url-sender.ts'

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
type OutgoingMessage = { id: string; type: string; timestamp: string; data: object }

/** What sending needs. */
type AttemptDeps = { urls: UrlSender; now: () => Date }

/**
 * Sends a message once. Only a 2xx is a delivery (Standard Webhooks, "Operational considerations"). Rejects with the signal's reason; whatever
 * else goes wrong is an attempt that failed.
 */
export async function attemptDelivery(
  { urls, now }: AttemptDeps,
  {
    webhook: { url, secret },
    message: { id, type, timestamp, data },
    signal,
  }: { webhook: Pick<Webhook, 'url' | 'secret'>; message: OutgoingMessage; signal: AbortSignal },
): Promise<Attempt> {
  const attemptedAt = now()
  const startedMs = performance.now()
  const body = JSON.stringify({ type, timestamp, data })
  const headers = {
    'content-type': 'application/json',
    ...signMessage(secret, { id, at: attemptedAt, body }),
  }
  const end = await post(urls, { url, headers, body, signal })
  const durationMs = Math.round(performance.now() - startedMs)
  return { attemptedAt, durationMs, ...describeEnd(end, now()) }
}

type End = SentAnswer | ApiError

async function post(
  urls: UrlSender,
  { url, headers, body, signal }: { url: string; headers: Record<string, string>; body: string; signal: AbortSignal },
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

/** Signing as the Standard Webhooks specification 1.0.0 has it ("Signature scheme", symmetric). */
const PREFIX = 'whsec_'
/** The specification asks for 24 to 64; 32 are what HMAC-SHA256 can use. */
const SECRET_BYTES = 32

/** A new secret: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** What is signed: `webhook-id`, the moment of the attempt, and the body to the byte. */
type SignedMessage = { id: string; at: Date; body: string }

/** The three headers by which a receiver knows that the message is ours, whole and new. */
export function signMessage(secret: string, { id, at, body }: SignedMessage): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}

/** The pause after the first attempt; each further one is {@link GROWTH} times as long. Our choice: 5 s, 20 s, 80 s, 5 min, 21 min, 85 min, 4 h, 4 h … */
const FIRST_PAUSE_MS = 5000
const GROWTH = 4
/** Longest pause, also where the receiver asks for a longer one. */
const MAX_PAUSE_MS = 4 * 3600 * 1000
/** Pauses differ by up to this part either way, so that messages which failed together do not come back together. */
const JITTER = 0.2

/** No message is meant to wait longer than so many milliseconds. */
export const LONGEST_PAUSE_MS = MAX_PAUSE_MS * (1 + JITTER)

/** An attempt that failed: how many were made with it, when the message was made, and how long the receiver asks to be left alone. */
type FailedAttempt = { attempts: number; createdAt: Date; now: Date; retryAfterMs: number | null }

/** When the next attempt is made; `null` when the message has been tried for as long as any is. `random` gives numbers from 0 to under 1. */
export function chooseNextAttempt(
  { attempts, createdAt, now, retryAfterMs }: FailedAttempt,
  random: () => number,
): Date | null {
  const grownMs = Math.min(FIRST_PAUSE_MS * GROWTH ** (attempts - 1), MAX_PAUSE_MS)
  const pauseMs = Math.max(grownMs * (1 + JITTER * (2 * random() - 1)), Math.min(retryAfterMs ?? 0, MAX_PAUSE_MS))
  const next = new Date(now.getTime() + Math.round(pauseMs))
  return next.getTime() - createdAt.getTime() > WEBHOOKS.triedForMs ? null : next
}

/** What a `Retry-After` says in milliseconds (RFC 9110, section 10.2.3: seconds or a date); `null` where it says nothing that is understood. */
export function readRetryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  // V8 takes a bare number for a year or a month.
  const at = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
