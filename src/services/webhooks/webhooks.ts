import type { Caller } from '../caller.ts'
import type { Keep, Work } from '../keep.ts'
import type { Page, PageRequest } from '../page.ts'

/** Where an organization wants to hear of its jobs. All reject with `scope_forbidden` for the key of a memory, those with an id with `webhook_not_found`. */
export type WebhooksService = {
  /** Rejects also with `url_not_allowed`, `validation_failed` and `webhook_limit_reached`. The secret is told this once. */
  create(
    caller: Caller,
    input: { url: string; events: readonly WebhookEvent[] },
    keep?: Keep<WebhookResource & { secret: string }>,
  ): Promise<WebhookResource & { secret: string }>
  list(caller: Caller, page: PageRequest): Promise<Page<'webhooks', WebhookResource>>
  get(caller: Caller, webhookId: string): Promise<WebhookResource>
  /** What waits for it is dropped. */
  delete(caller: Caller, webhookId: string): Promise<void>
  /** Sends a message that means nothing, now and once, and tells how that went; one that arrives enables a disabled webhook. */
  test(caller: Caller, webhookId: string, work: Work<WebhookDeliveryResource>): Promise<WebhookDeliveryResource>
  /** The attempts that are kept, newest first. */
  listDeliveries(
    caller: Caller,
    webhookId: string,
    page: PageRequest,
  ): Promise<Page<'deliveries', WebhookDeliveryResource>>
}

/** What a webhook hears of. */
export type WebhookEvent = 'job.completed' | 'job.failed' | 'job.partial'

/** A webhook without its secret. */
export type WebhookResource = {
  id: string
  url: string
  events: readonly WebhookEvent[]
  status: 'enabled' | 'disabled'
  /** Why it was disabled; `null` while it is enabled. */
  disabledReason: string | null
  /** Attempts in a row that failed, and when that began. */
  consecutiveFailures: number
  failingSince: string | null
  /** Messages that wait or are on their way. */
  waiting: number
  createdAt: string
}

/** One attempt to deliver a message. */
export type WebhookDeliveryResource = {
  id: string
  /** The same in all attempts: `webhook-id`. */
  messageId: string
  event: WebhookEvent | 'webhook.test'
  jobId: string | null
  /** From 1. */
  attempt: number
  outcome: 'delivered' | 'failed'
  statusCode: number | null
  durationMs: number
  /** What the receiver answered, shortened; `null` without an answer. */
  response: string | null
  error: string | null
  attemptedAt: string
  nextAttemptAt: string | null
}
