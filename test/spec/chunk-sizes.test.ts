import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { buildZip } from '../support/build-zip.ts'
import { type Answer, assertError, assertStatus } from './answer.ts'
import type { Chunk, Memory } from './api-types.ts'
import { useService } from './service.ts'
import type { Accepted, Added, List } from './shapes.ts'
import { addText, endOfJob, find, listDocuments, readMemory, readText, upload } from './steps.ts'
import { verifies } from './verifies.ts'
import { openWebServer } from './web-server.ts'

const SIZES = { maxCharacters: 400, overlap: 150 }
const PROSE = Array.from({ length: 80 }, (_, at) => `Lift ${at} stops between the floors when it rains.`).join(' ')
const web = await openWebServer({ '/lifts': { headers: { 'content-type': 'text/plain' }, body: PROSE } })
const service = useService({ RECOLLECT_URL_ALLOW_PRIVATE: web.host })
after(() => web.close())

function create(chunking: unknown): Promise<Answer<Memory>> {
  return service.post<Memory>('/v1/memories', { name: 'Lifts', chunking })
}

async function createSized(chunking: unknown = SIZES): Promise<string> {
  const answer = await create(chunking)
  assertStatus(answer, 201)
  return answer.json.id
}

/** Checks the chunks of a document, and returns the texts that they repeat. */
async function checkChunks(memoryId: string, id: string): Promise<string[]> {
  const path = `/v1/memories/${memoryId}/documents/${id}/chunks?limit=100`
  const { chunks } = (await service.get<List<'chunks', Chunk>>(path)).json
  const text = await readText(service, memoryId, id)
  assert.ok(chunks.length > 5, `${chunks.length} chunks`)
  for (const chunk of chunks) {
    assert.equal(chunk.text, text.slice(chunk.startOffset, chunk.endOffset))
    assert.ok(chunk.text.length <= SIZES.maxCharacters)
  }
  return chunks.slice(1).map(({ startOffset }, at) => text.slice(startOffset, chunks[at]?.endOffset).trim())
}

test('the sizes of chunks are part of the memory, null by default', async () => {
  verifies('chunking.memory')
  const made = await create(SIZES)
  assertStatus(made, 201)
  assert.deepEqual(made.json.chunking, SIZES)
  assert.deepEqual((await readMemory(service, made.json.id)).chunking, SIZES)
  const changed = await service.call<Memory>('PATCH', `/v1/memories/${made.json.id}`, { body: { name: 'Lifts 2' } })
  assert.deepEqual(changed.json.chunking, SIZES)
  assert.deepEqual((await create({ maxCharacters: 4000 })).json.chunking, { maxCharacters: 4000, overlap: 0 })
  assert.equal((await create(undefined)).json.chunking, null)
})

test('wrong sizes are 400 with what is allowed, and no memory is made', async () => {
  verifies('chunking.wrong')
  const before = (await service.get<List<'memories', Memory>>('/v1/memories')).json.total
  for (const [chunking, param] of [
    [{ maxCharacters: 199 }, 'chunking.maxCharacters'],
    [{ maxCharacters: 4001 }, 'chunking.maxCharacters'],
    [{ maxCharacters: 300.5 }, 'chunking.maxCharacters'],
    [{ maxCharacters: '300' }, 'chunking.maxCharacters'],
    [{ overlap: 10 }, 'chunking.maxCharacters'],
    [{ maxCharacters: 300, overlap: -1 }, 'chunking.overlap'],
    [{ maxCharacters: 301, overlap: 151 }, 'chunking.overlap'],
    [600, 'chunking'],
  ] as const)
    assertError(await create(chunking), 400, 'validation_failed', param)
  assert.match((await create({ maxCharacters: 301, overlap: 151 })).text, /at most half of maxCharacters, here 150/)
  assert.equal((await service.get<List<'memories', Memory>>('/v1/memories')).json.total, before)
})

test('all ways of adding keep to the sizes and repeat whole sentences', async () => {
  verifies('chunking.bound', 'chunking.overlap')
  const memoryId = await createSized()
  const path = `/v1/memories/${memoryId}/documents`
  const file = { content: PROSE, filename: 'lifts.txt' }
  await addText(service, memoryId, PROSE)
  await upload<Added>(service, memoryId, file)
  await upload<Added>(service, memoryId, {
    content: new Uint8Array(buildZip({ 'a.md': PROSE })),
    filename: 'lifts.zip',
  })
  await service.post(path, { url: `${web.url}/lifts` })
  for (const body of [{ url: `${web.url}/lifts` }, { documents: [{ title: 'Later', text: PROSE }] }]) {
    const later = await service.post<Accepted>(path, { ...body, options: { async: true } })
    assert.equal((await endOfJob(service, later.json.jobId)).status, 'completed')
  }
  const { documents } = await listDocuments(service, memoryId)
  assert.equal(documents.length, 6)
  for (const { id } of documents) {
    const repeated = await checkChunks(memoryId, id)
    for (const sentences of repeated)
      assert.match(sentences, /^(?:Lift \d+ stops between the floors when it rains\. ?){2,3}$/)
    assert.ok(repeated.every(({ length }) => length <= SIZES.overlap))
  }
  const { hits } = await find(service, memoryId, 'Lift 40')
  assert.match(hits[0]?.text ?? '', /Lift 40 /)
  assert.ok((hits[0]?.text.length ?? 0) <= SIZES.maxCharacters)
  const verified = await service.get<{ ok: boolean }>(`/v1/memories/${memoryId}/verify`)
  assert.equal(verified.json.ok, true, verified.text)
})

test('an import has the sizes of the exported memory', async () => {
  verifies('chunking.archive')
  const memoryId = await createSized()
  await addText(service, memoryId, PROSE)
  const archive = (await service.get(`/v1/memories/${memoryId}/export`)).bytes
  const imported = await importArchive(archive)
  assertStatus(imported, 201)
  assert.deepEqual(imported.json.chunking, SIZES)
  assert.equal(imported.json.chunkCount, (await readMemory(service, memoryId)).chunkCount)
  const id = await addText(service, imported.json.id, `New. ${PROSE}`)
  await checkChunks(imported.json.id, id)
  for (const chunking of [
    { maxCharacters: 100, overlap: 0 },
    { maxCharacters: 400, overlap: 300 },
  ]) {
    const wrong = await importArchive(await withChunking(archive, chunking))
    assertError(wrong, 422, 'invalid_archive')
    assert.match(wrong.text, /memory\.json.*chunking/)
  }
})

function importArchive(archive: Uint8Array): Promise<Answer<Memory>> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(archive)]), 'memory.tar.gz')
  return service.call<Memory>('POST', '/v1/memories/import', { body: form })
}

/** The archive with other sizes in its head, which is checked first. */
async function withChunking(archive: Uint8Array, chunking: object): Promise<Buffer> {
  const [entries, tar] = [extract(), pack()]
  entries.end(gunzipSync(archive))
  for await (const entry of entries) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    const content = Buffer.concat(parts).toString('latin1')
    const { name } = entry.header
    const head = name === 'memory.json' ? JSON.parse(content) : null
    const changed = head === null ? content : JSON.stringify({ ...head, memory: { ...head.memory, chunking } })
    tar.entry({ name }, Buffer.from(changed, 'latin1'))
  }
  tar.finalize()
  const written: Buffer[] = []
  for await (const part of tar) written.push(part as Buffer)
  return gzipSync(Buffer.concat(written))
}
