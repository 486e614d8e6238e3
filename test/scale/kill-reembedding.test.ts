/**
 * A re-embedding is killed at each of its steps: the memory keeps the old model or has the new one,
 * and the job finishes.
 */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { REEMBEDDING_FAILPOINTS } from '../../src/observability/failpoints.ts'
import { assertStatus } from '../spec/answer.ts'
import { addText, addTexts, endOfJob, find, makeMemory, readMemory } from '../spec/steps.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { auditByDoctor } from './checker.ts'
import { chooseSteps } from './choose-steps.ts'
import { createMortalService } from './mortal-service.ts'

const LIFT = 'The lift is serviced by the caretaker on Tuesdays.'
/** The steps of the job; the last step belongs to a sweep minutes later. */
const STEPS = REEMBEDDING_FAILPOINTS.filter((step) => step !== 'reembed:file-removed')
/** The first of a re-embedding is not the only write to a memory file. */
const WRITES = ['memory-file:made', 'memory-file:appended'] as const

test('a re-embedding killed at any of its steps continues and loses nothing', async (t) => {
  const models = await startModelServer()
  models.setDimensions(64)
  const service = createMortalService({ RECOLLECT_EMBEDDER: 'openai:mini', OPENAI_BASE_URL: models.url })
  t.after(async () => {
    await service.kill()
    await service.dispose()
    await models.close()
  })
  for (const step of chooseSteps([...STEPS, ...WRITES], 3)) {
    await t.test(`killed at ${step}`, async () => {
      service.destine({ step, times: 1, afterMs: 0 })
      await service.start()
      const memoryId = await makeMemory(service, step)
      const documents = [LIFT, ...Array.from({ length: 40 }, (_, index) => `Locker ${index} has the key ${index * 7}.`)]
      const named = documents.map((text) => ({ title: 'Note', text }))
      assertStatus(await addTexts(service, memoryId, named, { embeddingModel: 'embedded' }), 200)
      await service.arm()
      await service.post(`/v1/memories/${memoryId}/reembed`, { embeddingModel: 'mini' }).catch(() => null)
      assert.ok(await service.dies(), 'it came to that step')
      service.destine(null)
      await service.start()
      const { jobs } = (await service.get<{ jobs: { id: string }[] }>(`/v1/jobs?memoryId=${memoryId}`)).json
      assert.equal(jobs.length, 1)
      const { status, message } = await endOfJob(service, jobs[0]?.id ?? '')
      assert.equal(status, 'completed', message)
      const added = await addText(service, memoryId, 'The attic is dry all year round.')
      const { embeddingModel, chunkCount } = await readMemory(service, memoryId)
      assert.deepEqual([embeddingModel, chunkCount], ['mini', documents.length + 1])
      for (const text of [LIFT, 'Locker 17 has the key 119.', 'The attic is dry all year round.']) {
        const { hits, warnings } = await find(service, memoryId, text, { options: { mode: 'semantic' } })
        assert.deepEqual([hits[0]?.text, warnings], [text, []])
      }
      assert.match(added, /^doc_/)
      const files = await readdir(join(service.dataDirectory, 'memories'))
      assert.equal(files.filter((name) => name.startsWith(memoryId)).length, 2)
      await service.kill()
    })
  }
  assert.deepEqual(await auditByDoctor({ RECOLLECT_DATA_DIR: service.dataDirectory }), [])
})
