import assert from 'node:assert/strict'
import { assertStatus } from '../../spec/answer.ts'
import type { Service } from '../../spec/service.ts'
import { addInBackground, addText, endOfJob, find, makeMemory, uploadReady } from '../../spec/steps.ts'

/**
 * Uses every feature that could contact another machine: texts, files, jobs, corrections, every
 * search mode.
 */
export async function useOnce(service: Service): Promise<void> {
  const memoryId = await makeMemory(service)
  const id = await addText(service, memoryId, 'The kingfisher keeps to the quiet arm of the river.')
  await uploadReady(service, memoryId, { content: '# Birds\n\nHerons stand still.', filename: 'birds.md' })
  const job = await addInBackground(service, memoryId, 'Swallows leave in the first week of September.')
  assertStatus(job, 202)
  assert.equal((await endOfJob(service, job.json.jobId)).status, 'completed')
  assertStatus(await service.post(`/v1/memories/${memoryId}/correct`, { statement: 'Kites are birds, too.' }), 201)
  for (const mode of ['lexical', 'semantic', 'hybrid', 'auto']) {
    const { hits } = await find(service, memoryId, 'where does the kingfisher keep?', { options: { mode } })
    assert.equal(hits.find(({ kind }) => kind === 'document')?.documentId, id, mode)
  }
  assertStatus(await service.get('/health/ready', { key: null }), 200)
}
