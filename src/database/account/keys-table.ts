/** Rows of API keys. A revoked key keeps its row and is never listed again. */
import type { Kysely } from 'kysely'
import type { Key, Organization, Tables } from '../schema.ts'

/** The key with this SHA-256 and its organization's plan, whatever became of the key; `null` when there is none. */
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

/** True when the key is refused no more than when it was presented: neither revoked nor expired by `now`. */
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

/** Adds a key; rejects with a unique violation when the same key is there. */
export async function insertKey(db: Kysely<Tables>, key: Key): Promise<void> {
  await db.insertInto('keys').values(key).execute()
}

/** At most `limit` keys that are not revoked, newest first; `after` is the identifier of the last of the page before. */
export function listKeys(
  db: Kysely<Tables>,
  { organizationId, after, limit }: { organizationId: string; after: string | null; limit: number },
): Promise<Key[]> {
  return unrevoked(db, organizationId)
    .selectAll()
    .$if(after !== null, (page) => page.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** How many keys of the organization are not revoked. */
export async function countKeys(db: Kysely<Tables>, organizationId: string): Promise<number> {
  const { total } = await unrevoked(db, organizationId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Revokes a key; `false` when the organization has none like it, or it was revoked before. */
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

/** Revokes every key of a memory. */
export async function revokeKeysOfMemory(db: Kysely<Tables>, memoryId: string, now: string): Promise<void> {
  await db
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('memory_id', '=', memoryId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Notes that a key was used at `now`, unless that is noted of a moment after `notedBefore`. */
export async function touchKey(
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

function unrevoked(db: Kysely<Tables>, organizationId: string) {
  return db.selectFrom('keys').where('organization_id', '=', organizationId).where('revoked_at', 'is', null)
}
