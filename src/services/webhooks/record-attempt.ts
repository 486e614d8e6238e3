import type { Kysely, Transaction } from 'kysely'
import { deleteMessage, postponeMessage } from '../../database/jobs/webhook-messages-table.ts'
import { insertDelivery, lockWebhook, setWebhookState, type WebhookState } from '../../database/jobs/webhooks-table.ts'
import type { Tables, Webhook, WebhookDelivery, WebhookMessage } from '../../database/schema.ts'
import { newId } from '../../ids.ts'
import { WEBHOOKS } from '../../limits.ts'
import type { DeliveryAttempt } from './attempt-delivery.ts'
import { chooseNextAttempt } from './attempt-delivery.ts'

/**
 * HTTP 410 Gone: the receiver cancels the webhook (Standard Webhooks, "Operational
 * considerations").
 */
const HTTP_GONE = 410

/** Outcome of an attempt; `disabledReason` is set if the attempt disabled the webhook. */
type AttemptOutcome = { nextAttemptAt: Date | null; disabledReason: string | null }

/**
 * Records an attempt, its message and the state of its webhook in one transaction. Returns `null`
 * without a change if this sender no longer owns the message, for example after the webhook was
 * deleted.
 */
export async function recordAttempt(
  { db, random }: { db: Kysely<Tables>; random: () => number },
  message: WebhookMessage,
  attempt: DeliveryAttempt,
): Promise<AttemptOutcome | null> {
  return db.transaction().execute(async (transaction) => {
    const webhook = await lockWebhook(transaction, message.webhook_id)
    if (webhook === null) return null
    const attempts = message.attempts + 1
    const state = nextWebhookState(webhook, attempt)
    const nextAttemptAt =
      attempt.isDelivered || state.status === 'disabled'
        ? null
        : chooseNextAttempt(
            {
              attempts,
              createdAt: new Date(message.created_at),
              now: attempt.attemptedAt,
              retryAfterMs: attempt.retryAfterMs,
            },
            random,
          )
    if (!(await rescheduleOrDelete(transaction, message, { attempts, nextAttemptAt }))) return null
    await insertDelivery(transaction, toDelivery(message, attempt, { attempts, nextAttemptAt }))
    if (!isSameState(webhook, state)) await setWebhookState(transaction, webhook.id, state)
    return { nextAttemptAt, disabledReason: state.disabled_reason }
  })
}

/** State of a webhook after an attempt. */
function nextWebhookState(webhook: Webhook, { isDelivered, statusCode, attemptedAt }: DeliveryAttempt): WebhookState {
  if (isDelivered) return { status: webhook.status, disabled_reason: null, failures: 0, failing_since: null }
  const failures = webhook.failures + 1
  const since = webhook.failing_since ?? attemptedAt.toISOString()
  const reason = findDisableReason({ failures, since, statusCode, at: attemptedAt })
  return {
    status: reason === null ? webhook.status : 'disabled',
    disabled_reason: reason ?? webhook.disabled_reason,
    failures,
    failing_since: since,
  }
}

type FailureStreak = { failures: number; since: string; statusCode: number | null; at: Date }

/** Reason to disable a webhook after a failure; `null` keeps the webhook enabled. */
function findDisableReason({ failures, since, statusCode, at }: FailureStreak): string | null {
  if (statusCode === HTTP_GONE) return 'The receiver returned 410 Gone.'
  const { disabledAfter } = WEBHOOKS
  const failingMs = at.getTime() - Date.parse(since)
  if (failures < disabledAfter.failures || failingMs < disabledAfter.ms) return null
  return `The last ${failures} attempts have failed since ${since}.`
}

function isSameState(webhook: Webhook, state: WebhookState): boolean {
  return webhook.status === state.status && webhook.failures === state.failures
}

type NextAttempt = { attempts: number; nextAttemptAt: Date | null }

async function rescheduleOrDelete(
  transaction: Transaction<Tables>,
  message: WebhookMessage,
  step: NextAttempt,
): Promise<boolean> {
  const lease = { messageId: message.id, leaseToken: message.lease_token ?? '' }
  if (step.nextAttemptAt === null) return deleteMessage(transaction, lease)
  return postponeMessage(transaction, lease, { ...step, nextAttemptAt: step.nextAttemptAt.toISOString() })
}

function toDelivery(
  message: WebhookMessage,
  attempt: DeliveryAttempt,
  { attempts, nextAttemptAt }: NextAttempt,
): WebhookDelivery {
  const { id, webhook_id, event, job_id } = message
  return newDelivery({ message_id: id, webhook_id, event, job_id, attempt: attempts }, attempt, nextAttemptAt)
}

/** Row of an attempt. */
export function newDelivery(
  about: Pick<WebhookDelivery, 'message_id' | 'webhook_id' | 'event' | 'job_id' | 'attempt'>,
  { attemptedAt, durationMs, isDelivered, statusCode, response, error }: DeliveryAttempt,
  nextAttemptAt: Date | null,
): WebhookDelivery {
  return {
    id: newId('dlv'),
    ...about,
    outcome: isDelivered ? 'delivered' : 'failed',
    status_code: statusCode,
    duration_ms: durationMs,
    response,
    error,
    attempted_at: attemptedAt.toISOString(),
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  }
}
