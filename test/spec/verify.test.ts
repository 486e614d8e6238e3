import assert from 'node:assert/strict'
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { runCommandLine } from './product.ts'
import { useSharedService } from './service.ts'
import {
  addText,
  endOfJob,
  find,
  listDocuments,
  makeKey,
  makeMemory,
  readMemory,
  upload,
  uploadReady,
} from './steps.ts'
import { verifies } from './verifies.ts'

type Verification = {
  ok: boolean
  documents: number
  chunks: number
  problemsFound: number
  problems: { code: string; message: string; documentId: string | null; mendable: boolean; remedy: string }[]
}

const service = useSharedService()

/**
 * A memory with documents in every form; returns the ids of a short document and of a document with
 * an original.
 */
async function fill(): Promise<{ memoryId: string; note: string; upload: string }> {
  const memoryId = await makeMemory(service)
  const note = await addText(service, memoryId, 'The lamp is lit at eight.', { tags: ['light'] })
  const content = 'A long text that lies in the object store. '.repeat(2000)
  const upload = await uploadReady(service, memoryId, { filename: 'a.md', content, options: { storeSource: true } })
  assertStatus(await service.post(`/v1/memories/${memoryId}/correct`, { statement: 'The lamp is lit at nine.' }), 201)
  return { memoryId, note, upload }
}

async function verify(memoryId: string, key = service.bootstrapKey): Promise<Verification> {
  const answer = await service.get<Verification>(`/v1/memories/${memoryId}/verify`, { key })
  assertStatus(answer, 200)
  return answer.json
}

const settings = () => ({ RECOLLECT_DATA_DIR: service.dataDirectory, RECOLLECT_LOG_LEVEL: 'silent' })
async function flipBit(path: string): Promise<void> {
  const content = await readFile(path)
  content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1
  await writeFile(path, content)
}

const objectOf = (memoryId: string, id: string, name: string) =>
  join(service.dataDirectory, 'objects', 'objects', 'memories', memoryId, 'documents', id, name)

test('an intact memory reports the comparisons', async () => {
  verifies('beyond.verify')
  const { memoryId } = await fill()
  const { documentCount, chunkCount } = await readMemory(service, memoryId)
  const expected = { ok: true, documents: documentCount, chunks: chunkCount, problemsFound: 0, problems: [] }
  assert.deepEqual(await verify(memoryId), expected)
  const empty = await makeMemory(service)
  assert.deepEqual(await verify(empty), { ...expected, documents: 0, chunks: 0 })
})

test('a memory is verified with its key or that of the organization, and 404 for others', async () => {
  verifies('beyond.verify.access')
  const { memoryId } = await fill()
  const other = await makeMemory(service)
  assert.ok((await verify(memoryId, (await makeKey(service, memoryId)).key)).ok)
  const { key } = await makeKey(service, other)
  assertError(await service.get(`/v1/memories/${memoryId}/verify`, { key }), 404, 'memory_not_found')
  assertError(await service.get('/v1/memories/mem_no/verify'), 404, 'memory_not_found')
})

