/**
 * Deleted data leaves the disk within 15 minutes of the service's clock, which runs faster here.
 * The tests search every byte of the data folder for words. Other forms are detected by size: 40
 * random digits a document leave a folder only together with the document.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Accepted, Correction, List } from './shapes.ts'
import { addText, endOfJob, find, makeMemory, upload, uploadReady } from './steps.ts'
import { verifies } from './verifies.ts'

/** 15 minutes are eight seconds of the quick clock; a loaded machine may take longer. */
const PATIENCE_MS = 90_000
const FATAL = join(tmpdir(), `recollect-fatal-${randomBytes(6).toString('hex')}`)
const PRELOAD = pathToFileURL(join(import.meta.dirname, 'quick-clock.mjs')).href

const service = useService({ NODE_OPTIONS: `--import=${PRELOAD}`, QUICK_CLOCK_KILL: FATAL })

const newWord = () => `w${randomBytes(16).toString('hex')}`

async function listFiles(): Promise<string[]> {
  const entries = await readdir(service.dataDirectory, { recursive: true, withFileTypes: true }).catch(() => null)
  // A folder was removed during the listing.
  if (entries === null) return listFiles()
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** The files that contain one of these words, in any case, as UTF-8 or UTF-16. */
async function listHolding(words: readonly string[]): Promise<string[]> {
  const wanted = words.flatMap((word) => [Buffer.from(word), Buffer.from(word, 'utf16le')])
  const holding: string[] = []
  for (const path of await listFiles()) {
    // A removed file contains nothing.
    const content = await readFile(path).catch(() => Buffer.alloc(0))
    if (wanted.some((word) => content.includes(word))) holding.push(path.slice(service.dataDirectory.length + 1))
  }
  return holding
}

async function waitUntilGone(words: readonly string[]): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  let holding = await listHolding(words)
  while (holding.length > 0 && performance.now() < until) {
    await pause(500)
    holding = await listHolding(words)
  }
  assert.deepEqual(holding, [])
}

/** Adds documents in every form with unique words in every field; returns their identifiers. */
async function plant(memoryId: string) {
  const [title = '', text = '', tag = '', note = '', original = '', filename = '', spoken = ''] = Array.from(
    { length: 7 },
    newWord,
  )
  const added = await addText(service, memoryId, `The ${text} stands in a sentence of its own.`, {
    title: `A ${title}`,
    tags: [tag],
    metadata: { note },
  })
  const uploaded = await uploadReady(service, memoryId, {
    filename: `${filename}.txt`,
    content: `An original has ${original}. ${'More of it follows. '.repeat(3000)}`,
    options: { storeSource: true },
  })
  const corrected = await service.post<{ id: string }>(`/v1/memories/${memoryId}/correct`, {
    statement: `Say ${spoken}.`,
  })
  assertStatus(corrected, 201)
  return { ids: [added, uploaded, corrected.json.id], words: [title, text, tag, note, original, filename, spoken] }
}

