import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createSignal } from '../../concurrency/signal.ts'
import {
  bringMessagesForward,
  claimMessages,
  postponeMessage,
  releaseDeadMessages,
} from '../../database/jobs/webhook-messages-table.ts'
import { getWebhook, purgeDeliveries, purgeStrayMessages } from '../../database/jobs/webhooks-table.ts'
import type { Job, Tables, WebhookMessage } from '../../database/schema.ts'
import { WEBHOOKS } from '../../limits.ts'
import type { Log } from '../../observability/log.ts'
import type { UrlSender } from '../../url-fetch/url-sender.ts'
import type { JobChanges } from '../jobs/job-changes.ts'
import { toJobResource } from '../jobs/job-resource.ts'
import { type Attempt, attemptDelivery, LONGEST_PAUSE_MS } from './attempt-delivery.ts'
import { settleAttempt } from './record-attempt.ts'

/**
 * Sends what waits in the outbox of webhooks. A message is taken under a lease, sent, and what became of it is committed; whoever
 * dies in between leaves it to others, or to himself after a restart. So every message is sent at least once, and perhaps
 * twice, always under the same `webhook-id`. No order is kept: one that fails waits, and others go by.
 */
/** Sends messages while it is started. */
export type WebhookSender = {
  start(): void
  /** Sends nothing more; what is on its way may end, or is given back. Never rejects. */
  stop(): Promise<void>
  /** Sends all that is due now, and what becomes due meanwhile. Rejects when the database cannot be read. */
  sendDue(): Promise<void>
}

/** Our choice: a socket each. One organization has at most half of them, one webhook an eighth of that, so that a slow receiver holds up itself. */
const AT_ONCE = 32
const BOUNDS = { perWebhook: 4, perOrganization: 16 }
/** Longer than any attempt takes. */
const LEASE_MS = 60_000
/** How often other processes' messages and those that become due are looked for. */
const POLL_MS = 1000
/** How long a stop waits for answers: a receiver that is cut off gets its message twice. */
const GRACE_MS = 3000

/** `isOnly`: no other process is on this database, so that leases found at the start are of dead ones. */
type SenderDeps = {
  db: Kysely<Tables>
  urls: UrlSender
  changes: Pick<JobChanges, 'subscribe'>
  now: () => Date
  log: Log
  isOnly: boolean
  /** Hears of each attempt. */
  sent: (attempt: { outcome: 'ok' | 'failed'; seconds: number }) => void
  random?: () => number
}

/** Makes a sender. It looks at the outbox when a job of this process has changed, when something was sent, and every second. */
export function createWebhookSender(parts: SenderDeps): WebhookSender {
  const { db, now, log, isOnly } = parts
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
        await releaseDeadMessages(db, { which, now: now() })
        which = 'expired'
        await fill()
      } catch (err) {
        log.error({ err }, 'the outbox of webhooks cannot be read at the moment')
      }
      await bell.wait(POLL_MS)
    }
  }

  async function fill(): Promise<void> {
    while (!isStopping && running.size < AT_ONCE) {
      const limit = AT_ONCE - running.size
      const claim = { limit, leaseMs: LEASE_MS, token: randomUUID(), now: now(), bounds: BOUNDS }
      const messages = await claimMessages(db, claim)
      if (messages.length === 0) return
      for (const message of messages) launch(message)
    }
  }

  function launch(message: WebhookMessage): void {
    const run = send(parts, message, stopping.signal).catch((err: unknown) => {
      // The lease runs out now, and the message is sent again.
      log.error({ err, messageId: message.id }, 'what became of a webhook message could not be written')
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
      unsubscribe = parts.changes.subscribe(null, bell.notify)
      loop = work()
    },
    async stop() {
      isStopping = true
      unsubscribe()
      bell.notify()
      await loop
      const patience = setTimeout(() => stopping.abort(), GRACE_MS)
      await Promise.all(running)
      clearTimeout(patience)
    },
    async sendDue() {
      let seen: number
      do {
        seen = ended
        await fill()
        if (running.size > 0) await Promise.race(running)
        // What ended while the outbox was read may have made room that the reading did not see.
      } while (running.size > 0 || ended > seen)
    },
  }
}

async function send(parts: SenderDeps, message: WebhookMessage, signal: AbortSignal): Promise<void> {
  const { db, log } = parts
  const webhook = await getWebhook(db, { organizationId: message.organization_id, webhookId: message.webhook_id })
  if (webhook === null) return
  const attempt = await attemptDelivery(parts, { webhook, message: toOutgoing(message), signal }).catch(
    async (error: unknown) => {
      if (!signal.aborted) throw error
      await giveBack(parts, message)
      return null
    },
  )
  if (attempt === null) return
  parts.sent({ outcome: attempt.isDelivered ? 'ok' : 'failed', seconds: attempt.durationMs / 1000 })
  const settled = await settleAttempt({ db, random: parts.random ?? Math.random }, message, attempt)
  if (attempt.isDelivered || settled === null) return
  const facts = { webhookId: webhook.id, messageId: message.id, jobId: message.job_id, ...describe(attempt) }
  if (settled.disabledReason !== null) log.warn({ ...facts, reason: settled.disabledReason }, 'webhook disabled')
  else if (settled.nextAttemptAt === null) log.warn(facts, 'a webhook message was given up')
  else log.info({ ...facts, nextAttemptAt: settled.nextAttemptAt }, 'a webhook message was not delivered')
}

function describe({ statusCode, error }: Attempt) {
  return { status: statusCode, error }
}

function toOutgoing({ id, event, created_at, job }: WebhookMessage) {
  return { id, type: event, timestamp: created_at, data: toJobResource(JSON.parse(job) as Job) }
}

/** As if it had not been taken. */
async function giveBack({ db, now }: SenderDeps, { id, lease_token, attempts }: WebhookMessage): Promise<void> {
  const lease = { messageId: id, leaseToken: lease_token ?? '' }
  await postponeMessage(db, lease, { attempts, nextAttemptAt: now().toISOString() })
}

/** Purging looks through all attempts that are kept, and one more hour of them does no harm. */
const PURGE_PAUSE_MS = 3600_000

/**
 * What comes round every minute or so. What waits longer than anything is meant to, since the clock was set back, is due. Once an hour,
 * by the process's own clock, attempts go that are too old or too many, and what is left of webhooks that are no more.
 */
export function createWebhookUpkeep({ db, now }: { db: Kysely<Tables>; now: () => Date }): () => Promise<void> {
  let purgedMs = Number.NEGATIVE_INFINITY
  return async () => {
    await bringMessagesForward(db, { now: now(), longestMs: LONGEST_PAUSE_MS })
    if (performance.now() - purgedMs < PURGE_PAUSE_MS) return
    purgedMs = performance.now()
    const before = new Date(now().getTime() - WEBHOOKS.deliveriesKeptMs)
    await purgeDeliveries(db, { before, perWebhook: WEBHOOKS.deliveriesKept })
    await purgeStrayMessages(db)
  }
}
