/**
 * A process with a worker to be killed: `killed-worker.ts <place>`. Each job writes one row to
 * `removals` in its final transaction. Prints a line for each started job, and exits when no job is
 * left.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { finalizeJob } from '../../../src/database/jobs/jobs-table.ts'
import type { Job } from '../../../src/database/schema.ts'
import { ApiError } from '../../../src/errors.ts'
import { newId } from '../../../src/ids.ts'
import { createWorker } from '../../../src/jobs/worker.ts'
import { createJobChanges } from '../../../src/services/jobs/job-changes.ts'
import type { JobHandler } from '../../../src/services/jobs/job-handler.ts'
import { openPlace } from '../database/temporary-store.ts'
import { SILENT } from './queue.ts'

const { db } = await openPlace(process.argv[2] ?? '')
const now = () => new Date()

function trace(job: Job) {
  const at = now().toISOString()
  return { id: newId('req'), kind: 'document', memory_id: job.memory_id, document_id: job.id, created_at: at } as const
}

const handler: JobHandler = {
  async run({ job, leaseToken, report }) {
    process.stdout.write(`${job.id}\n`)
    report(50, 'half of it')
    await pause(10)
    if (job.job_type === 'impossible') throw new ApiError('unprocessable_document')
    const end = { status: 'completed', message: 'done', result: {}, error: null, errorCode: null } as const
    await db.transaction().execute(async (transaction) => {
      await transaction.insertInto('removals').values(trace(job)).execute()
      await finalizeJob(transaction, { jobId: job.id, leaseToken, ...end, now: now() })
    })
  },
  async onFailed(transaction, job) {
    await transaction.insertInto('removals').values(trace(job)).execute()
  },
  onRetried: async () => {},
}

const worker = createWorker({
  db,
  now,
  log: SILENT,
  changes: createJobChanges(),
  handlers: { possible: handler, impossible: handler },
  isOnly: true,
  pollMs: 10,
  interruptedPauseMs: () => 10,
})
worker.start()
const active = db.selectFrom('jobs').select('id').where('status', 'in', ['pending', 'processing']).limit(1)
while ((await active.executeTakeFirst()) !== undefined) await pause(20)
await worker.stop()
await db.destroy()
