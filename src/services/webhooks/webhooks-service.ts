import type { Kysely, Transaction } from 'kysely'
import type { WebhookDeliveryResource, WebhookEvent, WebhookResource } from '../../api/webhook.ts'
import { lockOrganization } from '../../database/account/organizations-table.ts'
import { countMessages, retryMessagesNow } from '../../database/jobs/webhook-messages-table.ts'
import {
  countDeliveries,
  countWebhooks,
  deleteWebhook,
  getWebhook,
  insertDelivery,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  lockWebhook,
  setWebhookState,
} from '../../database/jobs/webhooks-table.ts'
import type { Tables, Webhook, WebhookDelivery } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { isId, newId } from '../../ids.ts'
import { WEBHOOKS } from '../../limits.ts'
import type { UrlSender } from '../../url-fetch/url-sender.ts'
import { requireOrganizationScope } from '../account/account-checks.ts'
import type { Caller } from '../caller.ts'
import { type Ballast, withBallastReleased } from '../deletion/with-ballast.ts'
import { type Page, type PageRequest, readPage } from '../paging.ts'
import { type StoreResponse, storeNoResponse, type Work } from '../request-work.ts'
import { attemptDelivery, newWebhookSecret } from './attempt-delivery.ts'
import { newDelivery } from './record-attempt.ts'

const POSITION = /^(\S{24}) (dlv_[0-9a-z]{26})$/
const TEST_EVENT = 'webhook.test'

/** Dependencies of the webhooks service. */
type WebhooksDeps = { db: Kysely<Tables>; blobs: Ballast; urls: UrlSender; now: () => Date }

/** Manages the webhooks of an organization. */
export function createWebhooksService(deps: WebhooksDeps): WebhooksService {
  const { db, blobs } = deps
  const underTest = new Set<string>()

  return {
    create: (caller, input, storeResponse = storeNoResponse) =>
      createWebhook(deps, caller, { ...input, storeResponse }),

    async list(caller, page) {
      requireOrganizationScope(caller)
      const { organizationId } = caller
      return readPage(page, {
        name: 'webhooks',
        list: 'webhooks',
        pattern: /^whk_\w{26}$/,
        positionOf: ({ webhook }: CountedWebhook) => webhook.id,
        read: async (after, limit) => withMessageCounts(db, await listWebhooks(db, { organizationId, after, limit })),
        count: () => countWebhooks(db, organizationId),
        toResource: ({ webhook, waiting }) => toWebhookResource(webhook, waiting),
      })
    },

    async get(caller, webhookId) {
      const webhook = await requireWebhook(db, caller, webhookId)
      return toWebhookResource(webhook, (await countMessages(db, [webhookId])).get(webhookId) ?? 0)
    },

    async delete(caller, webhookId) {
      requireOrganizationScope(caller)
      const own = { organizationId: caller.organizationId, webhookId }
      const remove = () => db.transaction().execute((transaction) => deleteWebhook(transaction, own))
      const deleted = isId('whk', webhookId) && (await withBallastReleased(blobs, remove))
      if (!deleted) throw new ApiError('webhook_not_found')
    },

    async test(caller, webhookId, work) {
      const webhook = await requireWebhook(db, caller, webhookId)
      if (underTest.has(webhookId)) {
        throw new ApiError('rate_limited', {
          message: 'A test of this webhook is already running.',
          retryAfterSeconds: 1,
        })
      }
      underTest.add(webhookId)
      try {
        return await testWebhook(deps, webhook, work)
      } finally {
        underTest.delete(webhookId)
      }
    },

    async listDeliveries(caller, webhookId, page) {
      await requireWebhook(db, caller, webhookId)
      return readPage(page, {
        name: 'deliveries',
        list: `deliveries ${webhookId}`,
        pattern: POSITION,
        positionOf: (delivery: WebhookDelivery) => `${delivery.attempted_at} ${delivery.id}`,
        read: (after, limit) => listDeliveries(db, { webhookId, after: parsePosition(after), limit }),
        count: () => countDeliveries(db, webhookId),
        toResource: toDeliveryResource,
      })
    },
  }
}

async function requireWebhook(db: Kysely<Tables>, caller: Caller, webhookId: string): Promise<Webhook> {
  requireOrganizationScope(caller)
  const { organizationId } = caller
  const webhook = isId('whk', webhookId) ? await getWebhook(db, { organizationId, webhookId }) : null
  if (webhook === null) throw new ApiError('webhook_not_found')
  return webhook
}

async function createWebhook(
  { db, urls, now }: WebhooksDeps,
  caller: Caller,
  { url, events, storeResponse }: NewWebhook & { storeResponse: StoreResponse<CreatedWebhook> },
): Promise<CreatedWebhook> {
  requireOrganizationScope(caller)
  const { organizationId } = caller
  const { href } = await urls.requireUrl(url)
  const webhook = newWebhook(organizationId, { url: href, events, now: now() })
  const created = { ...toWebhookResource(webhook, 0), secret: webhook.secret }
  await db.transaction().execute(async (transaction) => {
    await requireWebhookQuota(transaction, organizationId)
    await insertWebhook(transaction, webhook)
    await storeResponse(transaction, created)
  })
  return created
}

