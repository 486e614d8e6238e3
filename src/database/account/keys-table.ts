/** Table `keys`. A revoked key keeps its row, but is not listed. */
import type { Kysely, Transaction } from 'kysely'
import { CHECKED_COLUMNS } from '../row-checksums.ts'
import type { Key, Organization, Tables } from '../schema.ts'
import { anonymizeKeyUsage } from './usage-table.ts'

/** Identifies a key of an organization. */
type OwnKey = { organizationId: string; keyId: string }

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

/** True for an active key of the organization. */
export async function isKeyOf(db: Kysely<Tables>, { organizationId, keyId }: OwnKey): Promise<boolean> {
  const key = activeKeys(db, organizationId).select('id').where('id', '=', keyId)
  return (await key.executeTakeFirst()) !== undefined
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

/** True if an organization has a key, or had one that is revoked. */
export async function hadKey(db: Kysely<Tables>, organizationId: string): Promise<boolean> {
  const key = db.selectFrom('keys').select('id').where('organization_id', '=', organizationId).limit(1)
  return (await key.executeTakeFirst()) !== undefined
}

/** Counts the active keys of an organization. */
export async function countKeys(db: Kysely<Tables>, organizationId: string): Promise<number> {
  const { total } = await activeKeys(db, organizationId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/**
 * Revokes a key and returns it; `null` if unknown in the organization or already revoked. Usage
 * with the key becomes usage without a key.
 */
export async function revokeKey(
  db: Transaction<Tables>,
  { organizationId, keyId, now }: OwnKey & { now: string },
): Promise<Key | null> {
  const revoked = await db
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('id', '=', keyId)
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .returning(KEY_COLUMNS)
    .executeTakeFirst()
  if (revoked === undefined) return null
  await anonymizeKeyUsage(db, { organizationId, id: keyId })
  return revoked
}

/** Counts the other valid admin keys of an organization. */
export async function countOtherAdminKeys(
  db: Kysely<Tables>,
  { organizationId, keyId, now }: OwnKey & { now: string },
): Promise<number> {
  const { total } = await activeKeys(db, organizationId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('role', '=', 'admin')
    .where('id', '!=', keyId)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Renames an active key; `null` if unknown in the organization or revoked. */
export async function renameKey(
  db: Kysely<Tables>,
  { organizationId, keyId, name }: OwnKey & { name: string },
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

/**
 * Revokes the keys of a memory, like {@link revokeKey}. A key of several memories keeps its other
 * memories.
 */
export async function revokeKeysOfMemory(db: Transaction<Tables>, memoryId: string, now: string): Promise<void> {
  const revoked = await db
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('memory_id', '=', memoryId)
    .where('revoked_at', 'is', null)
    .returning(['id', 'organization_id'])
    .execute()
  for (const { id, organization_id: organizationId } of revoked) await anonymizeKeyUsage(db, { organizationId, id })
  const shared = await db
    .selectFrom('keys')
    .select(['id', 'memory_ids'])
    .where('memory_ids', 'like', `%"${memoryId}"%`)
    .where('revoked_at', 'is', null)
    .execute()
  for (const { id, memory_ids } of shared) {
    const left = (JSON.parse(memory_ids ?? '[]') as string[]).filter((one) => one !== memoryId)
    await db.updateTable('keys').set(toMemoryColumns(left)).where('id', '=', id).execute()
  }
}

/** Columns of the memories of a key: `memory_id` for a single one, `memory_ids` for several. */
export function toMemoryColumns(memoryIds: readonly string[]): Pick<Key, 'memory_id' | 'memory_ids'> {
  const [only = null, ...others] = memoryIds
  return others.length === 0
    ? { memory_id: only, memory_ids: null }
    : { memory_id: null, memory_ids: JSON.stringify(memoryIds) }
}

/** Memories of a key; `null` for an organization key. */
export function readMemoryIds({ scope, memory_id, memory_ids }: Key): readonly string[] | null {
  if (scope === 'organization') return null
  return memory_id === null ? (JSON.parse(memory_ids ?? '[]') as string[]) : [memory_id]
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
