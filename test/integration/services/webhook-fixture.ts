/** Webhooks on a real database, with a function as receiver and a manual clock. */

import { finalizeJob, type JobOutcome } from '../../../src/database/jobs/jobs-table.ts'
import type { Job, WebhookDelivery, WebhookMessage } from '../../../src/database/schema.ts'
import { ApiError } from '../../../src/errors.ts'
import { createWebhookSender, type WebhookSender } from '../../../src/services/webhooks/webhook-sender.ts'
import type { WebhooksService } from '../../../src/services/webhooks/webhooks-service.ts'
import { createWebhooksService } from '../../../src/services/webhooks/webhooks-service.ts'
import type { SentAnswer, UrlSender } from '../../../src/url-fetch/url-sender.ts'
import { NO_RESERVE } from '../database/temporary-store.ts'
import { callerOf, ORGANIZATION, openQueue, type Queue, SILENT } from '../jobs/queue.ts'

/** A request as received. */
type Received = { url: string; headers: Readonly<Record<string, string>>; body: string; at: Date }
/** The answer of a receiver; a number is a status, an API error means no answer. */
type Receive = (received: Received) => Promise<number | Partial<SentAnswer> | ApiError>

const EVERYTHING = ['job.completed', 'job.failed', 'job.partial'] as const

export type WebhookFixture = Queue & {
  webhooks: WebhooksService
  sender: WebhookSender
  received: Received[]
  /** Sets the later behaviour of receivers. */
  answer(receive: Receive): void
  /** A second sender on the same outbox, as in another process. */
  openSender(): WebhookSender
  makeWebhook(url?: string, organizationId?: string): Promise<{ id: string; secret: string }>
  endJob(status?: JobOutcome['status'], organizationId?: string): Promise<Job>
  messages(): Promise<WebhookMessage[]>
  deliveries(): Promise<WebhookDelivery[]>
}

export async function openWebhookFixture(place?: string): Promise<WebhookFixture> {
  const queue = await openQueue(place)
  const { db, changes, clock } = queue
  const received: Received[] = []
  let receive: Receive = async () => 200
  const urls: UrlSender = {
    requireUrl: async (text) => new URL(text),
    async post(url, { headers, body }) {
      const request = { url, headers, body: body.toString(), at: clock.now() }
      received.push(request)
      const answer = await receive(request)
      if (answer instanceof ApiError) throw answer
      const sent = typeof answer === 'number' ? { status: answer } : answer
      return { status: 200, retryAfter: null, body: 'thanks', ...sent }
    },
  }
  const sending = { db, urls, changes, now: clock.now, log: SILENT, isOnly: true, onAttempt: () => undefined }
  const webhooks = createWebhooksService({ db, blobs: NO_RESERVE, urls, now: clock.now })
  const openSender = () => createWebhookSender({ ...sending, random: () => 0.5 })

  async function makeOrganization(id: string): Promise<void> {
    const organization = { id, name: 'o', plan: 'unlimited', created_at: clock.now().toISOString() }
    await db
      .insertInto('organizations')
      .values(organization)
      .onConflict((known) => known.doNothing())
      .execute()
  }

  return {
    ...queue,
    webhooks,
    sender: openSender(),
    openSender,
    received,
    answer: (next) => {
      receive = next
    },
    async makeWebhook(url = 'https://hooks.example/a', organizationId = ORGANIZATION) {
      await makeOrganization(organizationId)
      return webhooks.create(callerOf(organizationId), { url, events: EVERYTHING })
    },
    async endJob(status = 'completed', organizationId = ORGANIZATION) {
      const job = await queue.add({ organizationId })
      const lease = { lease_token: `lease of ${job.id}`, status: 'processing' } as const
      await db.updateTable('jobs').set(lease).where('id', '=', job.id).execute()
      const rest = { message: status, result: null, error: null, errorCode: null, now: clock.now() }
      const end = { jobId: job.id, leaseToken: lease.lease_token, status, ...rest }
      return db.transaction().execute((transaction) => finalizeJob(transaction, end))
    },
    messages: () => db.selectFrom('webhook_messages').selectAll().orderBy('id').execute(),
    deliveries: () => db.selectFrom('webhook_deliveries').selectAll().orderBy('attempted_at').orderBy('id').execute(),
  }
}
