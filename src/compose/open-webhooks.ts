import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { Tables } from '../database/schema.ts'
import { WEBHOOKS } from '../limits.ts'
import type { Log } from '../observability/log.ts'
import type { Meters } from '../observability/meters.ts'
import type { Ballast } from '../services/deletion/with-ballast.ts'
import type { JobChanges } from '../services/jobs/job-changes.ts'
import {
  createWebhookMaintenance,
  createWebhookSender,
  type WebhookSender,
} from '../services/webhooks/webhook-sender.ts'
import { createWebhooksService, type WebhooksService } from '../services/webhooks/webhooks-service.ts'
import { createUrlSender } from '../url-fetch/url-sender.ts'

/** Bytes to read of a response: the longest UTF-8 form of the characters kept. */
const MAX_ANSWER_BYTES = 4 * WEBHOOKS.answerCharacters

/** Dependencies of webhooks. */
export type OpenWebhooksDeps = {
  db: Kysely<Tables>
  blobs: Ballast
  changes: JobChanges
  log: Log
  now: () => Date
  meters: Pick<Meters, 'webhookSent'>
}

/** Management, delivery and housekeeping of webhooks. */
export type Webhooks = { service: WebhooksService; sender: WebhookSender; tend(): Promise<void> }

/** Creates the webhooks; nothing is sent before the sender starts. */
export function openWebhooks({ urls: { allowPrivate }, hasPeers }: Config, deps: OpenWebhooksDeps): Webhooks {
  const { db, blobs, changes, log, now, meters } = deps
  const urls = createUrlSender({ allowPrivate, timeoutMs: WEBHOOKS.timeoutMs, maxBodyBytes: MAX_ANSWER_BYTES })
  const sending = { db, urls, changes, log, now, isOnly: !hasPeers, onAttempt: meters.webhookSent }
  return {
    service: createWebhooksService({ db, blobs, urls, now }),
    sender: createWebhookSender(sending),
    tend: createWebhookMaintenance({ db, now }),
  }
}
