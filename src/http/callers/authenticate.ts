import { createHash, timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { ApiError } from '../../errors.ts'
import type { KeysService } from '../../services/account/keys-service.ts'
import type { Caller } from '../../services/caller.ts'
import type { CountRequest } from './rate-limiter.ts'
import { createRateLimiter } from './rate-limiter.ts'

/**
 * Wrong keys per address and minute before 429. Our choice: enough for a client with a wrong key,
 * and useless for guessing keys of 238 bits.
 */
export const WRONG_KEYS_PER_MINUTE = 300

const SEVERAL_KEYS = 'The request has several different API keys. Send one, in Authorization or in X-API-Key.'

/** Header values by name, including repeated headers. */
type DistinctHeaders = Readonly<NodeJS.Dict<string[]>>

/**
 * Dependencies of authentication. `count` counts across all processes; without it, only in this
 * process.
 */
export type AuthenticatorDeps = { keys: KeysService; now: () => Date; count?: CountRequest }

/**
 * Creates the authentication check. Resolves with the caller of the key. Rejects with
 * `missing_api_key`, `invalid_api_key`, or `rate_limited` after too many wrong keys from an
 * address. A valid key always passes, because all callers may share the address of a proxy.
 */
export function createAuthenticator({ keys, now, count }: AuthenticatorDeps) {
  const window = { limit: WRONG_KEYS_PER_MINUTE, windowMs: 60_000, now }
  // Checked first: an attacker causes at most as many database writes as the limit.
  const ownCount = createRateLimiter(window)
  const sharedCount = count === undefined ? null : createRateLimiter({ ...window, count })

  return async (headers: DistinctHeaders, address: string): Promise<Caller> => {
    const presented = readKeys(headers)
    const [key] = presented
    if (key === undefined) throw new ApiError('missing_api_key')
    const caller = presented.length === 1 ? await keys.authenticate(key) : null
    if (caller !== null) return caller
    const name = `wrong keys ${clientNetwork(address)}`
    const own = await ownCount.count(name)
    const state = own.allowed && sharedCount !== null ? await sharedCount.count(name) : own
    const message = presented.length > 1 ? SEVERAL_KEYS : undefined
    if (state.allowed) throw new ApiError('invalid_api_key', message === undefined ? {} : { message })
    throw new ApiError('rate_limited', {
      message: 'Too many requests with invalid API keys from this address.',
      retryAfterSeconds: state.resetSeconds,
    })
  }
}

/** Returns whether `secret` is the only key in the headers. Takes constant time. */
export function matchesKey(headers: DistinctHeaders, secret: string): boolean {
  const [key, ...others] = readKeys(headers)
  if (key === undefined || others.length > 0) return false
  const [presented, wanted] = [key, secret].map((text) => createHash('sha256').update(text).digest())
  return presented !== undefined && wanted !== undefined && timingSafeEqual(presented, wanted)
}

/** Returns whether the headers have an API key, valid or not. */
export function hasKey(headers: DistinctHeaders): boolean {
  return readKeys(headers).length > 0
}

/** Returns the distinct keys of both headers: none, one, or several contradicting ones. */
function readKeys({ authorization = [], 'x-api-key': named = [] }: DistinctHeaders): string[] {
  const bearers = authorization.map((value) => /^bearer +(\S.*)$/i.exec(value.trim())?.[1] ?? '')
  const keys = [...bearers, ...named].map((key) => key.trim())
  return [...new Set(keys.filter((key) => key !== ''))]
}

/**
 * Network of one client: an IPv4 address, or the /64 of an IPv6 address (RFC 6177: the smallest
 * assigned network).
 */
export function clientNetwork(address: string): string {
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
