import type { Kysely } from 'kysely'
import { WEBHOOKS } from '../../limits.ts'
import type { Tables } from '../../store/schema.ts'
import { purgeDeliveries } from '../../store/webhook-deliveries.ts'
import { bringMessagesForward } from '../../store/webhook-messages.ts'
import { purgeStrayMessages } from '../../store/webhooks.ts'
import { LONGEST_PAUSE_MS } from './choose-next-attempt.ts'

/**
 * Removes attempts that are too old or too many, and what is left of webhooks that are no more. What waits longer than anything is
 * meant to, since the clock was set back, is due.
 */
export async function tendWebhooks(db: Kysely<Tables>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - WEBHOOKS.deliveriesKeptMs)
  await purgeDeliveries(db, { before, perWebhook: WEBHOOKS.deliveriesKept })
  await purgeStrayMessages(db)
  await bringMessagesForward(db, { now, longestMs: LONGEST_PAUSE_MS })
}