test('deleted data leaves every file of the data folder within 15 minutes, and the rest stays', async () => {
  verifies('beyond.deleted-bytes')
  const memoryId = await makeMemory(service)
  const kept = newWord()
  for (let i = 0; i < 60; i += 1) await addText(service, memoryId, `Number ${i} is here to stay: ${kept}${i}.`)
  const { ids, words } = await plant(memoryId)
  assert.ok((await find(service, memoryId, words[1] ?? '')).hits.some(({ documentId }) => documentId === ids[0]))
  // A remaining correction overrode a deleted document.
  const statement = 'What stands in a sentence of its own is short.'
  assertStatus(await service.post(`/v1/memories/${memoryId}/correct`, { statement }), 201)
  await find(service, memoryId, `What stands in a sentence of its own?`)
  const { json: listed } = await service.get<List<'corrections', Correction>>(`/v1/memories/${memoryId}/corrections`)
  const noted = listed.corrections[0]?.lastOutranked?.passages.map(({ documentId }) => documentId)
  assert.ok(noted?.includes(ids[0] ?? ''), 'what it stood before is noted')
  const before = await listHolding(words)
  assert.ok(
    before.some((path) => path.includes('.lance')),
    'the search sees what is there',
  )
  for (const id of ids) assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${id}`), 204)
  await waitUntilGone(words)
  assert.ok((await find(service, memoryId, `${kept}7`)).totalHits > 0)
})

test('the words of deleted documents also leave compressed files', async () => {
  verifies('beyond.deleted-bytes')
  const memoryId = await makeMemory(service)
  const add = async (count: number) => {
    const documents = Array.from({ length: count }, (_, i) => ({
      title: `${i}`,
      text: Array.from({ length: 8 }, newWord).join(' '),
    }))
    const answer = await service.post<{ documentIds: string[] }>(`/v1/memories/${memoryId}/documents`, { documents })
    assertStatus(answer, 200)
    return answer.json.documentIds
  }
  const folder = join('memories', `${memoryId}.lance`)
  const measure = async () => {
    const files = (await listFiles()).filter((path) => path.includes(folder))
    return (await Promise.all(files.map((path) => stat(path).catch(() => ({ size: 0 }))))).reduce(
      (sum, { size }) => sum + size,
      0,
    )
  }
  await add(20)
  const ids = [...(await add(400)), ...(await add(200))]
  while (ids.length > 0) {
    const together = ids.splice(0, 20).map((id) => service.delete(`/v1/memories/${memoryId}/documents/${id}`))
    for (const answer of await Promise.all(together)) assertStatus(answer, 204)
  }
  const randomBytesDeleted = 600 * 8 * 16
  const until = performance.now() + PATIENCE_MS
  while ((await measure()) > randomBytesDeleted && performance.now() < until) await pause(500)
  const left = await measure()
  assert.ok(left < randomBytesDeleted, `${left} bytes are left, those deleted had ${randomBytesDeleted} at least`)
})

test('a memory that was deleted leaves nothing either', async () => {
  verifies('beyond.deleted-bytes')
  const memoryId = await makeMemory(service)
  const { words } = await plant(memoryId)
  assertStatus(await service.delete(`/v1/memories/${memoryId}`), 204)
  await waitUntilGone(words)
})

test('the job of a deleted document forgets the name of its file, and can still be read', async () => {
  verifies('beyond.deleted-bytes')
  const memoryId = await makeMemory(service)
  const [filename, text] = [newWord(), newWord()]
  const file = { filename: `${filename}.txt`, content: `It says ${text}.`, options: { async: true } }
  const accepted = await upload<Accepted>(service, memoryId, file)
  assertStatus(accepted, 202)
  const { jobId, documentIds } = accepted.json
  await endOfJob(service, jobId)
  const [id = ''] = documentIds
  assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${id}`), 204)
  await waitUntilGone([filename, text])
  assert.equal((await endOfJob(service, jobId)).status, 'completed')
})

test('stored responses contain nothing of deleted documents', async () => {
  verifies('beyond.deleted-bytes')
  const memoryId = await makeMemory(service)
  const [title, text] = [newWord(), newWord()]
  const documents = [{ title, text: `The ${text} opens the gate.` }]
  const add = () =>
    service.post<{ documentIds: string[]; documents: { title: string }[] }>(
      `/v1/memories/${memoryId}/documents`,
      { documents },
      { headers: { 'idempotency-key': 'add' } },
    )
  const ask = () =>
    service.post<{ totalHits: number }>(
      `/v1/memories/${memoryId}/find`,
      { query: text },
      { headers: { 'idempotency-key': 'ask' } },
    )
  const correct = () =>
    service.post<{ outranks: { documentId: string; title: string; snippet: string }[] }>(
      `/v1/memories/${memoryId}/correct`,
      { statement: 'The gate opens by itself.' },
      { headers: { 'idempotency-key': 'correct' } },
    )
  const first = await add()
  assert.equal((await ask()).json.totalHits, 1)
  assert.equal((await correct()).json.outranks.length, 1)
  const [id = ''] = first.json.documentIds
  assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${id}`), 204)
  assert.equal((await ask()).headers.get('idempotent-replayed'), null, 'a question is answered anew')
  const assertRepeats = async () => {
    const again = await add()
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(again.json.documentIds, [id])
    assert.deepEqual(
      again.json.documents.map((document) => document.title),
      [''],
    )
    const outranking = await correct()
    assert.equal(outranking.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(
      outranking.json.outranks.map(({ documentId, title, snippet }) => ({ documentId, title, snippet })),
      [{ documentId: id, title: '', snippet: '' }],
    )
  }
  await assertRepeats()
  await waitUntilGone([title, `${text} opens`])
  await assertRepeats()
})

test('a deletion whose process was killed before the removal is carried out by the next one', async () => {
  verifies('beyond.deleted-bytes')
  const memoryId = await makeMemory(service)
  const { ids, words } = await plant(memoryId)
  await writeFile(FATAL, '')
  const [id = '', ...others] = ids
  await assert.rejects(service.delete(`/v1/memories/${memoryId}/documents/${id}`))
  await rm(FATAL)
  await service.crash()
  assertError(await service.get(`/v1/memories/${memoryId}/documents/${id}`), 404, 'document_not_found')
  for (const other of others) assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${other}`), 204)
  await waitUntilGone(words)
})
