import assert from 'node:assert/strict'
import test from 'node:test'
import { SAMPLE_DOCUMENTS } from '../support/sample-documents.ts'
import { assertError, assertStatus } from './answer.ts'
import type { Chunk } from './api-types.ts'
import { useSharedService } from './service.ts'
import type { List } from './shapes.ts'
import { addInBackground, addText, find, makeKey, makeMemory, readDocument, readText, uploadReady } from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()
const { PDF } = SAMPLE_DOCUMENTS
assert.ok(PDF)

/** A page of chunks; fails unless the answer is 200. */
async function listChunks(memoryId: string, id: string, query = ''): Promise<List<'chunks', Chunk>> {
  const answer = await service.get<List<'chunks', Chunk>>(`/v1/memories/${memoryId}/documents/${id}/chunks${query}`)
  assertStatus(answer, 200)
  return answer.json
}

test('the chunks of a document are slices of its text, in order and in pages', async () => {
  verifies('chunks.list', 'chunks.slices', 'chunks.pages')
  const memoryId = await makeMemory(service)
  const sections = Array.from({ length: 12 }, (_, at) => `# Part ${at}\n\n${`Lift ${at} is out of order. `.repeat(60)}`)
  const file = { content: sections.join('\n\n'), filename: 'lifts.md' }
  const id = await uploadReady(service, memoryId, file)
  const [text, { chunkCount }] = [await readText(service, memoryId, id), await readDocument(service, memoryId, id)]
  const all: Chunk[] = []
  for (let cursor: string | null = null, hasMore = true; hasMore; ) {
    const page = await listChunks(memoryId, id, `?limit=5${cursor === null ? '' : `&cursor=${cursor}`}`)
    assert.ok(page.chunks.length <= 5 && page.total === chunkCount)
    all.push(...page.chunks)
    cursor = page.nextCursor
    hasMore = page.hasMore
  }
  assert.ok(chunkCount > 12)
  assert.deepEqual(
    all.map((chunk) => [chunk.id, chunk.index, chunk.text]),
    all.map(({ startOffset, endOffset }, at) => [`${id}.${at}`, at, text.slice(startOffset, endOffset)]),
  )
  assert.equal(all.length, chunkCount)
  assert.equal(all.at(-1)?.section, 'Part 11')
  const [hit] = (await find(service, memoryId, 'lift 7')).hits
  const same = all.find((chunk) => chunk.id === hit?.chunkId)
  assert.deepEqual([same?.text, same?.startOffset, same?.section], [hit?.text, hit?.startOffset, hit?.section])
  assertError(
    await service.get(`/v1/memories/${memoryId}/documents/${id}/chunks?cursor=x`),
    400,
    'invalid_cursor',
    'cursor',
  )
  assertError(
    await service.get(`/v1/memories/${memoryId}/documents/${id}/chunks?limit=0`),
    400,
    'validation_failed',
    'limit',
  )
})

test('chunks of a PDF have their pages', async () => {
  verifies('chunks.list')
  const memoryId = await makeMemory(service)
  const id = await uploadReady(service, memoryId, { content: Uint8Array.from(PDF.content), filename: 'a.pdf' })
  const { chunks } = await listChunks(memoryId, id)
  assert.ok(chunks.length > 0 && chunks.every(({ page, pageEnd }) => page !== null && page <= (pageEnd ?? 0)))
})

test('a document without chunks has an empty list, and a foreign one is not found', async () => {
  verifies('chunks.none')
  const [memoryId, otherId] = [await makeMemory(service), await makeMemory(service)]
  const waiting = (await addInBackground(service, memoryId, 'The newt hibernates.')).json.documentIds[0] ?? ''
  const { chunks, total } = await listChunks(memoryId, waiting)
  assert.equal(chunks.length, total)
  const id = await addText(service, memoryId, 'The heron fishes at dawn.')
  assert.equal((await listChunks(memoryId, id)).total, 1)
  const { key } = await makeKey(service, otherId)
  assertError(await service.get(`/v1/memories/${otherId}/documents/${id}/chunks`), 404, 'document_not_found')
  assertError(await service.get(`/v1/memories/${memoryId}/documents/${id}/chunks`, { key }), 404, 'memory_not_found')
  assertError(await service.get(`/v1/memories/${memoryId}/documents/x/chunks`), 404, 'document_not_found')
})
