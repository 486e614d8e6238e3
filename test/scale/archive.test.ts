/**
 * A memory is exported from one node on PostgreSQL and S3, and imported through another:
 * synchronously and by a worker.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertStatus } from '../spec/answer.ts'
import type { Service } from '../spec/service.ts'
import type { Accepted, Memory } from '../spec/shapes.ts'
import { addText, endOfJob, find, makeMemory, readMemory, upload } from '../spec/steps.ts'
import { describeInstallation } from './support/scaled-installation.ts'

describeInstallation('archives on several processes', { name: 'archive' }, (installation) => {
  let one: Service
  let two: Service
  let memoryId: string

  before(async () => {
    ;[one, two] = await Promise.all([
      installation().startNode('api'),
      installation().startNode('api'),
      installation().startNode('worker'),
    ])
    memoryId = await makeMemory(one)
    for (let count = 0; count < 5; count += 1) {
      await addText(one, memoryId, `Ship number ${count} carried oranges to Varn.`, { externalId: `ship-${count}` })
    }
    const content = 'Every pump has a valve. '.repeat(3000)
    await upload(one, memoryId, { filename: 'pumps.txt', content, options: { storeSource: true } })
  })

  async function send<Body>(fields: Readonly<Record<string, string>>) {
    const headers = { authorization: `Bearer ${one.bootstrapKey}` }
    const exported = await fetch(`${one.url}/v1/memories/${memoryId}/export`, { headers })
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', await exported.blob(), 'memory.tar.gz')
    return two.call<Body>('POST', '/v1/memories/import', { body: form })
  }

  async function assertSame(copyId: string): Promise<void> {
    const [before, after] = [await readMemory(one, memoryId), await readMemory(one, copyId)]
    for (const field of ['documentCount', 'chunkCount', 'sizeBytes', 'embeddingModel'] as const) {
      assert.equal(after[field], before[field], field)
    }
    const told = async (id: string) => (await find(one, id, 'oranges to Varn')).hits.map(({ text }) => text)
    assert.deepEqual(await told(copyId), await told(memoryId))
  }

  test('synchronously, one node exports, another imports, and both find the memory', async () => {
    const answer = await send<Memory>({})
    assertStatus(answer, 201)
    await assertSame(answer.json.id)
  })

  test('a worker imports what a node took on', async () => {
    const answer = await send<Accepted>({ options: '{"async":true}' })
    assertStatus(answer, 202)
    const job = await endOfJob(one, answer.json.jobId)
    assert.equal(job.status, 'completed', job.message)
    await assertSame(job.memoryId)
  })
})
