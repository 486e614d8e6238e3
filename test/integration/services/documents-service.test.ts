import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { insertJob } from '../../../src/database/jobs/jobs-table.ts'
import { ApiError } from '../../../src/errors.ts'
import { createDeletionOutbox } from '../../../src/services/deletion/deletion-outbox.ts'
import { createDocumentsService } from '../../../src/services/documents/documents-service.ts'
import { createJobChanges, type JobChange } from '../../../src/services/jobs/job-changes.ts'
import { createMemoriesService } from '../../../src/services/memories/memories-service.ts'
import {
  addDocument,
  addStranger,
  type DocumentFacts,
  openFixture,
  refusedAs,
  rememberingStores,
  scopedTo,
  silent,
} from './fixtures.ts'

const unfiltered = { status: null, tag: null, sourceType: null }
const firstPage = { limit: 100, cursor: null }

async function serve(t: Parameters<typeof openFixture>[0]) {
  const fixture = await openFixture(t)
  const { db, now, caller } = fixture
  const stores = rememberingStores()
  const changes = createJobChanges()
  const heard: JobChange[] = []
  changes.subscribe(null, (change) => heard.push(change))
  const removals = createDeletionOutbox({ db, ...stores, log: silent, now })
  const memories = createMemoriesService({ db, removals, changes, now })
  const documents = createDocumentsService({ db, blobs: stores.blobs, removals, changes, now })
  const input = { name: 'm', description: null, projectId: null, projectName: null }
  const memory = await memories.create(caller, input)
  const add = (facts?: DocumentFacts) => addDocument(db, caller, memory.id, facts)
  const other = await memories.create(caller, input)
  return { ...fixture, ...stores, heard, removals, memories, documents, memory, other, add }
}

test('a document is read back with all fields, its correction and its report', async (t) => {
  const { documents, caller, memory, add } = await serve(t)
  const pages = [{ page: 1, method: 'text', characters: 90, confidence: null, message: null }]
  const plain = await documents.get(caller, memory.id, await add({ tagNames: ['a'], pages: JSON.stringify(pages) }))
  const { id, ...rest } = plain
  assert.match(id, /^doc_[0-9a-z]{26}$/)
  assert.deepEqual(rest, {
    memoryId: memory.id,
    title: 'a document',
    filename: null,
    mimeType: 'text/plain',
    sourceType: 'text',
    url: null,
    tags: ['a'],
    metadata: {},
    externalId: null,
    status: 'ready',
    sizeBytes: 90,
    pageCount: null,
    ocrPages: 0,
    chunkCount: 2,
    characterCount: 90,
    contentHash: null,
    embeddingModel: 'static-multi',
    hasSource: false,
    jobId: null,
    enabled: true,
    error: null,
    createdAt: '2026-11-21T08:00:00.000Z',
    updatedAt: '2026-11-21T08:00:00.000Z',
    correction: null,
    pages,
  })
  const correction = { source_type: 'correction', statement: 'P1 is 5 minutes', topics: '["sla"]', boost: 2.5 } as const
  const corrected = await documents.get(caller, memory.id, await add(correction))
  assert.deepEqual(corrected.correction, { statement: 'P1 is 5 minutes', topics: ['sla'], boost: 2.5, expiresAt: null })
})

test('lists filter by status, tag and source type, count all pages, and leave corrections out unless asked', async (t) => {
  const { documents, caller, memory, add } = await serve(t)
  const text = await add({ tagNames: ['red', 'blue'] })
  const file = await add({ source_type: 'file', tagNames: ['red'], status: 'partial' })
  const failed = await add({ status: 'failed', tagNames: ['red'] })
  const correction = await add({ source_type: 'correction', tagNames: ['red'] })
  const list = async (filter: object) => {
    const page = await documents.list(caller, memory.id, { ...{ ...unfiltered, ...filter }, page: firstPage })
    assert.equal(page.total, page.documents.length)
    return page.documents.map(({ id }) => id)
  }
  assert.deepEqual(await list({}), [failed, file, text])
  assert.deepEqual(await list({ sourceType: 'correction' }), [correction])
  assert.deepEqual(await list({ sourceType: 'file' }), [file])
  assert.deepEqual(await list({ status: 'ready' }), [text])
  assert.deepEqual(await list({ status: 'failed', sourceType: 'file' }), [])
  assert.deepEqual(await list({ tag: 'red' }), [failed, file, text])
  assert.deepEqual(await list({ tag: 'red', sourceType: 'correction' }), [correction])
  assert.deepEqual(await list({ tag: 'red', status: 'failed' }), [failed])
  assert.deepEqual(await list({ tag: 'blue' }), [text])
  assert.deepEqual(await list({ tag: 'Red' }), [])
})

