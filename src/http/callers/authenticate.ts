import { createHash, timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { ApiError } from '../../errors.ts'
import type { KeysService } from '../../services/account/keys-service.ts'
import type { Caller } from '../../services/caller.ts'
import type { CountRequest } from './rate-limiter.ts'
import { createRateLimiter } from './rate-limiter.ts'

/**
 * Wrong keys an address may present in a minute before it gets 429. Our choice: more than a client that was given a wrong one asks of all its routes, and
 * nothing to who guesses at keys of 238 bits.
 */
export const WRONG_KEYS_PER_MINUTE = 300

/** Headers by their names, as often as they stand in the request. */
type DistinctHeaders = Readonly<NodeJS.Dict<string[]>>

/** What the check is made of. `count` counts for all processes together; where it is absent, this one is all there is. */
export type AuthenticatorParts = { keys: KeysService; now: () => Date; count?: CountRequest }

/**
 * The check of who calls. Gives the caller of the key in the headers; rejects with `missing_api_key`, `invalid_api_key`,
 * or `rate_limited` for a wrong key from an address that had too many. A right key always passes: behind one proxy
 * all callers may share an address, and one with a broken key must not lock out the others.
 */
export function createAuthenticator({ keys, now, count }: AuthenticatorParts) {
  const window = { limit: WRONG_KEYS_PER_MINUTE, windowMs: 60_000, now }
  // Asked first: whoever goes on guessing makes the database write no more than the limit.
  const ownCount = createRateLimiter(window)
  const sharedCount = count === undefined ? null : createRateLimiter({ ...window, count })

  return async (headers: DistinctHeaders, address: string): Promise<Caller> => {
    const presented = readKeys(headers)
    const [key] = presented
    if (key === undefined) throw new ApiError('missing_api_key')
    const caller = presented.length === 1 ? await keys.authenticate(key) : null
    if (caller !== null) return caller
    const name = `wrong keys ${addressBlock(address)}`
    const own = await ownCount.take(name)
    const state = own.allowed && sharedCount !== null ? await sharedCount.take(name) : own
    if (state.allowed) throw new ApiError('invalid_api_key')
    throw new ApiError('rate_limited', {
      message: 'Too many wrong API keys from this address.',
      retryAfterSeconds: state.resetSeconds,
    })
  }
}

/** True where the one key in the headers is `secret`. Takes as long for a wrong key as for the right one. */
export function presentsKey(headers: DistinctHeaders, secret: string): boolean {
  const [key, ...others] = readKeys(headers)
  if (key === undefined || others.length > 0) return false
  const [presented, wanted] = [key, secret].map((text) => createHash('sha256').update(text).digest())
  return presented !== undefined && wanted !== undefined && timingSafeEqual(presented, wanted)
}

/** The different keys in the two headers, wherever they stand more than once: none, one, or some that contradict each other. */
function readKeys({ authorization = [], 'x-api-key': named = [] }: DistinctHeaders): string[] {
  const bearers = authorization.map((value) => /^bearer +(\S.*)$/i.exec(value.trim())?.[1] ?? '')
  const keys = [...bearers, ...named].map((key) => key.trim())
  return [...new Set(keys.filter((key) => key !== ''))]
}

/** What one sender has: a whole IPv4 address, or the /64 of an IPv6 one (RFC 6177: the smallest network handed out). */
export function addressBlock(address: string): string {
  return isIPv6(address) && !address.startsWith('::ffff:') ? expandGroups(address).slice(0, 4).join(':') : address
}

function expandGroups(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  return tail === undefined
    ? before
    : [...before, ...new Array<string>(8 - before.length - after.length).fill('0'), ...after]
}
