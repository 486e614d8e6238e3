import type { Kysely } from 'kysely'
import { dropLease, takeLease } from '../../database/process-tables.ts'
import type { Tables } from '../../database/schema.ts'
import type { Log } from '../../observability/log.ts'

/** A process that dies in the middle of a task leaves it to others after this; a lease of a job lasts as long. */
export const LEASE_MS = 30_000

/** Tasks that one process at a time does. */
export type ExclusiveTasks = {
  /** Does the task, unless another process is at it (`false`). Rejects as the task does, and when the database is down. */
  run(name: string, task: () => Promise<unknown>): Promise<boolean>
}

/** Where there is only one process: every task is done. */
export function createOwnTasks(): ExclusiveTasks {
  return {
    async run(_name, task) {
      await task()
      return true
    },
  }
}

/** What the leases of tasks are made of. */
type ExclusiveDeps = { db: Kysely<Tables>; owner: string; now: () => Date; log: Pick<Log, 'warn'> }

/**
 * Where there are several: a task is held by a lease that is renewed while it runs. A process that stood still for longer
 * than the lease may find another one at the same task, so tasks have to bear that, if rarely.
 */
export function createExclusiveTasks({ db, owner, now, log }: ExclusiveDeps): ExclusiveTasks {
  return {
    async run(name, task) {
      const take = () => takeLease(db, { name, owner, now: now(), leaseMs: LEASE_MS })
      if (!(await take())) return false
      const renewal = setInterval(() => {
        take().catch((err: unknown) => log.warn({ err, task: name }, 'the lease of a task could not be renewed'))
      }, LEASE_MS / 3)
      try {
        await task()
        return true
      } finally {
        clearInterval(renewal)
        await dropLease(db, { name, owner })
      }
    },
  }
}
