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
  sumKeptBytes,
} from '../../database/account/idempotency-table.ts'
import type { IdempotencyRow, Tables } from '../../database/schema.ts'
import { isUnwritten } from '../../database/store-errors.ts'
import { ApiError } from '../../errors.ts'
import { IDEMPOTENCY, KEPT_ANSWER_BYTES } from '../../limits.ts'
import type { Keep } from '../request-work.ts'
import { withoutGone } from './redact-answers.ts'

/** How long a sum of what is kept is taken for true. Others of its organization may keep more meanwhile, in other processes. */
const SUM_STANDS_MS = 60_000
/** Claims forgotten in one statement, for everyone waits as long. */
const CLAIMS_A_PURGE = 500

/** What the claims are built of. */
type IdempotencyDeps = {
  db: Kysely<Tables>
  now: () => Date
  /** Names this process: only it may finish or give back what it claimed. */
  owner: string
}

/** {@link IdempotencyService} with what the process does around requests. */
export type IdempotencyKeeper = IdempotencyService & {
  /** Gives back what processes left running that have said nothing since `seenSince`, and what this one could not give back when it wanted to. */
  clearStale(seenSince: string): Promise<void>
  /** Forgets what is older than a first answer is kept; to be called now and then. */
  purge(): Promise<void>
}

type Kept = FirstAnswer & { commits: 0 | 1 }

/**
 * First answers, kept 24 hours. Of several requests with the same key at once exactly one is told `claimed`. What stands in the database as this
 * process's and is not at work here was left by a database that went away: claimed without a word that it was, or not given back. Whoever comes next has it.
 */
export function createIdempotencyService({ db, now, owner }: IdempotencyDeps): IdempotencyKeeper {
  const atWork: WorkInProgress['atWork'] = new Set()
  const left: WorkInProgress['left'] = new Map()
  const claim = createClaims({ db, now, atWork, left })

  const finish = (handle: Kysely<Tables>, key: IdempotencyKey, { status, headers, body, commits }: Kept) =>
    finishClaim(handle, { ...key, owner, status, headers: JSON.stringify(headers), body, commits })

  async function end(key: IdempotencyKey, write: (key: IdempotencyKey) => Promise<unknown>): Promise<void> {
    const name = nameOf(key)
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
    async begin(keyId, idempotencyKey, { fingerprint, memoryId }) {
      const key = { keyId, idempotencyKey }
      const facts = { fingerprint, memory_id: memoryId, owner, created_at: now().toISOString() }
      return claim(key, newClaim(key, facts))
    },

    async keep(transaction, key, answer) {
      // Whoever has the claim now may do the same work.
      const isKept = await finish(transaction, key, { ...answer, commits: 1 })
      if (!isKept) throw new ApiError('idempotency_in_progress', { retryAfterSeconds: 1 })
    },

    async finish(keyId, idempotencyKey, answer) {
      await end({ keyId, idempotencyKey }, async (key) => {
        const isKept = await finish(db, key, { ...answer, commits: 0 })
        // Also where the work has kept its own answer, which this does not touch.
        if (!isKept) await releaseClaim(db, { ...key, owner })
      })
    },

    takeRoom: createAnswerBudget({ db, now }),

    async release(keyId, idempotencyKey) {
      await end({ keyId, idempotencyKey }, (key) => releaseClaim(db, { ...key, owner }))
    },

    async clearStale(seenSince) {
      await releaseDeadClaims(db, seenSince)
      for (const [name, key] of left) {
        if (!atWork.has(name)) await releaseClaim(db, { ...key, owner })
        left.delete(name)
      }
    },

    async purge() {
      while ((await purgeClaims(db, { before: expiryAt(now()), limit: CLAIMS_A_PURGE })) === CLAIMS_A_PURGE);
    },
  }
}

/** Keys that requests of this process work on, and keys whose claim it could not give back. */
type WorkInProgress = { atWork: Set<string>; left: Map<string, IdempotencyKey> }