test('damage to metadata, memory file and objects is named, and the doctor repairs what it can', async () => {
  verifies('beyond.verify', 'beyond.verify.damage')
  const whole = await fill()
  const fileless = await fill()
  await service.stop()
  const database = new DatabaseSync(join(service.dataDirectory, 'recollect.sqlite'))
  database.prepare('update memories set chunk_count = 1 where id = ?').run(whole.memoryId)
  database.prepare('delete from document_tags where document_id = ?').run(whole.note)
  database.close()
  await truncate(objectOf(whole.memoryId, whole.upload, 'source'), 10)
  const file = (await readdir(join(service.dataDirectory, 'memories'))).find((name) =>
    name.startsWith(fileless.memoryId),
  )
  await rm(join(service.dataDirectory, 'memories', file ?? ''), { recursive: true })
  await service.start()
  const found = await verify(whole.memoryId)
  assert.equal(found.ok, false)
  assert.deepEqual(found.problems.map(({ code, documentId, mendable }) => [code, documentId, mendable]).sort(), [
    ['wrong_counters', null, true],
    ['wrong_original', whole.upload, false],
    ['wrong_tags', whole.note, true],
  ])
  for (const { message, remedy } of found.problems) assert.ok(message.endsWith('.') && remedy.endsWith('.'))
  assert.deepEqual(
    (await verify(fileless.memoryId)).problems.map(({ code }) => code),
    ['missing_memory_file'],
  )
  await service.stop()
  const mended = await runCommandLine(settings(), ['doctor', '--storage', '--fix'])
  assert.equal(mended.code, 1, mended.output)
  assert.match(mended.output, /repaired .*wrong_counters/)
  const one = await runCommandLine(settings(), ['doctor', '--storage', '--memory', fileless.memoryId])
  assert.equal(one.code, 0, one.output)
  await service.start()
  assert.deepEqual(
    (await verify(whole.memoryId)).problems.map(({ code }) => code),
    ['wrong_original'],
  )
  assert.ok((await verify(fileless.memoryId)).ok)
  assert.ok((await find(service, fileless.memoryId, 'When is the lamp lit?')).hits.length > 0)
})

test('an original with one flipped bit is named, for any source', async () => {
  verifies('beyond.verify.damage')
  const memoryId = await makeMemory(service)
  const content = 'The lamp is lit at eight. '.repeat(20)
  const texts = { documents: [{ title: 'Text', text: content }] }
  for (const options of [{ storeSource: true }, { storeSource: true, async: true }]) {
    const answers = [
      await upload<{ jobId?: string }>(service, memoryId, { filename: 'a.md', content, options }),
      await service.post<{ jobId?: string }>(`/v1/memories/${memoryId}/documents`, { ...texts, options }),
    ]
    for (const { json } of answers) if (json.jobId !== undefined) await endOfJob(service, json.jobId)
  }
  assert.deepEqual((await verify(memoryId)).problems, [])
  const { documents } = await listDocuments(service, memoryId)
  assert.equal(documents.length, 4)
  for (const { id } of documents) await flipBit(objectOf(memoryId, id, 'source'))
  const { problems } = await verify(memoryId)
  assert.deepEqual(
    problems.map(({ code, documentId }) => [code, documentId]).sort(),
    documents.map(({ id }) => ['wrong_original', id]).sort(),
  )
})

test('the command line verifies a memory, and fails where it is not whole', async () => {
  verifies('beyond.verify')
  const { memoryId, upload } = await fill()
  const connection = { RECOLLECT_URL: service.url, RECOLLECT_API_KEY: service.bootstrapKey }
  const whole = await runCommandLine(connection, ['verify', memoryId])
  assert.equal(whole.code, 0, whole.output)
  assert.match(whole.output, /Whole: 2 documents/)
  await rm(objectOf(memoryId, upload, 'source'))
  const broken = await runCommandLine(connection, ['verify', memoryId])
  assert.equal(broken.code, 1)
  assert.match(broken.output, new RegExp(`missing_original ${upload}`))
})

test('nothing is wrong with a memory while documents come and go', async () => {
  verifies('beyond.verify')
  const memoryId = await makeMemory(service)
  let isOver = false
  const others = Array.from({ length: 3 }, async (_, worker) => {
    for (let i = 0; !isOver; i += 1) {
      const id = await addText(service, memoryId, `Number ${worker} ${i} comes. ${'It goes again. '.repeat(200)}`)
      await addText(service, memoryId, `It stays: ${worker} ${i}.`, { externalId: `e${worker}` })
      assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${id}`), 204)
    }
  })
  try {
    for (let round = 0; round < 10; round += 1) assert.deepEqual((await verify(memoryId)).problems, [])
  } finally {
    isOver = true
    await Promise.all(others)
  }
  assert.ok((await verify(memoryId)).ok)
})
