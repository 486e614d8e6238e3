import type { Kysely, Transaction } from 'kysely'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import {
  deleteOldClaim,
  finishClaim,
  getClaim,
  type IdempotencyKey,
  insertClaim,
  purgeClaims,
  releaseClaim,
  releaseDeadClaims,
  sumResponseBytes,
} from '../../database/account/idempotency-table.ts'
import type { IdempotencyRow, Tables } from '../../database/schema.ts'
import { isWriteUnavailable } from '../../database/store-errors.ts'
import { ApiError } from '../../errors.ts'
import { IDEMPOTENCY, MAX_STORED_RESPONSE_BYTES } from '../../limits.ts'
import type { StoreResponse } from '../request-work.ts'
import { redactDeletedDocuments } from './redact-responses.ts'

/** Cache time of the stored bytes per organization. Other processes may store more meanwhile. */
const SUM_TTL_MS = 60_000
/** Rows per delete statement: a statement blocks other writers. */
const CLAIMS_PER_PURGE = 500

/** Dependencies of the idempotency service. */
type IdempotencyDeps = {
  db: Kysely<Tables>
  now: () => Date
  /** Id of this process: only the owner of a claim may finish or release it. */
  owner: string
}

/** {@link IdempotencyService} with the maintenance of claims. */
export type ManagedIdempotencyService = IdempotencyService & {
  /**
   * Releases the claims of processes without a heartbeat since `seenSince`, and claims that this
   * process failed to release.
   */
  releaseStale(seenSince: string): Promise<void>
  /** Deletes expired responses; call periodically. */
  purge(): Promise<void>
}

type ResponseToStore = IdempotentResponse & { commits: 0 | 1 }

/**
 * Stores first responses for 24 hours. Of concurrent requests with the same key, exactly one is
 * `claimed`. A claim owned by this process but unknown here was orphaned by a lost database
 * connection. The next request with that key takes over.
 */
export function createIdempotencyService({ db, now, owner }: IdempotencyDeps): ManagedIdempotencyService {
  const atWork: ClaimState['atWork'] = new Set()
  const left: ClaimState['left'] = new Map()
  const claim = createClaims({ db, now, atWork, left })

  const finish = (handle: Kysely<Tables>, key: IdempotencyKey, { status, headers, body, commits }: ResponseToStore) =>
    finishClaim(handle, { ...key, owner, status, headers: JSON.stringify(headers), body, commits })

  async function end(key: IdempotencyKey, write: (key: IdempotencyKey) => Promise<unknown>): Promise<void> {
    const name = keyName(key)
    try {
      await write(key)
    } catch (error) {
      left.set(name, key)
      throw error
    } finally {
      atWork.delete(name)
    }
  }

  return {
    async claim(keyId, idempotencyKey, { fingerprint, memoryId }) {
      const key = { keyId, idempotencyKey }
      const facts = { fingerprint, memory_id: memoryId, owner, created_at: now().toISOString() }
      return claim(key, newClaim(key, facts))
    },

    async saveInTransaction(transaction, key, answer) {
      // Another request may hold the claim now and repeat the work.
      const isKept = await finish(transaction, key, { ...answer, commits: 1 })
      if (!isKept) throw new ApiError('idempotency_in_progress', { retryAfterSeconds: 1 })
    },

    async saveResponse(keyId, idempotencyKey, answer) {
      await end({ keyId, idempotencyKey }, async (key) => {
        const isKept = await finish(db, key, { ...answer, commits: 0 })
        // Also when the work stored a response, which stays unchanged.
        if (!isKept) await releaseClaim(db, { ...key, owner })
      })
    },

    reserveBytes: createResponseBudget({ db, now }),

    async release(keyId, idempotencyKey) {
      await end({ keyId, idempotencyKey }, (key) => releaseClaim(db, { ...key, owner }))
    },

    async releaseStale(seenSince) {
      await releaseDeadClaims(db, seenSince)
      for (const [name, key] of left) {
        if (!atWork.has(name)) await releaseClaim(db, { ...key, owner })
        left.delete(name)
      }
    },

    async purge() {
      while ((await purgeClaims(db, { before: expiryTime(now()), limit: CLAIMS_PER_PURGE })) === CLAIMS_PER_PURGE);
    },
  }
}

