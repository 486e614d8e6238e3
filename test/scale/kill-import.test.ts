/**
 * An import is killed at each of its steps: the memory exists completely or not at all, and the
 * storage holds no leftovers.
 */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { IMPORT_FAILPOINTS } from '../../src/observability/failpoints.ts'
import type { Job, List, Memory } from '../spec/shapes.ts'
import { endOfJob, makeMemory, readMemory, upload } from '../spec/steps.ts'
import { auditByDoctor } from './checker.ts'
import { chooseSteps } from './choose-steps.ts'
import { createMortalService, type MortalService } from './mortal-service.ts'

/** Including the writes to the memory file. */
const REQUEST_STEPS = [
  ...IMPORT_FAILPOINTS.filter((step) => step !== 'import:staged'),
  'memory-file:made',
  'memory-file:appended',
] as const
/** The next housekeeping round, a minute later, removes leftovers of a dead attempt. */
const JOB_STEPS = ['import:staged', 'import:rows-inserted', 'import:about-to-show', 'import:shown'] as const
const PATIENCE_MS = 180_000

/** A memory with a long text and an original, exported. */
async function makeArchive(service: MortalService): Promise<{ memoryId: string; archive: Blob }> {
  const memoryId = await makeMemory(service, 'Harbour')
  const content = 'Every pump has a valve, and every valve a wheel. '.repeat(1500)
  await upload(service, memoryId, { filename: 'pumps.txt', content, options: { storeSource: true } })
  const headers = { authorization: `Bearer ${service.bootstrapKey}` }
  const answer = await fetch(`${service.url}/v1/memories/${memoryId}/export`, { headers })
  return { memoryId, archive: await answer.blob() }
}

function send(service: MortalService, archive: Blob, async: boolean) {
  const form = new FormData()
  form.append('options', JSON.stringify({ async }))
  form.append('file', archive, 'memory.tar.gz')
  return service.call('POST', '/v1/memories/import', { body: form }).catch(() => null)
}

/** Waits until the storage holds only the files of these memories. */
async function waitForFiles({ dataDirectory }: MortalService, memoryIds: readonly string[]): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const files = await readdir(join(dataDirectory, 'memories'))
    const objects = await readdir(join(dataDirectory, 'objects/objects/memories')).catch(() => [])
    const strange = [...files, ...objects].filter((name) => !memoryIds.some((id) => name.startsWith(id)))
    if (strange.length === 0) return
    assert.ok(Date.now() < until, `left behind: ${strange.join(', ')}`)
    await pause(200)
  }
}

for (const async of [false, true]) {
  test(`an import ${async ? 'by a job' : 'within its request'} killed at any of its steps is complete or gone`, async (t) => {
    const service = createMortalService({})
    t.after(async () => {
      await service.kill()
      await service.dispose()
    })
    await service.start()
    const { memoryId, archive } = await makeArchive(service)
    const { documentCount, chunkCount, sizeBytes } = await readMemory(service, memoryId)
    await service.stop()
    const steps = async ? chooseSteps(JOB_STEPS, 1) : chooseSteps(REQUEST_STEPS, 3)
    for (const step of steps) {
      await t.test(`killed at ${step}`, async () => {
        service.destine({ step, times: 1, afterMs: 0 })
        await service.start()
        await service.arm()
        await send(service, archive, async)
        assert.ok(await service.dies(), 'it came to that step')
        service.destine(null)
        await service.start()
        const { jobs } = (await service.get<List<'jobs', Job>>('/v1/jobs?status=pending')).json
        for (const { id } of jobs) assert.equal((await endOfJob(service, id)).status, 'completed')
        const { memories } = (await service.get<List<'memories', Memory>>('/v1/memories')).json
        const copies = memories.filter(({ id }) => id !== memoryId)
        const isExpected = step === 'import:shown' || (async && step !== 'import:staged')
        assert.equal(copies.length, isExpected ? 1 : 0)
        for (const copy of copies) {
          assert.deepEqual(
            [copy.documentCount, copy.chunkCount, copy.sizeBytes],
            [documentCount, chunkCount, sizeBytes],
          )
        }
        await waitForFiles(
          service,
          memories.map(({ id }) => id),
        )
        for (const { id } of copies) await service.delete(`/v1/memories/${id}`)
        await service.stop()
      })
    }
    assert.deepEqual(await auditByDoctor({ RECOLLECT_DATA_DIR: service.dataDirectory }), [])
  })
}
