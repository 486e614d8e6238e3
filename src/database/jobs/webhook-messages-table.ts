/**
 * Outbox of webhooks. The transaction that ends a job also writes a message for each subscribed
 * webhook. Senders lease messages; an expired lease makes a message available again.
 */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { newId } from '../../ids.ts'
import type { Job, Tables, WebhookMessage } from '../schema.ts'
import { batches, isPostgres } from '../statements.ts'

/** The job in a message, without payload and lease. */
type EndedJob = Omit<Job, 'payload' | 'lease_token' | 'lease_expires_at'>

/** Writes the messages for jobs that just ended. */
export async function enqueueJobEvents(transaction: Transaction<Tables>, jobs: readonly Job[]): Promise<void> {
  for (const [organizationId, ended] of Map.groupBy(jobs, ({ organization_id }) => organization_id)) {
    const webhooks = await transaction
      .selectFrom('webhooks')
      .select(['id', 'events'])
      .where('organization_id', '=', organizationId)
      .where('status', '=', 'enabled')
      .execute()
    const messages = webhooks.flatMap(({ id, events }) => {
      const wanted = JSON.parse(events) as string[]
      return ended.filter(({ status }) => wanted.includes(`job.${status}`)).map((job) => newMessage(id, job))
    })
    for (const slice of batches(messages)) await transaction.insertInto('webhook_messages').values(slice).execute()
  }
}

function newMessage(webhookId: string, job: Job): WebhookMessage {
  const { payload: _, lease_token: __, lease_expires_at: ___, result, ...rest } = job
  const facts = { ...rest, result: withoutText(result) }
  const at = job.completed_at ?? job.created_at
  return {
    id: newId('msg'),
    webhook_id: webhookId,
    organization_id: job.organization_id,
    event: `job.${job.status}`,
    job_id: job.id,
    job: JSON.stringify(facts satisfies EndedJob),
    attempts: 0,
    next_attempt_at: at,
    lease_token: null,
    lease_expires_at: null,
    created_at: at,
  }
}

/** Recognized text is deleted with the document, maybe before the message is sent. */
function withoutText(result: string | null): string | null {
  if (result === null) return null
  const { text: _, ...rest } = JSON.parse(result) as { text?: string }
  return JSON.stringify(rest)
}

/** Maximum numbers of messages in flight over all processes. */
type InFlightLimits = {
  /** For a webhook whose last attempt succeeded. */
  perWebhook: number
  perOrganization: number
}

/** `token` must be unique per claim. */
export type MessageClaim = { limit: number; leaseMs: number; token: string; now: Date; bounds: InFlightLimits }

/**
 * Claims up to `limit` due messages, at most one per webhook, with a lease of `leaseMs`.
 * Organizations with fewer messages in flight come first. An empty list may also mean that other
 * senders claim the same messages.
 */
export function claimMessages(db: Kysely<Tables>, claim: MessageClaim): Promise<WebhookMessage[]> {
  const { leaseMs, token, now } = claim
  return db
    .updateTable('webhook_messages')
    .set({ lease_token: token, lease_expires_at: new Date(now.getTime() + leaseMs).toISOString() })
    .where(isClaimable(db, claim))
    .returningAll()
    .execute()
}

/**
 * Same technique as in `claim-jobs.ts`: a loose index scan, then one probe per webhook with pending
 * messages.
 */
function isClaimable(db: Kysely<Tables>, { limit, now, bounds }: MessageClaim): RawBuilder<boolean> {
  const candidates = selectCandidates(now.toISOString(), bounds)
  if (!isPostgres(db)) return sql<boolean>`id in (${candidates} limit ${limit})`
  return sql<boolean>`id = any(array(${candidates} limit ${limit} for update of message skip locked))`
}

/**
 * A failing webhook gets one message at a time: the next attempt usually fails as well, and takes
 * as long.
 */
