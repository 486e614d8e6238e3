import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { Tables } from '../database/schema.ts'
import { WEBHOOKS } from '../limits.ts'
import type { Log } from '../observability/log.ts'
import type { Meters } from '../observability/meters.ts'
import type { Reserve } from '../services/deletion/with-ballast.ts'
import type { JobChanges } from '../services/jobs/job-changes.ts'
import { createWebhookSender, createWebhookUpkeep, type WebhookSender } from '../services/webhooks/webhook-sender.ts'
import { createWebhooksService, type WebhooksService } from '../services/webhooks/webhooks-service.ts'
import { createUrlSender } from '../url-fetch/url-sender.ts'

/** Bytes of an answer that are read: the longest in UTF-8 of those characters that are kept. */
const MAX_ANSWER_BYTES = 4 * WEBHOOKS.answerCharacters

/** What webhooks need of the service. */
export type WebhookParts = {
  db: Kysely<Tables>
  blobs: Reserve
  changes: JobChanges
  log: Log
  now: () => Date
  meters: Pick<Meters, 'webhookSent'>
}

/** Webhooks as callers manage them, what sends to them, and what comes round. */
export type Webhooks = { service: WebhooksService; sender: WebhookSender; tend(): Promise<void> }

/** Puts webhooks together; nothing is sent before the sender is started. */
export function openWebhooks({ urls: { allowPrivate }, hasPeers }: Config, parts: WebhookParts): Webhooks {
  const { db, blobs, changes, log, now, meters } = parts
  const urls = createUrlSender({ allowPrivate, timeoutMs: WEBHOOKS.timeoutMs, maxBodyBytes: MAX_ANSWER_BYTES })
  const sending = { db, urls, changes, log, now, isOnly: !hasPeers, sent: meters.webhookSent }
  return {
    service: createWebhooksService({ db, blobs, urls, now }),
    sender: createWebhookSender(sending),
    tend: createWebhookUpkeep({ db, now }),
  }
}
