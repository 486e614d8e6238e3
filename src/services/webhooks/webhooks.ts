import type { WebhookDeliveryResource, WebhookEvent, WebhookResource } from '../../api/webhook.ts'
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
