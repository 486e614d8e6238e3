import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Kysely } from 'kysely'
import type { KeyResource, KeyRole, OwnKeyResource } from '../../api/key.ts'
import {
  countKeys,
  countOtherAdminKeys,
  findKeyByHash,
  insertKey,
  listKeys,
  readMemoryIds,
  recordKeyUse,
  renameKey,
  revokeKey,
  toMemoryColumns,
} from '../../database/account/keys-table.ts'
import { lockOrganization } from '../../database/account/organizations-table.ts'
import { lockMemory, requireMemory } from '../../database/memories/memories-table.ts'
import type { Key, Tables } from '../../database/schema.ts'
import { ApiError, invalid } from '../../errors.ts'
import { isId, newId } from '../../ids.ts'
import type { Log } from '../../observability/log.ts'
import type { Caller } from '../caller.ts'
import { type Ballast, withBallastReleased } from '../deletion/with-ballast.ts'
import type { Page, PageRequest } from '../paging.ts'
import { readPage } from '../paging.ts'
import { type StoreResponse, storeNoResponse } from '../request-work.ts'
import { requireName, requireOrganizationScope, requirePlanId } from './account-checks.ts'

/**
 * Minimum interval between updates of a key's last use: a write per request would cost more than
 * the request.
 */
const LAST_USED_INTERVAL_MS = 60_000

/** Dependencies of the keys service. */
type KeysDeps = { db: Kysely<Tables>; blobs: Ballast; now: () => Date; log: Log }

/**
 * Manages the API keys of an organization. Keys are not cached: each request looks up its key (one
 * index probe), so a revocation by any process takes effect immediately.
 */
export function createKeysService({ db, blobs, now, log }: KeysDeps): KeysService {
  function noteUse({ id, last_used_at }: Key): void {
    const at = now()
    const notedBefore = new Date(at.getTime() - LAST_USED_INTERVAL_MS).toISOString()
    if (last_used_at !== null && last_used_at > notedBefore) return
    recordKeyUse(db, { keyId: id, now: at.toISOString(), notedBefore }).catch((err: unknown) => {
      log.warn({ err, keyId: id }, 'the last use of a key could not be recorded')
    })
  }

  return {
    async authenticate(presented) {
      if (isMistypedKey(presented)) return null
      const key = await findKeyByHash(db, hashKey(presented))
      if (key === null || key.revoked_at !== null) return null
      if (key.expires_at !== null && key.expires_at <= now().toISOString()) return null
      noteUse(key)
      return toCaller(key)
    },

    async create(caller, input, storeResponse = storeNoResponse) {
      requireOrganizationScope(caller)
      const name = requireName('name', input.name)
      const expiresAt = toExpiry(input.expiresAt, now())
      const { memoryIds } = input
      const role = requireKeyRole(input)
      const text = newKeyText()
      const { organizationId } = caller
      const key = newKey({ organizationId, name, text, memoryIds, role, expiresAt, now: now() })
      const made = { ...toKeyResource(key), key: text }
      await db.transaction().execute(async (transaction) => {
        // Sorted, so that concurrent requests lock in the same order.
        for (const memoryId of [...(memoryIds ?? [])].sort()) {
          await requireMemory(transaction, caller, memoryId)
          // Lock the memory: a concurrent deletion revokes its keys and would miss the new key.
          if (!(await lockMemory(transaction, memoryId))) throw new ApiError('memory_not_found')
        }
        await insertKey(transaction, key)
        await storeResponse(transaction, made)
      })
      return made
    },

    async list(caller, page) {
      requireOrganizationScope(caller)
      const { organizationId } = caller
      return readPage(page, {
        name: 'keys',
        list: 'keys',
        pattern: /^key_\w{26}$/,
        positionOf: (key) => key.id,
        read: (after, limit) => listKeys(db, { organizationId, after, limit }),
        count: () => countKeys(db, organizationId),
        toResource: toKeyResource,
      })
    },

    getOwn(caller) {
      const key = toOwnKey(caller)
      if (key === null) throw new ApiError('key_not_found', { message: 'Authentication is disabled: no key is used.' })
      return key
    },

    rename: (caller, keyId, name) => rename(db, caller, { keyId, name }),

    revoke: (caller, keyId, { force = false } = {}) => revoke({ db, blobs, now }, caller, { keyId, force }),
  }
}

async function revoke(
  { db, blobs, now }: Pick<KeysDeps, 'db' | 'blobs' | 'now'>,
  caller: Caller,
  { keyId, force }: { keyId: string; force: boolean },
): Promise<void> {
  requireOrganizationScope(caller)
  const key = { organizationId: caller.organizationId, keyId, now: now().toISOString() }
  const revokeUnlessLast = () =>
    db.transaction().execute(async (transaction) => {
      await lockOrganization(transaction, key.organizationId)
      const revoked = await revokeKey(transaction, key)
      if (revoked?.role !== 'admin' || force) return revoked
      if ((await countOtherAdminKeys(transaction, key)) === 0) throw new ApiError('last_admin_key')
      return revoked
    })
  const revoked = isId('key', keyId) ? await withBallastReleased(blobs, revokeUnlessLast) : null
  if (revoked === null) throw new ApiError('key_not_found')
}

/** Role of a new key. Throws for a memory-scoped admin: admins manage the whole organization. */
function requireKeyRole({ role, memoryIds }: Pick<NewKey, 'role' | 'memoryIds'>): KeyRole {
  if (role === 'admin' && memoryIds !== null)
    throw invalid('role', 'must be writer or reader for a key that is limited to memories')
  return role ?? (memoryIds === null ? 'admin' : 'writer')
}

