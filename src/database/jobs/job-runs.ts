/**
 * The attempts at jobs that are under way. The row of an attempt is committed before it reads what it has to write, and goes when it can write no more. So
 * whoever removes a deleted document knows whether a writer may still add to it (`deletion/deletion-outbox.ts`).
 */
import type { Kysely } from 'kysely'
import { liveNodes } from '../nodes/nodes.ts'
import type { JobRun, Tables } from '../schema.ts'

/** Notes an attempt; to be called, and durable, before it reads which documents it has to write. */
export async function insertJobRun(db: Kysely<Tables>, run: JobRun): Promise<void> {
  await db.insertInto('job_runs').values(run).execute()
}

/** Takes an attempt out that is over; `false` where others have done so, because they took its process for dead. */
export async function deleteJobRun(db: Kysely<Tables>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('job_runs').where('id', '=', id).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Takes out the attempts of processes silent since `seenSince`, and those of `owner` that are none of its `running` ones. */
export async function deleteDeadJobRuns(
  db: Kysely<Tables>,
  { seenSince, owner, running }: { seenSince: string; owner: string; running: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('job_runs')
    .where((runs) => {
      const isOwn = runs('owner', '=', owner)
      const isOver = running.length === 0 ? isOwn : runs.and([isOwn, runs('id', 'not in', running)])
      return runs.or([runs('owner', 'not in', liveNodes(seenSince)), isOver])
    })
    .execute()
}
