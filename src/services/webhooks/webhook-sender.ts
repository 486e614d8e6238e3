import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createSignal } from '../../concurrency/signal.ts'
import {
  claimMessages,
  clampMessageDueTimes,
  postponeMessage,
  releaseExpiredMessages,
} from '../../database/jobs/webhook-messages-table.ts'
import { getWebhook, purgeDeliveries, purgeOrphanedMessages } from '../../database/jobs/webhooks-table.ts'
import type { Job, Tables, WebhookMessage } from '../../database/schema.ts'
import { WEBHOOKS } from '../../limits.ts'
import type { Log } from '../../observability/log.ts'
import type { UrlSender } from '../../url-fetch/url-sender.ts'
import type { JobChanges } from '../jobs/job-changes.ts'
import { toJobResource } from '../jobs/job-resource.ts'
import { attemptDelivery, type DeliveryAttempt, MAX_RETRY_DELAY_MS } from './attempt-delivery.ts'
import { recordAttempt } from './record-attempt.ts'

/**
 * Sends messages from the webhook outbox. A message is leased, sent, and its result is committed.
 * After a crash, another process or a restart sends the message again. So every message is sent at
 * least once, possibly twice, always with the same `webhook-id`. Order is not guaranteed: a failed
 * message waits while others pass.
 */
/** Sends messages between `start` and `stop`. */
export type WebhookSender = {
  start(): void
  /** Stops sending; messages in flight may finish, or are released. Never rejects. */
  stop(): Promise<void>
  /**
   * Sends all due messages, including those that become due meanwhile. Rejects if the database
   * cannot be read.
   */
  sendDue(): Promise<void>
}

/**
 * Maximum number of open sockets; our choice. The limits per organization (half) and per webhook
 * (an eighth) isolate slow receivers.
 */
const MAX_IN_FLIGHT = 32
const IN_FLIGHT_LIMITS = { perWebhook: 4, perOrganization: 16 }
/** Longer than any attempt. */
const LEASE_MS = 60_000
/** Interval to poll for due messages and messages of other processes. */
const POLL_MS = 1000
/** Maximum wait for responses at shutdown: an aborted request is sent again later. */
const STOP_TIMEOUT_MS = 3000

/** `isOnly`: no other process uses this database, so all leases at startup are expired. */
type SenderDeps = {
  db: Kysely<Tables>
  urls: UrlSender
  changes: Pick<JobChanges, 'subscribe'>
  now: () => Date
  log: Log
  isOnly: boolean
  /** Called after each attempt. */
  onAttempt: (attempt: { outcome: 'ok' | 'failed'; seconds: number }) => void
  random?: () => number
}

/**
 * Creates a sender. It polls the outbox every second, after each change of a job, and after each
 * attempt.
 */
export function createWebhookSender(deps: SenderDeps): WebhookSender {
  const { db, now, log, isOnly } = deps
  const running = new Set<Promise<void>>()
  let ended = 0
  const bell = createSignal()
  const stopping = new AbortController()
  let isStopping = false
  let loop: Promise<void> | null = null
  let unsubscribe = () => {}

  async function work(): Promise<void> {
    let which: 'expired' | 'all' = isOnly ? 'all' : 'expired'
    while (!isStopping) {
      try {
        await releaseExpiredMessages(db, { which, now: now() })
        which = 'expired'
        await fill()
      } catch (err) {
        log.error({ err }, 'the webhook outbox cannot be read')
      }
      await bell.wait(POLL_MS)
    }
  }

  async function fill(): Promise<void> {
    while (!isStopping && running.size < MAX_IN_FLIGHT) {
      const limit = MAX_IN_FLIGHT - running.size
      const claim = { limit, leaseMs: LEASE_MS, token: randomUUID(), now: now(), bounds: IN_FLIGHT_LIMITS }
      const messages = await claimMessages(db, claim)
      if (messages.length === 0) return
      for (const message of messages) launch(message)
    }
  }

  function launch(message: WebhookMessage): void {
    const run = sendMessage(deps, message, stopping.signal).catch((err: unknown) => {
      // The lease expires, and the message is sent again.
      log.error({ err, messageId: message.id }, 'the result of a webhook delivery could not be stored')
    })
    running.add(run)
    void run.then(() => {
      running.delete(run)
      ended += 1
      bell.notify()
    })
  }

  return {
    start() {
      if (loop !== null) return
      unsubscribe = deps.changes.subscribe(null, bell.notify)
      loop = work()
    },
    async stop() {
      isStopping = true
      unsubscribe()
      bell.notify()
      await loop
      const patience = setTimeout(() => stopping.abort(), STOP_TIMEOUT_MS)
      await Promise.all(running)
      clearTimeout(patience)
    },
    async sendDue() {
      let seen: number
      do {
        seen = ended
        await fill()
        if (running.size > 0) await Promise.race(running)
        // An attempt that ended during the query may have freed capacity.
      } while (running.size > 0 || ended > seen)
    },
  }
}