async function rename(
  db: Kysely<Tables>,
  caller: Caller,
  { keyId, name: given }: { keyId: string; name: string },
): Promise<KeyResource> {
  requireOrganizationScope(caller)
  const { organizationId } = caller
  const name = requireName('name', given)
  const renamed = isId('key', keyId) ? await renameKey(db, { organizationId, keyId, name }) : null
  if (renamed === null) throw new ApiError('key_not_found')
  return toKeyResource(renamed)
}

/**
 * A new key. `memoryIds` limits the key to these memories. Without a role, an organization key is
 * an admin, and another key a writer.
 */
export type NewKey = {
  name: string
  memoryIds: readonly string[] | null
  role: KeyRole | null
  expiresAt: string | null
}

/** Facts of a new key; `text` is the secret key. */
type KeyFacts = NewKey & { organizationId: string; text: string; role: KeyRole; now: Date }

/** Creates the row of a new key. */
export function newKey({ organizationId, name, text, memoryIds, role, expiresAt, now }: KeyFacts): Key {
  return {
    id: newId('key', now),
    organization_id: organizationId,
    name,
    hash: hashKey(text),
    preview: previewKey(text),
    scope: memoryIds === null ? 'organization' : 'memory',
    ...toMemoryColumns(memoryIds ?? []),
    role,
    created_at: now.toISOString(),
    last_used_at: null,
    expires_at: expiresAt,
    revoked_at: null,
  }
}

function toExpiry(expiresAt: string | null, now: Date): string | null {
  if (expiresAt === null) return null
  const at = new Date(expiresAt)
  if (Number.isNaN(at.getTime())) throw invalid('expiresAt', 'must be an ISO 8601 date and time')
  if (at <= now) throw invalid('expiresAt', 'must be in the future')
  return at.toISOString()
}

function toCaller(key: Key & { plan: string }): Caller {
  return {
    organizationId: key.organization_id,
    keyId: key.id,
    keyName: key.name,
    scope: key.scope,
    role: key.role,
    memoryIds: readMemoryIds(key),
    planId: requirePlanId(key.plan),
  }
}

/** Key of a caller; `null` for the command line and with keys disabled. */
export function toOwnKey({ keyId, keyName, scope, role, memoryIds }: Caller): OwnKeyResource | null {
  return keyId === null ? null : { id: keyId, name: keyName ?? '', scope, role, ...toKeyMemories(memoryIds) }
}

/** Memories of a key for clients. `null` means all memories of the organization. */
function toKeyMemories(memoryIds: readonly string[] | null): Pick<KeyResource, 'memoryId' | 'memoryIds'> {
  const [only = null, ...others] = memoryIds ?? []
  return { memoryId: others.length === 0 ? only : null, memoryIds: [...(memoryIds ?? [])] }
}

function toKeyResource(key: Key): KeyResource {
  return {
    id: key.id,
    name: key.name,
    keyPreview: key.preview,
    scope: key.scope,
    role: key.role,
    ...toKeyMemories(readMemoryIds(key)),
    createdAt: key.created_at,
    lastUsedAt: key.last_used_at,
    expiresAt: key.expires_at,
  }
}

/** API keys of an organization. */
export type KeysService = {
  /**
   * Returns the caller of a presented key; `null` if the key is unknown, malformed, revoked or
   * expired.
   */
  authenticate(presented: string): Promise<Caller | null>
  create(
    caller: Caller,
    input: NewKey,
    storeResponse?: StoreResponse<KeyResource & { key: string }>,
  ): Promise<KeyResource & { key: string }>
  list(caller: Caller, page: PageRequest): Promise<Page<'keys', KeyResource>>
  /** Returns the key of the caller. Throws `key_not_found` if no key is used. */
  getOwn(caller: Caller): OwnKeyResource
  /** Rejects with `key_not_found` for an unknown or revoked key. */
  rename(caller: Caller, keyId: string, name: string): Promise<KeyResource>
  /**
   * Rejects with `last_admin_key` if no other admin key is left, unless `force` is true, and with
   * `key_not_found` for an unknown or revoked key.
   */
  revoke(caller: Caller, keyId: string, options?: { force?: boolean }): Promise<void>
}

/**
 * Format of an API key (contract, "Keys and scopes"): `rcl_`, 40 random base62 characters, and 6
 * base62 characters of their CRC-32. The checksum detects typing errors without a database query.
 */
const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 40
const CHECKSUM_CHARACTERS = 6
const KEY_FORMAT = /^rcl_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/

/** Generates a key with 238 bits of entropy. */
export function newKeyText(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => BASE62_DIGITS[randomInt(BASE62_DIGITS.length)]).join(
    '',
  )
  return `rcl_${random}${checksumCharacters(random)}`
}

/** True if the text has the format of a key, but a wrong checksum. */
export function isMistypedKey(text: string): boolean {
  const [, random, check] = KEY_FORMAT.exec(text) ?? []
  return random !== undefined && check !== checksumCharacters(random)
}

/** Lower-case hex SHA-256 of the key, for storage and lookup. */
export function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** First 8 and last 4 characters: `rcl_ab12…wxyz`. */
export function previewKey(text: string): string {
  return `${text.slice(0, 8)}…${text.slice(-4)}`
}

function checksumCharacters(random: string): string {
  let rest = crc32(random)
  let characters = ''
  for (let index = 0; index < CHECKSUM_CHARACTERS; index += 1) {
    characters = `${BASE62_DIGITS[rest % BASE62_DIGITS.length]}${characters}`
    rest = Math.floor(rest / BASE62_DIGITS.length)
  }
  return characters
}
