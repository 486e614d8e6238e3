import { type CallOptions, callOperation } from './call-operation.ts'
import { eachOf } from './each-of.ts'
import type { Operations } from './operations.ts'
import type { Transport } from './send-request.ts'

/** What a client does with webhooks. */
export function webhooksOf(transport: Transport) {
  return {
    /** The secret stands in this answer only. */
    create: (body: Operations['createWebhook']['body'], more?: CallOptions) =>
      callOperation(transport, 'createWebhook', { body }, more),
    get: (id: string, more?: CallOptions) => callOperation(transport, 'getWebhook', { path: { id } }, more),
    /** What waits for it is dropped. */
    delete: (id: string, more?: CallOptions) => callOperation(transport, 'deleteWebhook', { path: { id } }, more),
    /** Sends a test message now, and tells how it went; one that arrives enables a disabled webhook. */
    test: (id: string, more?: CallOptions) => callOperation(transport, 'testWebhook', { path: { id } }, more),
    list: (more?: CallOptions) =>
      eachOf(async (cursor) => {
        const page = await callOperation(transport, 'listWebhooks', { query: cursor }, more)
        return { items: page.webhooks, nextCursor: page.nextCursor }
      }),
    /** One page of the attempts to deliver, newest first. */
    listDeliveriesPage: (id: string, query: Operations['listWebhookDeliveries']['query'] = {}, more?: CallOptions) =>
      callOperation(transport, 'listWebhookDeliveries', { path: { id }, query }, more),
  }
}
