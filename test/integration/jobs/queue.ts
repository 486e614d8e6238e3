import { finalizeJob, insertJob } from '../../../src/database/jobs/jobs-table.ts'
import { migrate } from '../../../src/database/migrations.ts'
import type { Job } from '../../../src/database/schema.ts'
import type { Store } from '../../../src/database/store.ts'
import { newId } from '../../../src/ids.ts'
import type { Caller } from '../../../src/services/caller.ts'
import { createJobChanges, type JobChanges } from '../../../src/services/jobs/job-changes.ts'
import type { JobHandler, JobWork } from '../../../src/services/jobs/job-handler.ts'
import { makePlace, ON_POSTGRES, openPlace } from '../database/temporary-store.ts'

/** A queue in a temporary database, with a manual clock. */
export type Queue = {
  db: Store['db']
  changes: JobChanges
  clock: { now: () => Date; pass(ms: number): void }
  add(facts?: { organizationId?: string; memoryId?: string; jobType?: string }): Promise<Job>
  read(jobId: string): Promise<Job>
  [Symbol.asyncDispose](): Promise<void>
}

export const MEMORY = newId('mem')
export const ORGANIZATION = newId('org')

/** A queue at `place`, or in a database removed with the queue. */
export async function openQueue(place?: string): Promise<Queue> {
  const own = place === undefined && ON_POSTGRES ? await makePlace() : null
  const store = await openPlace(place ?? own?.place ?? ':memory:')
  await migrate(store)
  const { db, close } = store
  let at = Date.parse('2024-11-21T08:00:00.000Z')
  const clock = {
    now: () => new Date(at),
    pass: (ms: number) => {
      at += ms
    },
  }
  return {
    db,
    clock,
    changes: createJobChanges(),
    async add({ organizationId = ORGANIZATION, memoryId = MEMORY, jobType = 'test' } = {}) {
      const facts = { organizationId, memoryId, jobType, payload: {}, now: clock.now() }
      return db.transaction().execute((transaction) => insertJob(transaction, facts))
    },
    read: (jobId) => db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow(),
    async [Symbol.asyncDispose]() {
      await close()
      await own?.remove()
    },
  }
}

export function callerOf(organizationId: string, memoryId: string | null = null): Caller {
  const scope = memoryId === null ? 'organization' : 'memory'
  const memoryIds = memoryId === null ? null : [memoryId]
  return { organizationId, keyId: null, keyName: null, scope, role: 'writer', memoryIds, planId: 'unlimited' }
}

/** Ends the job of `work` as completed. */
export async function complete(queue: Pick<Queue, 'db' | 'clock'>, work: JobWork): Promise<void> {
  const result = { documentsAdded: 1 }
  await queue.db.transaction().execute((transaction) =>
    finalizeJob(transaction, {
      jobId: work.job.id,
      leaseToken: work.leaseToken,
      status: 'completed',
      message: 'done',
      result,
      error: null,
      errorCode: null,
      now: queue.clock.now(),
    }),
  )
}

/** A handler that does the work of `run` and records all other calls. */
export function noting(run: JobHandler['run']): JobHandler & { told: string[] } {
  const told: string[] = []
  return {
    told,
    run,
    onFailed: async (_transaction, job, failure) => void told.push(`failed ${job.id} ${failure.errorCode}`),
    onRetried: async (_transaction, job) => void told.push(`retried ${job.id}`),
  }
}

export const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
