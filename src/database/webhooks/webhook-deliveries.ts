import { type Kysely, sql } from 'kysely'
import type { Tables, WebhookDelivery } from '../schema.ts'

/** Notes an attempt. */
export async function insertDelivery(db: Kysely<Tables>, delivery: WebhookDelivery): Promise<void> {
  await db.insertInto('webhook_deliveries').values(delivery).execute()
}

/** At most `limit` attempts of a webhook, newest first, from the one after `after` on. */
export function listDeliveries(
  db: Kysely<Tables>,
  page: { webhookId: string; after: { attemptedAt: string; id: string } | null; limit: number },
): Promise<WebhookDelivery[]> {
  const { webhookId, after, limit } = page
  const all = db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhookId)
  const rest =
    after === null
      ? all
      : all.where((eb) => eb(eb.refTuple('attempted_at', 'id'), '<', eb.tuple(after.attemptedAt, after.id)))
  return rest.orderBy('attempted_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** How many attempts of a webhook are kept. */
export async function countDeliveries(db: Kysely<Tables>, webhookId: string): Promise<number> {
  const { total } = await db
    .selectFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Removes attempts from before `before`, and of each webhook all but the newest `perWebhook`. */
export async function purgeDeliveries(
  db: Kysely<Tables>,
  { before, perWebhook }: { before: Date; perWebhook: number },
): Promise<void> {
  await db.deleteFrom('webhook_deliveries').where('attempted_at', '<', before.toISOString()).execute()
  const crowded = await db
    .selectFrom('webhook_deliveries')
    .select('webhook_id')
    .groupBy('webhook_id')
    .having(sql<boolean>`count(*) > ${sql.lit(perWebhook)}`)
    .execute()
  for (const { webhook_id: webhookId } of crowded) await trim(db, webhookId, perWebhook)
}

async function trim(db: Kysely<Tables>, webhookId: string, kept: number): Promise<void> {
  const [oldest] = await db
    .selectFrom('webhook_deliveries')
    .select(['attempted_at', 'id'])
    .where('webhook_id', '=', webhookId)
    .orderBy('attempted_at', 'desc')
    .orderBy('id', 'desc')
    .offset(kept - 1)
    .limit(1)
    .execute()
  if (oldest === undefined) return
  await db
    .deleteFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where((eb) => eb(eb.refTuple('attempted_at', 'id'), '<', eb.tuple(oldest.attempted_at, oldest.id)))
    .execute()
}
