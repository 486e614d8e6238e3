/**
 * Rows of webhooks: made, read, enabled, disabled and deleted. What is sent to them stands in `webhook-messages.ts`.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables, Webhook, WebhookDelivery } from '../schema.ts'
import { isPostgres } from '../statements.ts'

/** Adds a webhook. */
export async function insertWebhook(db: Kysely<Tables>, webhook: Webhook): Promise<void> {
  await db.insertInto('webhooks').values(webhook).execute()
}

/** One webhook of an organization. */
type OwnWebhook = { organizationId: string; webhookId: string }

/** The webhook, or `null` when the organization has none like it. */
export async function getWebhook(
  db: Kysely<Tables>,
  { organizationId, webhookId }: OwnWebhook,
): Promise<Webhook | null> {
  const found = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', webhookId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return found ?? null
}

/** The webhook, whoever it belongs to, its row locked until the transaction ends; `null` when it was deleted. */
export async function lockWebhook(transaction: Transaction<Tables>, webhookId: string): Promise<Webhook | null> {
  const found = await transaction
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', webhookId)
    .$if(isPostgres(transaction), (webhooks) => webhooks.forNoKeyUpdate())
    .executeTakeFirst()
  return found ?? null
}

/** At most `limit` webhooks, newest first; `after` is the identifier of the last of the page before. */
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

/** How many webhooks the organization has. */
export async function countWebhooks(db: Kysely<Tables>, organizationId: string): Promise<number> {
  const { total } = await db
    .selectFrom('webhooks')
    .where('organization_id', '=', organizationId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Deletes a webhook with what waits for it and its attempts; `false` when the organization has none like it. */
export async function deleteWebhook(
  transaction: Transaction<Tables>,
  { organizationId, webhookId }: OwnWebhook,
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

/** What an attempt changes of its webhook. */
export type WebhookState = Pick<Webhook, 'status' | 'disabled_reason' | 'failures' | 'failing_since'>

/** Writes how a webhook stands; what waits for one that is disabled is dropped. */
export async function setWebhookState(
  transaction: Transaction<Tables>,
  webhookId: string,
  state: WebhookState,
): Promise<void> {
  await transaction.updateTable('webhooks').set(state).where('id', '=', webhookId).execute()
  if (state.status === 'enabled') return
  await transaction.deleteFrom('webhook_messages').where('webhook_id', '=', webhookId).execute()
}

/** Removes what belongs to no webhook, or to a disabled one: written by a transaction that ran beside the deletion. */
export async function purgeStrayMessages(db: Kysely<Tables>): Promise<void> {
  const enabled = sql`select id from webhooks where status = 'enabled'`
  await sql`delete from webhook_messages where webhook_id not in (${enabled})`.execute(db)
  await sql`delete from webhook_deliveries where webhook_id not in (select id from webhooks)`.execute(db)
}

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
