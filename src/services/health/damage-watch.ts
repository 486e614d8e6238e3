import { setTimeout as pause } from 'node:timers/promises'
import { withTimeout } from '../../concurrency/wait.ts'
import type { CheckExtent, DatabaseCheck } from '../../database/store.ts'
import { ApiError } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'

/**
 * Interval between checks after damage, or ten times the duration of the check: on PostgreSQL a
 * check reads every row.
 */
const CHECK_INTERVAL_MS = 10_000
const INTERVAL_FACTOR = 10
/** Maximum wait for a running check at shutdown; the check then ends with the process. */
const STOP_TIMEOUT_MS = 1000
/** Maximum number of problems in a log entry. */
const MAX_NAMED_PROBLEMS = 5

/** Dependencies of the watch. */
type DamageWatchDeps = {
  check(extent: CheckExtent, signal?: AbortSignal): Promise<DatabaseCheck>
  log: Pick<Log, 'error' | 'warn'>
  intervalMs?: number
}

/** Tracks damage of the database, found by the database's own check or by failed statements. */
export class DamageWatch {
  readonly #deps: Required<DamageWatchDeps>
  readonly #stopping = new AbortController()
  #damage: ApiError | null = null
  #checking: Promise<void> = Promise.resolve()
  #logged = ''
  /** Earliest time of the next full check. */
  #nextFullCheckAt = 0

  constructor({ intervalMs = CHECK_INTERVAL_MS, ...deps }: DamageWatchDeps) {
    this.#deps = { intervalMs, ...deps }
  }

  /**
   * Runs the first check; resolves when the check is done or after `timeoutMs`, while the check
   * continues. Never rejects.
   */
  async runFirstCheck(timeoutMs: number): Promise<void> {
    const first = this.#check('quick')
    this.#checking = first.then(() => undefined)
    await withTimeout(first, timeoutMs, undefined)
  }

  /** Records the damage that a statement met. */
  record(damage: ApiError): void {
    if (this.#damage !== null || this.#stopping.signal.aborted) return
    this.#damage = damage
    this.#log(damage)
    this.#checking = this.#checking.then(() => this.#checkUntilUndamaged())
  }

  /** Rejects with `data_damaged` until a full check finds no damage but broken references. */
  async requireUndamaged(): Promise<void> {
    if (this.#damage !== null) throw toDamageError(this.#damage)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await withTimeout(this.#checking, STOP_TIMEOUT_MS, undefined)
  }

  /** Returns true if no damage is found. A failed check keeps the previous state. */
  async #check(extent: CheckExtent): Promise<boolean> {
    try {
      const checked = await this.#deps.check(extent, this.#stopping.signal)
      // Broken references are left to `recollect doctor`: the quick check cannot see them, and they
      // do not prevent a start.
      const problems = checked.problems.filter(({ part }) => part !== 'reference')
      if (problems.length === 0) return true
      const named = problems.slice(0, MAX_NAMED_PROBLEMS).map(({ detail }) => detail)
      const found = toDamageError(
        new Error([...named, ...(problems.length > MAX_NAMED_PROBLEMS ? ['and more'] : [])].join('; ')),
      )
      if (this.#damage === null) this.record(found)
      else this.#log(found)
    } catch (err) {
      if (!this.#stopping.signal.aborted) this.#deps.log.warn({ err }, 'the damage check of the database failed')
    }
    return false
  }

  /** Logs a problem once, until a check finds a different one. */
  #log(found: ApiError): void {
    const cause = found.cause ?? found
    const text = cause instanceof Error ? cause.message : String(cause)
    if (text === this.#logged || this.#stopping.signal.aborted) return
    this.#logged = text
    this.#deps.log.error(
      { err: cause },
      'The database is damaged. Stop the service, run recollect doctor --storage, and restore the data from a backup.',
    )
  }

  async #checkUntilUndamaged(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const waitMs = Math.max(this.#deps.intervalMs, this.#nextFullCheckAt - performance.now())
      await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      const begunAt = performance.now()
      const isWhole = await this.#check('whole')
      const endedAt = performance.now()
      this.#nextFullCheckAt = endedAt + INTERVAL_FACTOR * (endedAt - begunAt)
      if (isWhole) break
    }
    if (signal.aborted) return
    this.#damage = null
    this.#logged = ''
    this.#deps.log.warn({}, 'the database is no longer damaged')
  }
}

function toDamageError(cause: Error): ApiError {
  return new ApiError('data_damaged', { message: 'The database is damaged: restore it from a backup.', cause })
}
