/** Requests that may come twice. */
import type { Keep } from '../keep.ts'

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
export type KnownRequest =
  | { state: 'claimed' | 'running' | 'reused' }
  | ({ state: 'done' } & FirstAnswer)
  | { state: 'unwritten'; error: unknown }

/** An answer as it comes again. */
export type FirstAnswer = { status: number; headers: Record<string, string>; body: string }