type CountedWebhook = { webhook: Webhook; waiting: number }

/** Adds the number of pending messages to each webhook. */
async function withMessageCounts(db: Kysely<Tables>, webhooks: readonly Webhook[]): Promise<CountedWebhook[]> {
  const messages = await countMessages(
    db,
    webhooks.map(({ id }) => id),
  )
  return webhooks.map((webhook) => ({ webhook, waiting: messages.get(webhook.id) ?? 0 }))
}

function newWebhook(organizationId: string, { url, events, now }: NewWebhook & { now: Date }): Webhook {
  return {
    id: newId('whk', now),
    organization_id: organizationId,
    url,
    events: JSON.stringify([...new Set(events)]),
    secret: newWebhookSecret(),
    status: 'enabled',
    disabled_reason: null,
    failures: 0,
    failing_since: null,
    created_at: now.toISOString(),
  }
}

async function requireWebhookQuota(transaction: Transaction<Tables>, organizationId: string): Promise<void> {
  // Lock the organization, so that concurrent requests cannot exceed the limit.
  await lockOrganization(transaction, organizationId)
  const limit = WEBHOOKS.perOrganization
  if ((await countWebhooks(transaction, organizationId)) < limit) return
  const message = `An organization has at most ${limit} webhooks.`
  throw new ApiError('webhook_limit_reached', { message, extra: { limit } })
}

async function testWebhook(
  deps: WebhooksDeps,
  webhook: Webhook,
  { signal, storeResponse = storeNoResponse }: Work<WebhookDeliveryResource>,
): Promise<WebhookDeliveryResource> {
  const { id } = webhook
  const data = { webhookId: id, message: 'This is a test message.' }
  const message = { id: newId('msg'), type: TEST_EVENT, timestamp: deps.now().toISOString(), data }
  const attempt = await attemptDelivery(deps, { webhook, message, signal })
  const about = { message_id: message.id, webhook_id: id, event: TEST_EVENT, job_id: null, attempt: 1 }
  const delivery = newDelivery(about, attempt, null)
  const outcome = toDeliveryResource(delivery)
  await deps.db.transaction().execute(async (transaction) => {
    await recordTest(transaction, delivery)
    await storeResponse(transaction, outcome)
  })
  return outcome
}

/**
 * A delivered test enables the webhook and makes its pending messages due; a failed test changes
 * nothing.
 */
async function recordTest(transaction: Transaction<Tables>, delivery: WebhookDelivery): Promise<void> {
  const webhook = await lockWebhook(transaction, delivery.webhook_id)
  if (webhook === null) throw new ApiError('webhook_not_found')
  await insertDelivery(transaction, delivery)
  if (delivery.outcome === 'failed') return
  await setWebhookState(transaction, webhook.id, {
    status: 'enabled',
    disabled_reason: null,
    failures: 0,
    failing_since: null,
  })
  await retryMessagesNow(transaction, { webhookId: webhook.id, now: delivery.attempted_at })
}

function parsePosition(position: string | null): { attemptedAt: string; id: string } | null {
  const [, attemptedAt = '', id = ''] = position?.match(POSITION) ?? []
  return position === null ? null : { attemptedAt, id }
}

/**
 * Webhooks of an organization. All methods reject with `scope_forbidden` for a memory-scoped key,
 * and with `webhook_not_found` for an unknown id.
 */
export type WebhooksService = {
  /**
   * Rejects also with `url_not_allowed`, `validation_failed` and `webhook_limit_reached`. The
   * secret is returned only here.
   */
  create(caller: Caller, input: NewWebhook, storeResponse?: StoreResponse<CreatedWebhook>): Promise<CreatedWebhook>
  list(caller: Caller, page: PageRequest): Promise<Page<'webhooks', WebhookResource>>
  get(caller: Caller, webhookId: string): Promise<WebhookResource>
  /** Deletes a webhook with its pending messages. */
  delete(caller: Caller, webhookId: string): Promise<void>
  /**
   * Sends a test message once, without retries, and returns the result; a delivered test enables a
   * disabled webhook.
   */
  test(caller: Caller, webhookId: string, work: Work<WebhookDeliveryResource>): Promise<WebhookDeliveryResource>
  /** Lists stored delivery attempts, newest first. */
  listDeliveries(
    caller: Caller,
    webhookId: string,
    page: PageRequest,
  ): Promise<Page<'deliveries', WebhookDeliveryResource>>
}

type NewWebhook = { url: string; events: readonly WebhookEvent[] }
type CreatedWebhook = WebhookResource & { secret: string }

/**
 * Converts a webhook for the response, without its secret; `waiting` is the number of pending
 * messages.
 */
function toWebhookResource(webhook: Webhook, waiting: number): WebhookResource {
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

/** Converts a delivery attempt for the response. */
function toDeliveryResource(delivery: WebhookDelivery): WebhookDeliveryResource {
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
