import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { newId } from '../../../src/ids.ts'
import { makePlace } from '../database/temporary-store.ts'
import { openQueue } from './queue.ts'

const WORKER = join(import.meta.dirname, 'killed-worker.ts')
const JOBS = 50
const KILLS = 5

/** Runs a worker process, and kills it soon after `afterJobs` started jobs, where given. */
async function runWorker(database: string, afterJobs: number | null): Promise<void> {
  const worker = spawn(process.execPath, [WORKER, database], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(worker, 'close')
  let begun = 0
  createInterface({ input: worker.stdout }).on('line', () => {
    begun += 1
    if (begun === afterJobs) setTimeout(() => worker.kill('SIGKILL'), Math.random() * 15)
  })
  const [status, signal] = await ended
  if (signal === null) assert.equal(status, 0)
}

test('every job ends exactly once although its worker is killed again and again', async (t) => {
  const { place: database, remove } = await makePlace()
  t.after(remove)
  {
    await using queue = await openQueue(database)
    for (let count = 0; count < JOBS; count += 1) {
      await queue.add({ memoryId: newId('mem'), jobType: count % 5 === 0 ? 'impossible' : 'possible' })
    }
  }
  for (let kill = 0; kill < KILLS; kill += 1) await runWorker(database, 5)
  await runWorker(database, null)

  await using queue = await openQueue(database)
  const jobs = await queue.db.selectFrom('jobs').selectAll().execute()
  for (const job of jobs) assert.equal(job.status, job.job_type === 'impossible' ? 'failed' : 'completed', job.message)
  assert.ok(
    jobs.some(({ attempts }) => attempts > 1),
    'no kill came in the middle of a job',
  )
  const traces = await queue.db.selectFrom('removals').select('document_id').execute()
  assert.deepEqual(traces.map((trace) => trace.document_id).toSorted(), jobs.map(({ id }) => id).toSorted())
})