function selectCandidates(now: string, { perWebhook, perOrganization }: InFlightLimits): RawBuilder<string> {
  return sql<string>`
    WITH RECURSIVE waiting (webhook_id) AS (
      SELECT min(webhook_id) FROM webhook_messages WHERE lease_token IS NULL
      UNION ALL
      SELECT (SELECT min(webhook_id) FROM webhook_messages
        WHERE lease_token IS NULL AND webhook_id > waiting.webhook_id)
      FROM waiting WHERE waiting.webhook_id IS NOT NULL
    ),
    due AS (
      SELECT webhook.failures, webhook.organization_id, webhook.id AS webhook_id, (
        SELECT id FROM webhook_messages
        WHERE lease_token IS NULL AND webhook_id = webhook.id AND next_attempt_at <= ${now}
        ORDER BY next_attempt_at, id LIMIT 1
      ) AS id
      FROM waiting JOIN webhooks webhook ON webhook.id = waiting.webhook_id AND webhook.status = 'enabled'
    ),
    counted AS (
      SELECT due.id, due.organization_id, due.failures,
        (SELECT count(*) FROM webhook_messages own WHERE own.lease_token IS NOT NULL
          AND own.organization_id = due.organization_id AND own.webhook_id = due.webhook_id) AS webhook_sending,
        (SELECT count(*) FROM webhook_messages own WHERE own.lease_token IS NOT NULL
          AND own.organization_id = due.organization_id) AS organization_sending
      FROM due WHERE due.id IS NOT NULL
    ),
    turns AS (
      SELECT id, organization_sending + row_number() OVER (
        PARTITION BY organization_id ORDER BY webhook_sending, id
      ) AS turn
      FROM counted WHERE webhook_sending < CASE WHEN failures > 0 THEN 1 ELSE ${sql.lit(perWebhook)} END
    )
    SELECT message.id FROM turns JOIN webhook_messages message ON message.id = turns.id AND message.lease_token IS NULL
    WHERE turns.turn <= ${sql.lit(perOrganization)}
    ORDER BY turns.turn, message.next_attempt_at, message.id`
}

/** A message claimed by a sender. */
export type MessageLease = { messageId: string; leaseToken: string }

/** Deletes a message after delivery or the last attempt; `false` if the lease is lost. */
export async function deleteMessage(
  transaction: Transaction<Tables>,
  { messageId, leaseToken }: MessageLease,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('webhook_messages')
    .where('id', '=', messageId)
    .where('lease_token', '=', leaseToken)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Schedules the next attempt of a message; `false` if the lease is lost. */
export async function postponeMessage(
  db: Kysely<Tables>,
  { messageId, leaseToken }: MessageLease,
  { attempts, nextAttemptAt }: { attempts: number; nextAttemptAt: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_messages')
    .set({ attempts, next_attempt_at: nextAttemptAt, lease_token: null, lease_expires_at: null })
    .where('id', '=', messageId)
    .where('lease_token', '=', leaseToken)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Releases messages of dead senders: those with an expired lease, or `all` if every lease is dead.
 */
export async function releaseExpiredMessages(
  db: Kysely<Tables>,
  { which, now }: { which: 'expired' | 'all'; now: Date },
): Promise<void> {
  await db
    .updateTable('webhook_messages')
    .set({ lease_token: null, lease_expires_at: null })
    .where('lease_token', 'is not', null)
    .$if(which === 'expired', (messages) => messages.where('lease_expires_at', '<', now.toISOString()))
    .execute()
}

/** Makes all messages of a webhook due now. */
export async function retryMessagesNow(
  transaction: Transaction<Tables>,
  { webhookId, now }: { webhookId: string; now: string },
): Promise<void> {
  await transaction
    .updateTable('webhook_messages')
    .set({ next_attempt_at: now })
    .where('webhook_id', '=', webhookId)
    .where('lease_token', 'is', null)
    .where('next_attempt_at', '>', now)
    .execute()
}

/**
 * Makes messages due now that are scheduled beyond the maximum delay, because another clock
 * scheduled them.
 */
export async function clampMessageDueTimes(
  db: Kysely<Tables>,
  { now, longestMs }: { now: Date; longestMs: number },
): Promise<void> {
  await db
    .updateTable('webhook_messages')
    .set({ next_attempt_at: now.toISOString() })
    .where('lease_token', 'is', null)
    .where('next_attempt_at', '>', new Date(now.getTime() + longestMs).toISOString())
    .execute()
}

/** Counts pending and claimed messages by webhook; webhooks without messages are absent. */
export async function countMessages(
  db: Kysely<Tables>,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (webhookIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('webhook_messages')
    .select((eb) => ['webhook_id', eb.fn.countAll<number>().as('messages')])
    .where('webhook_id', 'in', webhookIds)
    .groupBy('webhook_id')
    .execute()
  return new Map(rows.map(({ webhook_id, messages }) => [webhook_id, Number(messages)]))
}
