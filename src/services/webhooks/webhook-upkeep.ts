import type { Kysely } from 'kysely'
import type { Tables } from '../../database/schema.ts'
import { purgeDeliveries } from '../../database/webhooks/webhook-deliveries.ts'
import { bringMessagesForward } from '../../database/webhooks/webhook-messages.ts'
import { purgeStrayMessages } from '../../database/webhooks/webhooks.ts'
import { WEBHOOKS } from '../../limits.ts'
import { LONGEST_PAUSE_MS } from './choose-next-attempt.ts'

/** Purging looks through all attempts that are kept, and one more hour of them does no harm. */
const PURGE_PAUSE_MS = 3600_000

/**
 * What comes round every minute or so. What waits longer than anything is meant to, since the clock was set back, is due. Once an hour,
 * by the process's own clock, attempts go that are too old or too many, and what is left of webhooks that are no more.
 */
export function createWebhookUpkeep({ db, now }: { db: Kysely<Tables>; now: () => Date }): () => Promise<void> {
  let purgedMs = Number.NEGATIVE_INFINITY
  return async () => {
    await bringMessagesForward(db, { now: now(), longestMs: LONGEST_PAUSE_MS })
    if (performance.now() - purgedMs < PURGE_PAUSE_MS) return
    purgedMs = performance.now()
    const before = new Date(now().getTime() - WEBHOOKS.deliveriesKeptMs)
    await purgeDeliveries(db, { before, perWebhook: WEBHOOKS.deliveriesKept })
    await purgeStrayMessages(db)
  }
}
