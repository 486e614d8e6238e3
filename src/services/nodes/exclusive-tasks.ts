import type { Kysely } from 'kysely'
import { acquireLease, releaseLease } from '../../database/process-tables.ts'
import type { Tables } from '../../database/schema.ts'
import type { Log } from '../../observability/log.ts'

/** Lease of a task: after a crash, another process takes over. Job leases have the same length. */
export const LEASE_MS = 30_000

/** Tasks that run in one process at a time. */
export type ExclusiveTasks = {
  /**
   * Runs the task and returns true, or returns false if another process runs it. Rejects as the
   * task does, and when the database is down.
   */
  run(name: string, task: () => Promise<unknown>): Promise<boolean>
}

/** For a single process: runs every task. */
export function createLocalTasks(): ExclusiveTasks {
  return {
    async run(_name, task) {
      await task()
      return true
    },
  }
}

/** Dependencies of the task leases. */
type ExclusiveDeps = { db: Kysely<Tables>; owner: string; now: () => Date; log: Pick<Log, 'warn'> }

/**
 * For several processes: a lease guards each task and is renewed while the task runs. After a stall
 * longer than the lease, two processes may run the same task, so tasks must tolerate it.
 */
export function createExclusiveTasks({ db, owner, now, log }: ExclusiveDeps): ExclusiveTasks {
  return {
    async run(name, task) {
      const take = () => acquireLease(db, { name, owner, now: now(), leaseMs: LEASE_MS })
      if (!(await take())) return false
      const renewal = setInterval(() => {
        take().catch((err: unknown) => log.warn({ err, task: name }, 'the lease of a task could not be renewed'))
      }, LEASE_MS / 3)
      try {
        await task()
        return true
      } finally {
        clearInterval(renewal)
        await releaseLease(db, { name, owner })
      }
    },
  }
}
