import { setTimeout as pause } from 'node:timers/promises'
import type { CheckExtent, DatabaseCheck } from '../../database/store.ts'
import { ApiError } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'

/** What was damaged is looked at again after so long, and after ten times as long as the last look took: on PostgreSQL it reads every row. */
const PAUSE_MS = 10_000
const PAUSE_FACTOR = 10
/** A stop waits no longer for a check, which then ends with the process. */
const STOP_MS = 1000
/** Problems that the log names. */
const NAMED = 5

/** What is watched. */
type DamageWatchDeps = {
  check(extent: CheckExtent, signal?: AbortSignal): Promise<DatabaseCheck>
  log: Pick<Log, 'error' | 'warn'>
  pauseMs?: number
}

/** Watches whether the database is whole, by its own check and by damage that statements meet. */
export class DamageWatch {
  readonly #deps: Required<DamageWatchDeps>
  readonly #stopping = new AbortController()
  #damage: ApiError | null = null
  #looking: Promise<void> = Promise.resolve()
  #logged = ''
  /** No whole look is taken before. */
  #restUntil = 0

  constructor({ pauseMs = PAUSE_MS, ...deps }: DamageWatchDeps) {
    this.#deps = { pauseMs, ...deps }
  }

  /** Checks the database for the first time; resolves when that is done, or goes on by itself after so long. Never rejects. */
  async lookFirst(patienceMs: number): Promise<void> {
    const first = this.#look('quick')
    this.#looking = first.then(() => undefined)
    await Promise.race([first, pause(patienceMs, undefined, { ref: false })])
  }

  /** Tells that a statement met damage. */
  note(damage: ApiError): void {
    if (this.#damage !== null || this.#stopping.signal.aborted) return
    this.#damage = damage
    this.#log(damage)
    this.#looking = this.#looking.then(() => this.#lookUntilWhole())
  }

  /** Rejects with `data_damaged` from the first damage on until a whole check has found none; rows whose other half is gone aside. */
  async requireWhole(): Promise<void> {
    if (this.#damage !== null) throw damaged(this.#damage)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.race([this.#looking, pause(STOP_MS, undefined, { ref: false })])
  }

  /** True when nothing is wrong that the service cannot go on with. What cannot be checked counts as it did before. */
  async #look(extent: CheckExtent): Promise<boolean> {
    try {
      const checked = await this.#deps.check(extent, this.#stopping.signal)
      // The first look does not see references: rows without their other half are for the doctor, and kept no start from its service.
      const problems = checked.problems.filter(({ part }) => part !== 'reference')
      if (problems.length === 0) return true
      const named = problems.slice(0, NAMED).map(({ detail }) => detail)
      const found = damaged(new Error([...named, ...(problems.length > NAMED ? ['and more'] : [])].join('; ')))
      if (this.#damage === null) this.note(found)
      else this.#log(found)
    } catch (err) {
      if (!this.#stopping.signal.aborted) this.#deps.log.warn({ err }, 'the database could not be checked for damage')
    }
    return false
  }

  /** Once, until another look finds something else. */
  #log(found: ApiError): void {
    const cause = found.cause ?? found
    const text = cause instanceof Error ? cause.message : String(cause)
    if (text === this.#logged || this.#stopping.signal.aborted) return
    this.#logged = text
    this.#deps.log.error(
      { err: cause },
      'The database is damaged. Stop the service, look with recollect doctor --storage, and restore the data from a backup.',
    )
  }

  async #lookUntilWhole(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const waitMs = Math.max(this.#deps.pauseMs, this.#restUntil - performance.now())
      await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      const begunAt = performance.now()
      const isWhole = await this.#look('whole')
      const endedAt = performance.now()
      this.#restUntil = endedAt + PAUSE_FACTOR * (endedAt - begunAt)
      if (isWhole) break
    }
    if (signal.aborted) return
    this.#damage = null
    this.#logged = ''
    this.#deps.log.warn({}, 'the database is whole again')
  }
}

function damaged(cause: Error): ApiError {
  return new ApiError('data_damaged', { message: 'The database is damaged: restore it from a backup.', cause })
}
