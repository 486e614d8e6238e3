import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { deleteDeadJobRuns, deleteJobRun, insertJobRun } from '../../database/jobs/job-leases-table.ts'
import type { Job, Tables } from '../../database/schema.ts'

/**
 * The attempts at jobs that this process makes, each named by a row for as long as it may write.
 */
export type JobRuns = {
  /**
   * Names an attempt, durably; to be called before it reads which documents it has to write.
   * Returns the name.
   */
  begin(job: Pick<Job, 'id' | 'memory_id'>): Promise<string>
  /**
   * To be called when the attempt can write no more. `false` where another process took this one
   * for dead meanwhile.
   */
  end(run: string): Promise<boolean>
  /**
   * Takes out attempts of processes silent since then, and those of this one whose end could not be
   * written; to be called now and then.
   */
  sweep(seenSince: string): Promise<void>
}

/** `owner` names this process among those on the database. */
export function createJobRuns({ db, owner }: { db: Kysely<Tables>; owner: string }): JobRuns {
  const running = new Set<string>()
  return {
    async begin({ id: jobId, memory_id }) {
      const id = randomUUID()
      // First, or a sweep would take the row for one of an attempt that is over.
      running.add(id)
      try {
        await insertJobRun(db, { id, job_id: jobId, memory_id, owner })
      } catch (error) {
        running.delete(id)
        throw error
      }
      return id
    },
    end(run) {
      running.delete(run)
      return deleteJobRun(db, run)
    },
    sweep: (seenSince) => deleteDeadJobRuns(db, { seenSince, owner, running: [...running] }),
  }
}
