import { type Kysely, sql, type Transaction } from 'kysely'
import { liveNodes } from '../process-tables.ts'
import type { IdempotencyRow, Tables } from '../schema.ts'

/**
 * `commits` of a running claim after a deletion in its memory; work that commits overwrites the
 * value.
 */
const OUTDATED = 2

/** An Idempotency-Key of a caller. */
export type IdempotencyKey = { keyId: string; idempotencyKey: string }

/** Claims the key; `false` if already present. */
export async function insertClaim(transaction: Transaction<Tables>, claim: IdempotencyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('idempotency')
    .values(claim)
    .onConflict((conflict) => conflict.columns(['key_id', 'idempotency_key']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Reads the claim of a key; `null` if absent. */
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

/** Deletes a claim created before `before`. */
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
 * Stores the response of the running claim of `owner`. Returns `false` without such a claim, or if
 * the work committed nothing and data of the memory was deleted meanwhile.
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

/**
 * Sums the bytes of an organization's stored responses; with `computed`, only those of work without
 * a commit.
 */
export async function sumResponseBytes(
  db: Kysely<Tables>,
  organizationId: string,
  { computed = false } = {},
): Promise<number> {
  const { bytes } = await db
    .selectFrom('idempotency')
    // SQLite knows the byte length of a text without reading it.
    .select(sql<number | string | null>`sum(octet_length(body))`.as('bytes'))
    .where((where) =>
      where.or([
        // With keys disabled, `key_id` is the organization.
        where('key_id', '=', organizationId),
        where('key_id', 'in', where.selectFrom('keys').select('id').where('organization_id', '=', organizationId)),
      ]),
    )
    .$if(computed, (claims) => claims.where('commits', '=', 0))
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** Releases the running claim of `owner`. */
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

/** Releases the running claims of dead processes; returns their number. */
export async function releaseDeadClaims(db: Kysely<Tables>, seenSince: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency')
    .where('state', '=', 'running')
    .where('owner', 'not in', liveNodes(seenSince))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Deletes up to `limit` claims created before `before`, oldest first; returns their number. */
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
 * Deletes the stored responses about a memory of work without a commit, such as searches. They may
 * contain text of a deleted document, and the request can be repeated. Responses in progress may
 * have read that text and are not stored.
 */
export async function deleteComputedResponses(transaction: Transaction<Tables>, memoryId: string): Promise<void> {
  // First, because the other process may store its response before the next statement.
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

/** Deletes every stored response about a deleted memory. */
export async function deleteResponses(db: Kysely<Tables>, memoryId: string): Promise<void> {
  await db.deleteFrom('idempotency').where('memory_id', '=', memoryId).where('state', '=', 'done').execute()
}

/** Stored response of committed work. */
export type StoredResponse = IdempotencyKey & { body: string }

/**
 * Lists up to `limit` stored responses of committed work on a memory, in key order after `after`.
 */
export async function listStoredResponses(
  db: Kysely<Tables>,
  memoryId: string,
  { after, limit }: { after: IdempotencyKey | null; limit: number },
): Promise<StoredResponse[]> {
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

/** Replaces the body of a stored response. */
export async function updateResponseBody(
  db: Kysely<Tables>,
  { keyId, idempotencyKey, body }: StoredResponse,
): Promise<void> {
  await db
    .updateTable('idempotency')
    .set({ body })
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('state', '=', 'done')
    .execute()
}