for (const tag of [null, 'red']) {
  const by = tag === null ? 'by arrival' : 'by tag'
  test(`pages ${by} are newest first and stay as they are while documents come and go`, async (t) => {
    const { documents, caller, memory, add } = await serve(t)
    const added: string[] = []
    for (let count = 0; count < 7; count += 1) added.push(await add({ tagNames: ['red'] }))
    const filter = { ...unfiltered, tag }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await documents.list(caller, memory.id, { ...filter, page: { limit: 3, cursor } })
      seen.push(...page.documents.map(({ id }) => id))
      cursor = page.nextCursor
      await add({ tagNames: ['red'] })
      if (seen.length === 3) await documents.delete(caller, memory.id, seen[2] ?? '')
    } while (cursor !== null)
    assert.deepEqual(seen, added.toReversed())
  })
}

test('a cursor of one memory is invalid for another', async (t) => {
  const { documents, caller, memory, other, add } = await serve(t)
  for (let count = 0; count < 2; count += 1) await add()
  const { nextCursor } = await documents.list(caller, memory.id, { ...unfiltered, page: { limit: 1, cursor: null } })
  const page = { limit: 1, cursor: nextCursor }
  await documents.list(caller, memory.id, { ...unfiltered, page })
  await assert.rejects(documents.list(caller, other.id, { ...unfiltered, page }), refusedAs('invalid_cursor'))
})

test('a document is found under its own memory and organization only', async (t) => {
  const { documents, caller, memory, other, add, db } = await serve(t)
  const id = await add({ has_source: 1 })
  const stranger = await addStranger(db)
  const reads = [documents.get, documents.delete, documents.text] as const
  for (const read of reads) {
    await assert.rejects(read(caller, other.id, id), refusedAs('document_not_found'))
    await assert.rejects(read(stranger, memory.id, id), refusedAs('memory_not_found'))
    await assert.rejects(read(scopedTo(caller, other.id), memory.id, id), refusedAs('memory_not_found'))
    await assert.rejects(read(caller, memory.id, `${id}x`), refusedAs('document_not_found'))
    await assert.rejects(read(caller, "mem_' or 1=1", id), refusedAs('memory_not_found'))
  }
  await assert.rejects(
    documents.list(stranger, memory.id, { ...unfiltered, page: firstPage }),
    refusedAs('memory_not_found'),
  )
  assert.equal((await documents.get(scopedTo(caller, memory.id), memory.id, id)).id, id)
})

test('deleting updates the counters, removes dependent rows, and works only once', async (t) => {
  const { documents, memories, caller, memory, add, db, objects, asked } = await serve(t)
  const kept = await add()
  const id = await add({ tagNames: ['a'], inlineText: 'x', language: 'de' })
  await add({ source_type: 'correction', chunk_count: 1, storage_bytes: 7, language: null })
  const failed = await add({ status: 'failed' })
  objects.set(`memories/${memory.id}/documents/${id}/source`, Buffer.from('x'))
  const counted = async () => {
    const { documentCount, correctionCount, chunkCount, sizeBytes } = await memories.get(caller, memory.id)
    return [documentCount, correctionCount, chunkCount, sizeBytes]
  }
  assert.deepEqual(await counted(), [2, 1, 5, 207])
  await documents.delete(caller, memory.id, id)
  await documents.delete(caller, memory.id, failed)
  assert.deepEqual(await counted(), [1, 1, 3, 107])
  await assert.rejects(documents.delete(caller, memory.id, id), refusedAs('document_not_found'))
  assert.deepEqual(asked.slice(0, 2).sort(), [
    `chunks ${memory.id} ${id}`,
    `objects memories/${memory.id}/documents/${id}/`,
  ])
  assert.equal(objects.size, 0)
  assert.deepEqual(await db.selectFrom('removals').selectAll().execute(), [])
  assert.deepEqual(await db.selectFrom('document_tags').selectAll().execute(), [])
  assert.deepEqual(await db.selectFrom('memory_languages').select(['language', 'chunks']).execute(), [
    { language: 'en', chunks: 2 },
  ])
  assert.equal((await documents.get(caller, memory.id, kept)).id, kept)
})

test('two concurrent deletions of one document count it once', async (t) => {
  const { documents, memories, caller, memory, add } = await serve(t)
  await add()
  const id = await add()
  const results = await Promise.allSettled([1, 2].map(() => documents.delete(caller, memory.id, id)))
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await memories.get(caller, memory.id)).documentCount, 1)
})

test('deleting the only document of a waiting job ends it, of a running one asks it to stop, of a batch does neither', async (t) => {
  const { documents, caller, memory, add, db, now, heard } = await serve(t)
  const facts = { organizationId: caller.organizationId, memoryId: memory.id, jobType: 'x', payload: {}, now: now() }
  const makeJob = async () => (await db.transaction().execute((transaction) => insertJob(transaction, facts))).id
  const [waiting, running, batch] = [await makeJob(), await makeJob(), await makeJob()]
  await db.updateTable('jobs').set({ status: 'processing' }).where('id', '=', running).execute()
  const ids = [
    await add({ status: 'pending', job_id: waiting }),
    await add({ status: 'processing', job_id: running }),
    await add({ status: 'pending', job_id: batch }),
  ]
  await add({ status: 'pending', job_id: batch })
  for (const id of ids) await documents.delete(caller, memory.id, id)
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'status', 'cancel_requested', 'error_code'])
    .orderBy('id')
    .execute()
  assert.deepEqual(rows, [
    { id: waiting, status: 'failed', cancel_requested: 1, error_code: 'document_not_found' },
    { id: running, status: 'processing', cancel_requested: 2, error_code: null },
    { id: batch, status: 'pending', cancel_requested: 0, error_code: null },
  ])
  assert.deepEqual(
    heard.map(({ jobId }) => jobId),
    [waiting, running],
  )
})

