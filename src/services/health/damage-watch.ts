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

/** Whether the database is whole, as far as its own check and its answers tell. */
export type DamageWatch = {
  /** Checks the database for the first time; resolves when that is done, or goes on by itself after so long. Never rejects. */
  lookFirst(patienceMs: number): Promise<void>
  /** Tells that a statement met damage. */
  note(damage: ApiError): void
  /** Rejects with `data_damaged` from the first damage on until a whole check has found none; rows whose other half is gone aside. */
  requireWhole(): Promise<void>
  stop(): Promise<void>
}

/** What is watched. */
type DamageWatchDeps = {
  check(extent: CheckExtent, signal?: AbortSignal): Promise<DatabaseCheck>
  log: Pick<Log, 'error' | 'warn'>
  pauseMs?: number
}

/** The watch over a database. Nothing runs before the first look or the first damage. */
export function createDamageWatch({ check, log, pauseMs = PAUSE_MS }: DamageWatchDeps): DamageWatch {
  const stopping = new AbortController()
  let damage: ApiError | null = null
  let looking: Promise<void> = Promise.resolve()
  let logged = ''
  /** No whole look is taken before. */
  let restUntil = 0

  /** True when nothing is wrong that the service cannot go on with. What cannot be checked counts as it did before. */
  async function look(extent: CheckExtent): Promise<boolean> {
    try {
      const checked = await check(extent, stopping.signal)
      // The first look does not see references: rows without their other half are for the doctor, and kept no start from its service.
      const problems = checked.problems.filter(({ part }) => part !== 'reference')
      if (problems.length === 0) return true
      const named = problems.slice(0, NAMED).map(({ detail }) => detail)
      const found = damaged(new Error([...named, ...(problems.length > NAMED ? ['and more'] : [])].join('; ')))
      if (damage === null) note(found)
      else say(found)
    } catch (err) {
      if (!stopping.signal.aborted) log.warn({ err }, 'the database could not be checked for damage')
    }
    return false
  }

  function note(found: ApiError): void {
    if (damage !== null || stopping.signal.aborted) return
    damage = found
    say(found)
    looking = looking.then(lookUntilWhole)
  }

  /** Once, until another look finds something else. */
  function say(found: ApiError): void {
    const cause = found.cause ?? found
    const text = cause instanceof Error ? cause.message : String(cause)
    if (text === logged || stopping.signal.aborted) return
    logged = text
    log.error(
      { err: cause },
      'The database is damaged. Stop the service, look with recollect doctor --storage, and restore the data from a backup.',
    )
  }

  async function lookUntilWhole(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitMs = Math.max(pauseMs, restUntil - performance.now())
      await pause(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      if (stopping.signal.aborted) return
      const begunAt = performance.now()
      const isWhole = await look('whole')
      const endedAt = performance.now()
      restUntil = endedAt + PAUSE_FACTOR * (endedAt - begunAt)
      if (isWhole) break
    }
    if (stopping.signal.aborted) return
    damage = null
    logged = ''
    log.warn({}, 'the database is whole again')
  }

  return {
    async lookFirst(patienceMs) {
      const first = look('quick')
      looking = first.then(() => undefined)
      await Promise.race([first, pause(patienceMs, undefined, { ref: false })])
    },
    note,
    async requireWhole() {
      if (damage !== null) throw damaged(damage)
    },
    async stop() {
      stopping.abort()
      await Promise.race([looking, pause(STOP_MS, undefined, { ref: false })])
    },
  }
}

function damaged(cause: Error): ApiError {
  return new ApiError('data_damaged', { message: 'The database is damaged: restore it from a backup.', cause })
}
