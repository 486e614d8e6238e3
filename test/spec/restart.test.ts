import assert from 'node:assert/strict'
import test from 'node:test'
import { assertStatus } from './answer.ts'
import { prose } from './prose.ts'
import { useService } from './service.ts'
import type { Accepted, List, Memory } from './shapes.ts'
import {
  addText,
  endOfJob,
  find,
  listDocuments,
  makeMemory,
  readDocument,
  readMemory,
  upload,
  uploadReady,
} from './steps.ts'
import { verifies } from './verifies.ts'

const MB = 1024 * 1024
const service = useService()

test('acknowledged data remains after a stop and a crash', async () => {
  verifies('documents.add.200', 'settings.data-dir', 'memories.container', 'documents.source')
  const memoryId = await makeMemory(service, 'Durable')
  await addText(service, memoryId, 'The lighthouse keeper retired in May.')
  const file = { content: 'The harbour master retired in June.', filename: 'h.txt', options: { storeSource: true } }
  const id = await uploadReady(service, memoryId, file)
  for (const again of [service.restart, service.crash]) {
    await again()
    assert.equal((await readMemory(service, memoryId)).documentCount, 2)
    assert.equal((await find(service, memoryId, 'harbour master')).hits[0]?.documentId, id)
    assert.equal((await service.get(`/v1/memories/${memoryId}/documents/${id}/source`)).text, file.content)
  }
})

test('adds that a crash cut off are whole or not there', async () => {
  verifies('documents.add.200', 'documents.json.all-or-nothing')
  const memoryId = await makeMemory(service, 'Cut off')
  const known = new Map<string, string>()
  const add = async (index: number) => {
    const word = `zq${index}wv`
    known.set(word, await addText(service, memoryId, `The word ${word} stands here.`))
  }
  const adds = Array.from({ length: 30 }, (_, index) => add(index).catch(() => undefined))
  await new Promise((resolve) => setTimeout(resolve, 150))
  await service.crash()
  await Promise.all(adds)
  const { documents } = await listDocuments(service, memoryId, '?limit=100')
  for (const [word, id] of known) {
    const { hits } = await find(service, memoryId, word, { options: { mode: 'lexical' } })
    assert.deepEqual(
      hits.map(({ documentId }) => documentId),
      [id],
      word,
    )
  }
  for (const { id, status } of documents) {
    assert.equal(status, 'ready')
    assertStatus(await service.get(`/v1/memories/${memoryId}/documents/${id}/text`), 200)
  }
  assert.equal((await readMemory(service, memoryId)).documentCount, documents.length)
})

test('a job interrupted by a stop or a crash continues and completes once', async () => {
  verifies('jobs.state.completed', 'documents.add.202', 'jobs.state.processing')
  for (const [name, again] of [
    ['stop', service.restart],
    ['crash', service.crash],
  ] as const) {
    const memoryId = await makeMemory(service, `Interrupted by ${name}`)
    const answer = await upload<Accepted>(service, memoryId, { content: prose(2.5 * MB), filename: 'long.txt' })
    assertStatus(answer, 202)
    await again()
    const job = await endOfJob(service, answer.json.jobId)
    assert.equal(job.status, 'completed', JSON.stringify(job))
    const [id = ''] = answer.json.documentIds
    const document = await readDocument(service, memoryId, id)
    const memory = await readMemory(service, memoryId)
    assert.deepEqual([document.status, document.characterCount], ['ready', 2.5 * MB])
    assert.deepEqual([memory.documentCount, memory.chunkCount], [1, document.chunkCount])
  }
})

test('deleted stays deleted over a crash', async () => {
  verifies('memories.delete', 'documents.delete')
  const [kept, gone] = [await makeMemory(service, 'Kept'), await makeMemory(service, 'Gone')]
  const id = await addText(service, kept, 'A vanishing sentence.')
  await addText(service, gone, 'A vanishing sentence.')
  assertStatus(await service.delete(`/v1/memories/${kept}/documents/${id}`), 204)
  assertStatus(await service.delete(`/v1/memories/${gone}`), 204)
  await service.crash()
  assert.deepEqual((await find(service, kept, 'vanishing sentence')).hits, [])
  const { memories } = (await service.get<List<'memories', Memory>>('/v1/memories')).json
  assert.ok(!memories.some((memory) => memory.id === gone))
})

test('a running answer is finished before the service stops', async () => {
  verifies('documents.add.200')
  const memoryId = await makeMemory(service, 'Last words')
  const adding = service.post(`/v1/memories/${memoryId}/documents`, {
    documents: [{ title: 'Last', text: prose(1.5 * MB) }],
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  await service.restart()
  assertStatus(await adding, 200)
  assert.equal((await listDocuments(service, memoryId)).total, 1)
})
