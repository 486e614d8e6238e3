/** Tables of webhooks and their delivery attempts. Messages are in `webhook-messages-table.ts`. */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables, Webhook, WebhookDelivery } from '../schema.ts'
import { isPostgres } from '../statements.ts'

/** Inserts a webhook. */
export async function insertWebhook(db: Kysely<Tables>, webhook: Webhook): Promise<void> {
  await db.insertInto('webhooks').values(webhook).execute()
}

/** A webhook of an organization. */
type WebhookKey = { organizationId: string; webhookId: string }

/** Reads a webhook; `null` if unknown in the organization. */
export async function getWebhook(
  db: Kysely<Tables>,
  { organizationId, webhookId }: WebhookKey,
): Promise<Webhook | null> {
  const found = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', webhookId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return found ?? null
}

/** Locks and reads a webhook of any organization; `null` if deleted. */
export async function lockWebhook(transaction: Transaction<Tables>, webhookId: string): Promise<Webhook | null> {
  const found = await transaction
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', webhookId)
    .$if(isPostgres(transaction), (webhooks) => webhooks.forNoKeyUpdate())
    .executeTakeFirst()
  return found ?? null
}

/** Lists up to `limit` webhooks, newest first, after the id `after`. */
export function listWebhooks(
  db: Kysely<Tables>,
  { organizationId, after, limit }: { organizationId: string; after: string | null; limit: number },
): Promise<Webhook[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(after !== null, (page) => page.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Counts the webhooks of an organization. */
export async function countWebhooks(db: Kysely<Tables>, organizationId: string): Promise<number> {
  const { total } = await db
    .selectFrom('webhooks')
    .where('organization_id', '=', organizationId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Deletes a webhook with its messages and attempts; `false` if unknown in the organization. */
export async function deleteWebhook(
  transaction: Transaction<Tables>,
  { organizationId, webhookId }: WebhookKey,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('webhooks')
    .where('id', '=', webhookId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  for (const table of ['webhook_messages', 'webhook_deliveries'] as const) {
    await transaction.deleteFrom(table).where('webhook_id', '=', webhookId).execute()
  }
  return true
}

/** Columns updated after an attempt. */
export type WebhookState = Pick<Webhook, 'status' | 'disabled_reason' | 'failures' | 'failing_since'>

/** Updates the state of a webhook; disabling deletes its messages. */
export async function setWebhookState(
  transaction: Transaction<Tables>,
  webhookId: string,
  state: WebhookState,
): Promise<void> {
  await transaction.updateTable('webhooks').set(state).where('id', '=', webhookId).execute()
  if (state.status === 'enabled') return
  await transaction.deleteFrom('webhook_messages').where('webhook_id', '=', webhookId).execute()
}

/**
 * Deletes messages without an enabled webhook, written by a transaction concurrent with the
 * deletion.
 */
export async function purgeOrphanedMessages(db: Kysely<Tables>): Promise<void> {
  const enabled = sql`select id from webhooks where status = 'enabled'`
  await sql`delete from webhook_messages where webhook_id not in (${enabled})`.execute(db)
  await sql`delete from webhook_deliveries where webhook_id not in (select id from webhooks)`.execute(db)
}

/** Inserts a delivery attempt. */
export async function insertDelivery(db: Kysely<Tables>, delivery: WebhookDelivery): Promise<void> {
  await db.insertInto('webhook_deliveries').values(delivery).execute()
}

/** Lists up to `limit` attempts of a webhook, newest first, after `after`. */
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

/** Counts the stored attempts of a webhook. */
export async function countDeliveries(db: Kysely<Tables>, webhookId: string): Promise<number> {
  const { total } = await db
    .selectFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/**
 * Deletes attempts before `before`, and all but the newest `perWebhook` attempts of each webhook.
 */
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