test('a removal that fails is kept, does not fail the deletion, and does not keep the sweep from the others', async (t) => {
  const { documents, caller, memory, add, db, state, objects, removals } = await serve(t)
  const id = await add()
  objects.set(`memories/${memory.id}/documents/${id}/source`, Buffer.from('x'))
  state.broken = true
  await documents.delete(caller, memory.id, id)
  await assert.rejects(documents.get(caller, memory.id, id), refusedAs('document_not_found'))
  await removals.sweep()
  assert.equal((await db.selectFrom('removals').selectAll().execute()).length, 1)
  state.broken = false
  await removals.sweep()
  assert.deepEqual(await db.selectFrom('removals').selectAll().execute(), [])
  assert.equal(objects.size, 0)
})

test('a sweep carries out any number of removals, many documents of a memory in one go', async (t) => {
  const { memory, db, asked, removals } = await serve(t)
  const row = (index: number) => {
    const id = `doc_${String(index).padStart(4, '0')}`
    return { id, kind: 'document' as const, memory_id: memory.id, document_id: id, created_at: '' }
  }
  await db
    .insertInto('removals')
    .values(Array.from({ length: 450 }, (_, index) => row(index)))
    .execute()
  await removals.sweep()
  assert.deepEqual(await db.selectFrom('removals').selectAll().execute(), [])
  assert.equal(asked.filter((line) => line.startsWith('chunks')).length, 3)
  assert.equal(asked.filter((line) => line.startsWith('objects')).length, 450)
})

test('the stored original comes whole or as the range that was asked for', async (t) => {
  const { documents, caller, memory, add, objects } = await serve(t)
  const id = await add({ has_source: 1, filename: 'ü.txt' })
  objects.set(`memories/${memory.id}/documents/${id}/source`, Buffer.from('0123456789'))
  const read = async (range: { start: number | null; end: number | null } | null) => {
    const source = await documents.source(caller, memory.id, { documentId: id, range })
    assert.equal(source.bytes, 10)
    return source.content === null ? null : { ...source, content: await text(source.content) }
  }
  assert.deepEqual(await read(null), {
    content: '0123456789',
    bytes: 10,
    range: null,
    filename: 'ü.txt',
    mimeType: 'text/plain',
  })
  const part = async (start: number | null, end: number | null) => {
    const source = await read({ start, end })
    return source && [source.content, source.range]
  }
  assert.deepEqual(await part(2, 4), ['234', { start: 2, end: 4 }])
  assert.deepEqual(await part(7, null), ['789', { start: 7, end: 9 }])
  assert.deepEqual(await part(7, 99), ['789', { start: 7, end: 9 }])
  assert.deepEqual(await part(null, 3), ['789', { start: 7, end: 9 }])
  assert.deepEqual(await part(null, 99), ['0123456789', { start: 0, end: 9 }])
  assert.equal(await part(10, null), null)
  assert.equal(await part(null, 0), null)
})

test('a missing original and a pending text are reported', async (t) => {
  const { documents, caller, memory, add } = await serve(t)
  await assert.rejects(
    documents.source(caller, memory.id, { documentId: await add(), range: null }),
    refusedAs('source_not_stored'),
  )
  const waiting = await add({ status: 'pending' })
  await assert.rejects(documents.text(caller, memory.id, waiting), /its status is pending/)
})

test('the extracted text comes from the database or the object store, with its bytes', async (t) => {
  const { documents, caller, memory, add, objects } = await serve(t)
  const small = await documents.text(caller, memory.id, await add({ inlineText: 'Grüße' }))
  assert.deepEqual([await text(small.content), small.bytes], ['Grüße', 7])
  const id = await add()
  objects.set(`memories/${memory.id}/documents/${id}/text`, Buffer.from('large'))
  const large = await documents.text(caller, memory.id, id)
  assert.deepEqual([await text(large.content), large.bytes], ['large', 5])
})

test('a deletion without space uses the reserve, also one released by another, and is tried twice', async (t) => {
  const { removals } = await serve(t)
  const failing = (errors: ApiError[]) => () => {
    const error = errors.shift()
    return error === undefined ? Promise.resolve('deleted') : Promise.reject(error)
  }
  const full = () => new ApiError('insufficient_storage')
  assert.equal(await removals.commit(failing([full()])), 'deleted')
  await assert.rejects(removals.commit(failing([full(), full()])), refusedAs('insufficient_storage'))
  await assert.rejects(removals.commit(failing([new ApiError('document_not_found')])), refusedAs('document_not_found'))
})