async function sendMessage(deps: SenderDeps, message: WebhookMessage, signal: AbortSignal): Promise<void> {
  const { db, log } = deps
  const webhook = await getWebhook(db, { organizationId: message.organization_id, webhookId: message.webhook_id })
  if (webhook === null) return
  const attempt = await attemptDelivery(deps, { webhook, message: toOutgoing(message), signal }).catch(
    async (error: unknown) => {
      if (!signal.aborted) throw error
      await releaseMessage(deps, message)
      return null
    },
  )
  if (attempt === null) return
  deps.onAttempt({ outcome: attempt.isDelivered ? 'ok' : 'failed', seconds: attempt.durationMs / 1000 })
  const settled = await recordAttempt({ db, random: deps.random ?? Math.random }, message, attempt)
  if (attempt.isDelivered || settled === null) return
  const facts = { webhookId: webhook.id, messageId: message.id, jobId: message.job_id, ...attemptFields(attempt) }
  if (settled.disabledReason !== null) log.warn({ ...facts, reason: settled.disabledReason }, 'webhook disabled')
  else if (settled.nextAttemptAt === null) log.warn(facts, 'a webhook message was given up')
  else log.info({ ...facts, nextAttemptAt: settled.nextAttemptAt }, 'a webhook message was not delivered')
}

function attemptFields({ statusCode, error }: DeliveryAttempt) {
  return { status: statusCode, error }
}

function toOutgoing({ id, event, created_at, job }: WebhookMessage) {
  return { id, type: event, timestamp: created_at, data: toJobResource(JSON.parse(job) as Job) }
}

/** Releases a message as if it had not been claimed. */
async function releaseMessage({ db, now }: SenderDeps, { id, lease_token, attempts }: WebhookMessage): Promise<void> {
  const lease = { messageId: id, leaseToken: lease_token ?? '' }
  await postponeMessage(db, lease, { attempts, nextAttemptAt: now().toISOString() })
}

/** Purging scans all stored attempts; an extra hour of them is harmless. */
const PURGE_INTERVAL_MS = 3600_000

/**
 * Periodic maintenance, about once a minute. Clamps due times that are too far in the future after
 * the clock was set back. Once an hour, by the process's own clock, deletes old and excess attempts
 * and the remains of deleted webhooks.
 */
export function createWebhookMaintenance({ db, now }: { db: Kysely<Tables>; now: () => Date }): () => Promise<void> {
  let purgedMs = Number.NEGATIVE_INFINITY
  return async () => {
    await clampMessageDueTimes(db, { now: now(), longestMs: MAX_RETRY_DELAY_MS })
    if (performance.now() - purgedMs < PURGE_INTERVAL_MS) return
    purgedMs = performance.now()
    const before = new Date(now().getTime() - WEBHOOKS.deliveriesKeptMs)
    await purgeDeliveries(db, { before, perWebhook: WEBHOOKS.deliveriesKept })
    await purgeOrphanedMessages(db)
  }
}
