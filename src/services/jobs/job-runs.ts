import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { deleteDeadJobRuns, deleteJobRun, insertJobRun } from '../../database/jobs/job-leases-table.ts'
import type { Job, Tables } from '../../database/schema.ts'

/** Attempts of this process; each has a row while the attempt may write. */
export type JobRuns = {
  /**
   * Inserts the row of an attempt and returns its id. Call before reading the documents to write.
   */
  begin(job: Pick<Job, 'id' | 'memory_id'>): Promise<string>
  /**
   * Deletes the row after the last write. Returns `false` when another process took this process
   * for dead.
   */
  end(run: string): Promise<boolean>
  /**
   * Deletes rows of processes silent since then, and rows of ended attempts of this process. Call
   * periodically.
   */
  sweep(seenSince: string): Promise<void>
}

/** `owner`: id of this process. */
export function createJobRuns({ db, owner }: { db: Kysely<Tables>; owner: string }): JobRuns {
  const running = new Set<string>()
  return {
    async begin({ id: jobId, memory_id }) {
      const id = randomUUID()
      // Added first, or a sweep would take the row for that of an ended attempt.
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
