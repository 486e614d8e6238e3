import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Kysely } from 'kysely'
import type { KeyResource } from '../../api/key.ts'
import {
  countKeys,
  findKeyByHash,
  insertKey,
  listKeys,
  revokeKey,
  touchKey,
} from '../../database/account/keys-table.ts'
import { lockMemory, requireMemory } from '../../database/memories/memories-table.ts'
import type { Key, Tables } from '../../database/schema.ts'
import { ApiError, invalid } from '../../errors.ts'
import { isId, newId } from '../../ids.ts'
import type { Log } from '../../observability/log.ts'
import type { Caller } from '../caller.ts'
import { type Reserve, withBallastReleased } from '../deletion/with-ballast.ts'
import type { Page, PageRequest } from '../paging.ts'
import { readPage } from '../paging.ts'
import { type Keep, keepNothing } from '../request-work.ts'
import { requireName, requireOrganizationScope, requirePlanId } from './account-checks.ts'

/** How often the last use of a key is noted: a write for every request would cost more than the request. */
const LAST_USED_MS = 60_000

/** What the keys are built of. */
type KeysDeps = { db: Kysely<Tables>; blobs: Reserve; now: () => Date; log: Log }

/**
 * API keys of an organization. Nothing is cached: a key is looked up for every request (one index probe), and one that
 * was revoked, by whichever process, is refused from then on.
 */
export function createKeysService({ db, blobs, now, log }: KeysDeps): KeysService {
  function noteUse({ id, last_used_at }: Key): void {
    const at = now()
    const notedBefore = new Date(at.getTime() - LAST_USED_MS).toISOString()
    if (last_used_at !== null && last_used_at > notedBefore) return
    touchKey(db, { keyId: id, now: at.toISOString(), notedBefore }).catch((err: unknown) => {
      log.warn({ err, keyId: id }, 'the last use of a key could not be noted')
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

    async create(caller, input, keep = keepNothing) {
      requireOrganizationScope(caller)
      const name = requireName('name', input.name)
      const expiresAt = toExpiry(input.expiresAt, now())
      const { memoryId } = input
      const text = newKeyText()
      const { organizationId } = caller
      const key = newKey({ organizationId, name, text, memoryId, expiresAt, now: now() })
      const made = { ...toKeyResource(key), key: text }
      await db.transaction().execute(async (transaction) => {
        if (memoryId !== null) {
          await requireMemory(transaction, caller, memoryId)
          // Its deletion revokes its keys, and would not see one that comes in the meantime.
          if (!(await lockMemory(transaction, memoryId))) throw new ApiError('memory_not_found')
        }
        await insertKey(transaction, key)
        await keep(transaction, made)
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

    async revoke(caller, keyId) {
      requireOrganizationScope(caller)
      const { organizationId } = caller
      const revoke = () => revokeKey(db, { organizationId, keyId, now: now().toISOString() })
      const revoked = isId('key', keyId) && (await withBallastReleased(blobs, revoke))
      if (!revoked) throw new ApiError('key_not_found')
    },
  }
}

/** What a new key is made of; `text` is the key itself, `memoryId` the one memory of a scoped key. */
type KeyFacts = {
  organizationId: string
  name: string
  text: string
  memoryId: string | null
  expiresAt: string | null
  now: Date
}

/** A new key's row. */
export function newKey({ organizationId, name, text, memoryId, expiresAt, now }: KeyFacts): Key {
  return {
    id: newId('key', now),
    organization_id: organizationId,
    name,
    hash: hashKey(text),
    preview: previewKey(text),
    scope: memoryId === null ? 'organization' : 'memory',
    memory_id: memoryId,
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
  if (at <= now) throw invalid('expiresAt', 'must lie in the future')
  return at.toISOString()
}

function toCaller(key: Key & { plan: string }): Caller {
  return {
    organizationId: key.organization_id,
    keyId: key.id,
    keyName: key.name,
    scope: key.scope,
    memoryId: key.memory_id,
    planId: requirePlanId(key.plan),
  }
}

function toKeyResource(key: Key): KeyResource {
  return {
    id: key.id,
    name: key.name,
    keyPreview: key.preview,
    scope: key.scope,
    memoryId: key.memory_id,
    createdAt: key.created_at,
    lastUsedAt: key.last_used_at,
    expiresAt: key.expires_at,
  }
}

/** The keys of an organization. */
export type KeysService = {
  /** The caller a presented key stands for; `null` for one that is unknown, malformed, revoked or expired. */
  authenticate(presented: string): Promise<Caller | null>
  create(
    caller: Caller,
    input: { name: string; memoryId: string | null; expiresAt: string | null },
    keep?: Keep<KeyResource & { key: string }>,
  ): Promise<KeyResource & { key: string }>
  list(caller: Caller, page: PageRequest): Promise<Page<'keys', KeyResource>>
  revoke(caller: Caller, keyId: string): Promise<void>
}

/**
 * The form of an API key (contract, "Keys and scopes"): `rcl_`, 40 random base62 characters, and 6 base62 characters of
 * their CRC-32, by which a mistyped key is told without a look-up.
 */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 40
const CHECK_CHARACTERS = 6
const FORM = /^rcl_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/

/** A new key with 238 bits of chance. */
export function newKeyText(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => DIGITS[randomInt(DIGITS.length)]).join('')
  return `rcl_${random}${checkCharacters(random)}`
}

/** True when the text has the form of a key, but its check characters do not fit: somebody mistyped it. */
export function isMistypedKey(text: string): boolean {
  const [, random, check] = FORM.exec(text) ?? []
  return random !== undefined && check !== checkCharacters(random)
}

/** SHA-256 of the key, lower-case hex: what is stored and looked up. */
export function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** First 8 and last 4 characters, `rcl_ab12…wxyz`. */
export function previewKey(text: string): string {
  return `${text.slice(0, 8)}…${text.slice(-4)}`
}

function checkCharacters(random: string): string {
  let rest = crc32(random)
  let characters = ''
  for (let index = 0; index < CHECK_CHARACTERS; index += 1) {
    characters = `${DIGITS[rest % DIGITS.length]}${characters}`
    rest = Math.floor(rest / DIGITS.length)
  }
  return characters
}