/** Keys in progress in this process, and keys whose claim could not be released. */
type ClaimState = { atWork: Set<string>; left: Map<string, IdempotencyKey> }

/** Creates a function that claims keys; requests with the same key are serialised. */
function createClaims({ db, now, atWork, left }: Pick<IdempotencyDeps, 'db' | 'now'> & ClaimState) {
  const beginnings = createKeyedMutex()

  async function claim(key: IdempotencyKey, row: IdempotencyRow): Promise<KnownRequest> {
    const name = keyName(key)
    const isAtWork = atWork.has(name)
    atWork.add(name)
    const beginning = { key, claim: row, expired: expiryTime(now()), isAtWork }
    let isClaimed = false
    try {
      const begun = await db.transaction().execute((transaction) => readOrClaim(transaction, beginning))
      isClaimed = begun.state === 'claimed'
      if (begun.state !== 'done') return begun
      // A deletion responds before its cleanup has redacted the stored responses.
      const [body = begun.body] = await redactDeletedDocuments(db, [begun.body])
      return { ...begun, body }
    } catch (error) {
      left.set(name, key)
      if (!isWriteUnavailable(error)) throw error
      return { state: 'unwritten', error }
    } finally {
      if (!isClaimed && !isAtWork) atWork.delete(name)
    }
  }

  return (key: IdempotencyKey, row: IdempotencyRow) => beginnings.run(keyName(key), () => claim(key, row))
}

function expiryTime(now: Date): string {
  return new Date(now.getTime() - IDEMPOTENCY.keptMs).toISOString()
}

/** Limits the stored bytes of read-only responses by organization. */
function createResponseBudget({ db, now }: Pick<IdempotencyDeps, 'db' | 'now'>): IdempotencyService['reserveBytes'] {
  const sums = new Map<string, { bytes: number; at: number }>()
  return async (organizationId, bytes) => {
    const at = now().getTime()
    for (const [organization, sum] of sums) if (at - sum.at > SUM_TTL_MS) sums.delete(organization)
    const known = sums.get(organizationId)
    const sum = known ?? { bytes: await sumResponseBytes(db, organizationId, { computed: true }), at }
    sums.set(organizationId, sum)
    if (sum.bytes + bytes > MAX_STORED_RESPONSE_BYTES.computedOfOrganization) return false
    sum.bytes += bytes
    return true
  }
}

/** `isAtWork`: another request of this process holds the key. */
type ClaimAttempt = { key: IdempotencyKey; claim: IdempotencyRow; expired: string; isAtWork: boolean }

async function readOrClaim(
  transaction: Transaction<Tables>,
  { key, claim, expired, isAtWork }: ClaimAttempt,
): Promise<KnownRequest> {
  const known = await getClaim(transaction, key)
  if (known !== null && known.created_at >= expired) {
    const begun = toKnownRequest(known, claim.fingerprint)
    return begun.state === 'running' && known.owner === claim.owner && !isAtWork ? { state: 'claimed' } : begun
  }
  if (known !== null) await deleteOldClaim(transaction, { ...key, before: expired })
  // Another node may have claimed the key since, with a running request.
  return { state: (await insertClaim(transaction, claim)) ? 'claimed' : 'running' }
}

function toKnownRequest(known: IdempotencyRow, fingerprint: string): KnownRequest {
  if (known.fingerprint !== fingerprint) return { state: 'reused' }
  const { state, status, headers, body } = known
  if (state === 'running' || status === null || headers === null || body === null) return { state: 'running' }
  return { state: 'done', status, headers: JSON.parse(headers) as Record<string, string>, body }
}

function keyName({ keyId, idempotencyKey }: IdempotencyKey): string {
  return `${keyId} ${idempotencyKey}`
}

