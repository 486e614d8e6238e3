/** Table `keys`. A revoked key keeps its row, but is not listed. */
import type { Kysely } from 'kysely'
import { CHECKED_COLUMNS } from '../row-checksums.ts'
import type { Key, Organization, Tables } from '../schema.ts'

const KEY_COLUMNS = [...CHECKED_COLUMNS.keys, 'last_used_at'] as const

/**
 * Finds a key by SHA-256, with the organization's plan, even if revoked or expired; `null` if
 * unknown.
 */
export async function findKeyByHash(
  db: Kysely<Tables>,
  hash: string,
): Promise<(Key & { plan: Organization['plan'] }) | null> {
  const found = await db
    .selectFrom('keys')
    .innerJoin('organizations', 'organizations.id', 'keys.organization_id')
    .selectAll('keys')
    .select('organizations.plan')
    .where('keys.hash', '=', hash)
    .executeTakeFirst()
  return found ?? null
}

/** True if the key is neither revoked nor expired at `now`. */
export async function isKeyValid(db: Kysely<Tables>, keyId: string, now: string): Promise<boolean> {
  const valid = await db
    .selectFrom('keys')
    .select('id')
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirst()
  return valid !== undefined
}

/** Inserts a key; rejects with a unique violation if the key exists. */
export async function insertKey(db: Kysely<Tables>, key: Key): Promise<void> {
  await db.insertInto('keys').values(key).execute()
}

/** Lists up to `limit` active keys, newest first, after the id `after`. */
export function listKeys(
  db: Kysely<Tables>,
  { organizationId, after, limit }: { organizationId: string; after: string | null; limit: number },
): Promise<Key[]> {
  return activeKeys(db, organizationId)
    .selectAll()
    .$if(after !== null, (page) => page.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Counts the active keys of an organization. */
export async function countKeys(db: Kysely<Tables>, organizationId: string): Promise<number> {
  const { total } = await activeKeys(db, organizationId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Revokes a key; `false` if unknown in the organization or already revoked. */
export async function revokeKey(
  db: Kysely<Tables>,
  { organizationId, keyId, now }: { organizationId: string; keyId: string; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('id', '=', keyId)
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Renames an active key; `null` if unknown in the organization or revoked. */
export async function renameKey(
  db: Kysely<Tables>,
  { organizationId, keyId, name }: { organizationId: string; keyId: string; name: string },
): Promise<Key | null> {
  const renamed = await db
    .updateTable('keys')
    .set({ name })
    .where('id', '=', keyId)
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .returning(KEY_COLUMNS)
    .executeTakeFirst()
  return renamed ?? null
}

/** Revokes all keys of a memory. */
export async function revokeKeysOfMemory(db: Kysely<Tables>, memoryId: string, now: string): Promise<void> {
  await db
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('memory_id', '=', memoryId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Updates the last use of a key, unless updated after `notedBefore`. */
export async function recordKeyUse(
  db: Kysely<Tables>,
  { keyId, now, notedBefore }: { keyId: string; now: string; notedBefore: string },
): Promise<void> {
  await db
    .updateTable('keys')
    .set({ last_used_at: now })
    .where('id', '=', keyId)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', notedBefore)]))
    .execute()
}

function activeKeys(db: Kysely<Tables>, organizationId: string) {
  return db.selectFrom('keys').where('organization_id', '=', organizationId).where('revoked_at', 'is', null)
}
