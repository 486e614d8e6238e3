import { type Kysely, sql, type Transaction } from 'kysely'
import { liveNodes } from '../process-tables.ts'
import type { IdempotencyRow, Tables } from '../schema.ts'

/** `commits` of a running claim while which something of its memory was deleted; work that commits overwrites it. */
const OUTDATED = 2

/** A caller's Idempotency-Key. */
export type IdempotencyKey = { keyId: string; idempotencyKey: string }

/** Claims the key; `false` when it is there already. */
export async function insertClaim(transaction: Transaction<Tables>, claim: IdempotencyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('idempotency')
    .values(claim)
    .onConflict((conflict) => conflict.columns(['key_id', 'idempotency_key']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** What is known of the key, `null` when nothing. */
export async function getClaim(
  transaction: Transaction<Tables>,
  { keyId, idempotencyKey }: IdempotencyKey,
): Promise<IdempotencyRow | null> {
  const found = await transaction
    .selectFrom('idempotency')
    .selectAll()
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst()
  return found ?? null
}

/** Forgets what is known of the key from before `before`. */
export async function deleteOldClaim(
  transaction: Transaction<Tables>,
  { keyId, idempotencyKey, before }: IdempotencyKey & { before: string },
): Promise<void> {
  await transaction
    .deleteFrom('idempotency')
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('created_at', '<', before)
    .execute()
}

/**
 * Keeps the answer of the running claim of `owner`, and whether it is of work that was committed; `false` when that owner has none, and of work that committed
 * nothing also when something was deleted while it ran.
 */
export async function finishClaim(
  db: Kysely<Tables>,
  {
    keyId,
    idempotencyKey,
    owner,
    ...answer
  }: IdempotencyKey & Pick<IdempotencyRow, 'owner' | 'status' | 'headers' | 'body' | 'commits'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency')
    .set({ ...answer, state: 'done' })
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('owner', '=', owner)
    .where('state', '=', 'running')
    .$if(answer.commits === 0, (claim) => claim.where('commits', '!=', OUTDATED))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Bytes of answers that are kept for the keys of an organization, those that nothing was committed with apart where `computed` is asked for. */
export async function sumKeptBytes(
  db: Kysely<Tables>,
  organizationId: string,
  { computed = false } = {},
): Promise<number> {
  const { bytes } = await db
    .selectFrom('idempotency')
    // Of a text SQLite knows its bytes without reading it.
    .select(sql<number | string | null>`sum(octet_length(body))`.as('bytes'))
    .where((where) =>
      where.or([
        // Where keys are switched off, the organization itself is the owner.
        where('key_id', '=', organizationId),
        where('key_id', 'in', where.selectFrom('keys').select('id').where('organization_id', '=', organizationId)),
      ]),
    )
    .$if(computed, (claims) => claims.where('commits', '=', 0))
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** Gives the running claim of `owner` back. */
export async function releaseClaim(
  db: Kysely<Tables>,
  { keyId, idempotencyKey, owner }: IdempotencyKey & { owner: string },
): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('owner', '=', owner)
    .where('state', '=', 'running')
    .execute()
}

/** Gives back the running claims of processes that are gone; returns how many there were. */
export async function releaseDeadClaims(db: Kysely<Tables>, seenSince: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency')
    .where('state', '=', 'running')
    .where('owner', 'not in', liveNodes(seenSince))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Forgets at most `limit` claims from before `before`, oldest first; returns how many. */
export async function purgeClaims(
  db: Kysely<Tables>,
  { before, limit }: { before: string; limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency')
    .where((where) =>
      where(
        where.refTuple('key_id', 'idempotency_key'),
        'in',
        where
          .selectFrom('idempotency')
          .select(['key_id', 'idempotency_key'])
          .where('created_at', '<', before)
          .orderBy('created_at')
          .limit(limit)
          .$asTuple('key_id', 'idempotency_key'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/**
 * Forgets what was answered about a memory without anything being committed, such as what a search found: it may hold words of a document that goes, and
 * the same request can be answered anew. What is being answered at this moment may have read those words, and will not be kept.
 */
export async function forgetComputedAnswers(transaction: Transaction<Tables>, memoryId: string): Promise<void> {
  // First: an answer that is kept at this moment by another process is finished when the next statement looks.
  await transaction
    .updateTable('idempotency')
    .set({ commits: OUTDATED })
    .where('memory_id', '=', memoryId)
    .where('state', '=', 'running')
    .execute()
  await transaction
    .deleteFrom('idempotency')
    .where('memory_id', '=', memoryId)
    .where('commits', '=', 0)
    .where('state', '=', 'done')
    .execute()
}

/** Forgets every answer about a memory that is gone. */
export async function forgetAnswers(db: Kysely<Tables>, memoryId: string): Promise<void> {
  await db.deleteFrom('idempotency').where('memory_id', '=', memoryId).where('state', '=', 'done').execute()
}

/** A kept answer to work that was committed. */
export type KeptAnswer = IdempotencyKey & { body: string }

/** At most `limit` kept answers to work on a memory, in the order of their keys, behind `after`. */
export async function listKeptAnswers(
  db: Kysely<Tables>,
  memoryId: string,
  { after, limit }: { after: IdempotencyKey | null; limit: number },
): Promise<KeptAnswer[]> {
  const rows = await db
    .selectFrom('idempotency')
    .select(['key_id', 'idempotency_key', 'body'])
    .where('memory_id', '=', memoryId)
    .where('commits', '=', 1)
    .$if(after !== null, (rest) =>
      rest.where((where) =>
        where(
          where.refTuple('key_id', 'idempotency_key'),
          '>',
          where.tuple(after?.keyId ?? '', after?.idempotencyKey ?? ''),
        ),
      ),
    )
    .orderBy('key_id')
    .orderBy('idempotency_key')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ keyId: row.key_id, idempotencyKey: row.idempotency_key, body: row.body ?? '' }))
}

/** Puts another body in the place of a kept one. */
export async function setAnswerBody(db: Kysely<Tables>, { keyId, idempotencyKey, body }: KeptAnswer): Promise<void> {
  await db
    .updateTable('idempotency')
    .set({ body })
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('state', '=', 'done')
    .execute()
}