function newClaim(
  { keyId, idempotencyKey }: IdempotencyKey,
  facts: Pick<IdempotencyRow, 'fingerprint' | 'memory_id' | 'owner' | 'created_at'>,
): IdempotencyRow {
  return {
    key_id: keyId,
    idempotency_key: idempotencyKey,
    state: 'running',
    status: null,
    headers: null,
    body: null,
    commits: 0,
    ...facts,
  }
}

/** Bytes of the responses of {@link createTransientIdempotency}, our choice. */
const TRANSIENT_BYTES = 32 * 1024 * 1024

type TransientClaim = { fingerprint: string; claimedAt: number; answer: IdempotentResponse | null }

/**
 * Keeps first responses in this process only, for requests of which nothing may be stored. The
 * oldest responses are dropped beyond {@link TRANSIENT_BYTES}.
 */
export function createTransientIdempotency(now: () => Date): IdempotencyService {
  // In the order of the claims.
  const claims = new Map<string, TransientClaim>()
  const sizeOf = ({ answer }: TransientClaim) => Buffer.byteLength(answer?.body ?? '')
  const nameOf = (keyId: string, idempotencyKey: string) => keyName({ keyId, idempotencyKey })

  function dropOld(): void {
    const expired = now().getTime() - IDEMPOTENCY.keptMs
    let bytes = [...claims.values()].reduce((sum, claim) => sum + sizeOf(claim), 0)
    for (const [name, claim] of claims) {
      if (claim.claimedAt >= expired && bytes <= TRANSIENT_BYTES) return
      if (claim.answer === null) continue
      bytes -= sizeOf(claim)
      claims.delete(name)
    }
  }

  return {
    async claim(keyId, idempotencyKey, { fingerprint }) {
      dropOld()
      const name = nameOf(keyId, idempotencyKey)
      const known = claims.get(name)
      if (known === undefined) {
        claims.set(name, { fingerprint, claimedAt: now().getTime(), answer: null })
        return { state: 'claimed' }
      }
      if (known.fingerprint !== fingerprint) return { state: 'reused' }
      return known.answer === null ? { state: 'running' } : { state: 'done', ...known.answer }
    },
    async saveInTransaction() {},
    async saveResponse(keyId, idempotencyKey, answer) {
      const known = claims.get(nameOf(keyId, idempotencyKey))
      if (known !== undefined) known.answer = answer
    },
    reserveBytes: async () => true,
    async release(keyId, idempotencyKey) {
      claims.delete(nameOf(keyId, idempotencyKey))
    },
  }
}

/** Stores first responses for replay; see contract, "Rules for every endpoint", Idempotency-Key. */
export type IdempotencyService = {
  /** Claims the key for this request, or returns its state. `memoryId`: the memory in the path. */
  claim(
    keyId: string,
    idempotencyKey: string,
    asked: { fingerprint: string; memoryId: string | null },
  ): Promise<KnownRequest>
  /**
   * Stores the response in the transaction that commits the work. Rejects with
   * `idempotency_in_progress` if this process lost the claim.
   */
  saveInTransaction(
    transaction: Parameters<StoreResponse<unknown>>[0],
    claim: { keyId: string; idempotencyKey: string },
    answer: IdempotentResponse,
  ): Promise<void>
  /** Stores the response of work without a commit; an existing response is kept. */
  saveResponse(keyId: string, idempotencyKey: string, answer: IdempotentResponse): Promise<void>
  /** Reserves bytes for a read-only response of the organization; false if the limit is reached. */
  reserveBytes(organizationId: string, bytes: number): Promise<boolean>
  /**
   * Releases the key, so that the request can be repeated (after a 5xx or a timeout). A stored
   * response is kept.
   */
  release(keyId: string, idempotencyKey: string): Promise<void>
}

/** State of a key; `unwritten`: the database cannot store claims, with the cause in `error`. */
type KnownRequest =
  | { state: 'claimed' | 'running' | 'reused' }
  | ({ state: 'done' } & IdempotentResponse)
  | { state: 'unwritten'; error: unknown }

/** A response for replay. */
export type IdempotentResponse = { status: number; headers: Record<string, string>; body: string }
