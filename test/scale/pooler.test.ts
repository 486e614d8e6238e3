/** Several processes reach the database through a pooler in transaction mode, without sessions. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertStatus } from '../spec/answer.ts'
import type { Service } from '../spec/service.ts'
import { addInBackground, addText, endOfJob, find, listDocuments, makeMemory } from '../spec/steps.ts'
import { auditByDoctor } from './checker.ts'
import { type Pooler, startPooler, whyNoPooler } from './support/pooler.ts'
import { describeInstallation, type Role } from './support/scaled-installation.ts'

const lacking = whyNoPooler()
/** Concurrent adds of each process: more than the sessions of the pooler. */
const ADDS = 16

describeInstallation('processes behind a pooler in transaction mode', { name: 'pooled', lacking }, (installation) => {
  let pooler: Pooler
  let one: Service
  let two: Service
  let worker: Service

  before(async () => {
    pooler = await startPooler(installation().postgres.port)
    const settings = { RECOLLECT_DATABASE_URL: await installation().postgres.makeDatabase('behind', pooler.port) }
    const start = (role: Role) => installation().startNode(role, { settings })
    // One process also creates the tables through the pooler.
    ;[one, two, worker] = await Promise.all([start('api'), start('api'), start('worker')])
  })
  after(() => pooler?.stop())

  test('keep all concurrent adds apart, and find them immediately', async () => {
    const memoryId = await makeMemory(one)
    const added = await Promise.all(
      Array.from({ length: 2 * ADDS }, (_, index) =>
        addText(index % 2 === 0 ? one : two, memoryId, `Barge ${index} carried coal to Varn.`),
      ),
    )
    for (const node of [one, two]) {
      const { documents, total } = await listDocuments(node, memoryId, '?limit=100')
      assert.equal(total, added.length)
      assert.deepEqual(new Set(documents.map(({ id }) => id)), new Set(added))
      assert.equal((await find(node, memoryId, 'coal to Varn', { topK: 100 })).hits.length, added.length)
    }
  })

  test('run jobs on a worker that gets no notifications', async () => {
    const memoryId = await makeMemory(two)
    const jobs = await Promise.all(
      Array.from({ length: 5 }, (_, index) => addInBackground(two, memoryId, `Pilot ${index} of Varn is at sea.`)),
    )
    for (const job of jobs) {
      assertStatus(job, 202)
      assert.equal((await endOfJob(one, job.json.jobId)).status, 'completed')
    }
    assert.equal((await find(one, memoryId, 'pilot of Varn')).totalHits, jobs.length)
    assertStatus(await worker.get('/health/ready'), 200)
    const settings = {
      ...installation().settings,
      RECOLLECT_DATABASE_URL: `${installation().postgres.url.replace(/[^/]+$/, '')}behind`,
    }
    assert.deepEqual(await auditByDoctor(settings), [])
  })
})