/** Claims keys: of several requests with one key at a time, one after the other. */
function createClaims({ db, now, atWork, left }: Pick<IdempotencyDeps, 'db' | 'now'> & WorkInProgress) {
  const beginnings = createKeyedMutex()

  async function claim(key: IdempotencyKey, row: IdempotencyRow): Promise<KnownRequest> {
    const name = nameOf(key)
    const isAtWork = atWork.has(name)
    atWork.add(name)
    const beginning = { key, claim: row, expired: expiryAt(now()), isAtWork }
    let isClaimed = false
    try {
      const begun = await db.transaction().execute((transaction) => begin(transaction, beginning))
      isClaimed = begun.state === 'claimed'
      if (begun.state !== 'done') return begun
      // A deletion is answered before the removals have come to the answers that are kept.
      const [body = begun.body] = await withoutGone(db, [begun.body])
      return { ...begun, body }
    } catch (error) {
      left.set(name, key)
      if (!isUnwritten(error)) throw error
      return { state: 'unwritten', error }
    } finally {
      if (!isClaimed && !isAtWork) atWork.delete(name)
    }
  }

  return (key: IdempotencyKey, row: IdempotencyRow) => beginnings.run(nameOf(key), () => claim(key, row))
}

function expiryAt(now: Date): string {
  return new Date(now.getTime() - IDEMPOTENCY.keptMs).toISOString()
}

/** Counts, for each organization, the bytes of the answers to requests that only read. */
function createAnswerBudget({ db, now }: Pick<IdempotencyDeps, 'db' | 'now'>): IdempotencyService['takeRoom'] {
  const sums = new Map<string, { bytes: number; at: number }>()
  return async (organizationId, bytes) => {
    const at = now().getTime()
    for (const [organization, sum] of sums) if (at - sum.at > SUM_STANDS_MS) sums.delete(organization)
    const known = sums.get(organizationId)
    const sum = known ?? { bytes: await sumKeptBytes(db, organizationId, { computed: true }), at }
    sums.set(organizationId, sum)
    if (sum.bytes + bytes > KEPT_ANSWER_BYTES.computedOfOrganization) return false
    sum.bytes += bytes
    return true
  }
}

/** `isAtWork`: another request of this process has the key. */
type Beginning = { key: IdempotencyKey; claim: IdempotencyRow; expired: string; isAtWork: boolean }

async function begin(
  transaction: Transaction<Tables>,
  { key, claim, expired, isAtWork }: Beginning,
): Promise<KnownRequest> {
  const known = await getClaim(transaction, key)
  if (known !== null && known.created_at >= expired) {
    const begun = toBegun(known, claim.fingerprint)
    return begun.state === 'running' && known.owner === claim.owner && !isAtWork ? { state: 'claimed' } : begun
  }
  if (known !== null) await deleteOldClaim(transaction, { ...key, before: expired })
  // Another node may have claimed it since; then that one's request is running.
  return { state: (await insertClaim(transaction, claim)) ? 'claimed' : 'running' }
}

function toBegun(known: IdempotencyRow, fingerprint: string): KnownRequest {
  if (known.fingerprint !== fingerprint) return { state: 'reused' }
  const { state, status, headers, body } = known
  if (state === 'running' || status === null || headers === null || body === null) return { state: 'running' }
  return { state: 'done', status, headers: JSON.parse(headers) as Record<string, string>, body }
}

function nameOf({ keyId, idempotencyKey }: IdempotencyKey): string {
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

/** First answers kept for replay; see contract, "Rules for every endpoint", Idempotency-Key. */
export type IdempotencyService = {
  /** Claims the key for this request, or says what is known of it. `memoryId`: the memory in its path. */
  begin(
    keyId: string,
    idempotencyKey: string,
    asked: { fingerprint: string; memoryId: string | null },
  ): Promise<KnownRequest>
  /**
   * Keeps the answer for replay in the transaction that commits the work. Rejects with `idempotency_in_progress` when this process has the
   * claim no more.
   */
  keep(
    transaction: Parameters<Keep<unknown>>[0],
    claim: { keyId: string; idempotencyKey: string },
    answer: FirstAnswer,
  ): Promise<void>
  /** Keeps the answer of work that committed nothing; where one is kept already, that one stays. */
  finish(keyId: string, idempotencyKey: string, answer: FirstAnswer): Promise<void>
  /** Whether the organization may keep so many bytes more of what it has only read; counts them where it may. */
  takeRoom(organizationId: string, bytes: number): Promise<boolean>
  /** Gives the key back, so that the request can be sent again (after a 5xx, a time-out), unless an answer is kept. */
  release(keyId: string, idempotencyKey: string): Promise<void>
}

/** What is known of a request that may come twice; `unwritten`: nothing, and a disk that is full or fails takes no claim, as `error` says. */
type KnownRequest =
  | { state: 'claimed' | 'running' | 'reused' }
  | ({ state: 'done' } & FirstAnswer)
  | { state: 'unwritten'; error: unknown }

/** An answer as it comes again. */
export type FirstAnswer = { status: number; headers: Record<string, string>; body: string }
