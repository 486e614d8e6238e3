import type { WebhookDeliveryResource, WebhookEvent, WebhookResource } from '../../api/webhook.ts'
import type { Webhook, WebhookDelivery } from '../../database/schema.ts'

/** A webhook as its owners see it, without the secret; `waiting` is the number of its messages. */
export function toWebhookResource(webhook: Webhook, waiting: number): WebhookResource {
  return {
    id: webhook.id,
    url: webhook.url,
    events: JSON.parse(webhook.events) as WebhookEvent[],
    status: webhook.status,
    disabledReason: webhook.disabled_reason,
    consecutiveFailures: webhook.failures,
    failingSince: webhook.failing_since,
    waiting,
    createdAt: webhook.created_at,
  }
}

/** An attempt as the owners of its webhook see it. */
export function toDeliveryResource(delivery: WebhookDelivery): WebhookDeliveryResource {
  return {
    id: delivery.id,
    messageId: delivery.message_id,
    event: delivery.event as WebhookDeliveryResource['event'],
    jobId: delivery.job_id,
    attempt: delivery.attempt,
    outcome: delivery.outcome,
    statusCode: delivery.status_code,
    durationMs: delivery.duration_ms,
    response: delivery.response,
    error: delivery.error,
    attemptedAt: delivery.attempted_at,
    nextAttemptAt: delivery.next_attempt_at,
  }
}
