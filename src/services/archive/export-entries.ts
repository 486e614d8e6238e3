import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import {
  getMemoryRow,
  listStoredDocuments,
  listStoredDocumentsById,
  type StoredDocument,
} from '../../database/memories/archived-documents.ts'
import { chunkSizesOf } from '../../database/memories/memories-table.ts'
import { LIVE_STATUSES, type Memory, type Tables } from '../../database/schema.ts'
import { batches } from '../../database/statements.ts'
import { countWindows, unpackWindows } from '../../engine/windows.ts'
import { ApiError } from '../../errors.ts'
import type { ChunkRow, MemoryFile } from '../../memory-file/memory-file.ts'
import type { Blobs } from '../../objects/blobs.ts'
import { documentObject } from '../document-objects.ts'
import { toCorrection } from '../documents/document-resource.ts'
import {
  ARCHIVE,
  type ArchiveEntry,
  entryName,
  HEAD_NAME,
  MANIFEST_NAME,
  PART_LIMITS,
  splitParts,
} from './archive-format.ts'
import type { ArchivedChunk, ArchivedDocument, ArchiveHead, Manifest } from './archive-schemas.ts'
import { toLittleEndian } from './archive-vectors.ts'
import { createExportIndex, createTextComparison, type ExportIndex } from './export-index.ts'

/**
 * Maximum rounds for documents added or changed during the export. Our choice: each round is
 * shorter than the last.
 */
const MAX_ROUNDS = 5

/** Dependencies of an export. */
type ExportDeps = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'get' | 'size'>
  memoryFile: Pick<MemoryFile, 'scan'>
}

type Export = ExportDeps & {
  memory: Memory
  ledger: ExportIndex
  recorder: EntryRecorder
  /** Number of parts of each kind, and the vector length once known. */
  state: { documents: number; chunks: number; dimensions: number }
}

/**
 * Entries of a memory's archive (see `archive-format.ts`). The archive contains the documents that
 * are live when the archive is finished: documents added meanwhile follow, deleted or changed
 * documents are dropped. Rejects when the memory is deleted or its embedding model changes.
 */
export async function* exportEntries(
  deps: ExportDeps,
  memory: Memory,
  exportedAt: Date,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const recorder = createEntryRecorder()
  const state = { documents: 0, chunks: 0, dimensions: 0 }
  const work: Export = { ...deps, memory, ledger: createExportIndex(), recorder, state }
  yield recorder.recordJson(HEAD_NAME, describeMemory(memory, exportedAt))
  yield* exportAll(work)
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const missing = await work.ledger.review(deps.db, memory.id)
    if (missing.length === 0 || round === MAX_ROUNDS) break
    for (const ids of batches(missing)) yield* exportGroup(work, await listStoredDocumentsById(deps.db, ids))
  }
  const { embedding_model: model } = (await getMemoryRow(deps.db, memory.id)) ?? throwMemoryDeleted()
  if (model !== memory.embedding_model && state.chunks > 0) throw modelChangedError()
  yield recorder.recordJson(MANIFEST_NAME, toManifest(work))
}

function describeMemory(memory: Memory, exportedAt: Date): ArchiveHead {
  const { name, description, created_at: createdAt, embedding_model: model } = memory
  const chunking = chunkSizesOf(memory)
  return {
    ...ARCHIVE,
    exportedAt: exportedAt.toISOString(),
    memory: { name, description, createdAt, ...(chunking && { chunking }) },
    embedder: model === null ? null : { model },
  }
}

function toManifest({ memory, ledger, recorder, state: { dimensions } }: Export): Manifest {
  const model = memory.embedding_model
  return {
    ...ARCHIVE,
    embedder: model === null ? null : { model, dimensions },
    ...ledger.summarize(),
    entries: recorder.entries,
  }
}

async function* exportAll(work: Export): AsyncGenerator<ArchiveEntry> {
  for (const status of LIVE_STATUSES) {
    let documents: StoredDocument[] = []
    do {
      const stretch = { memoryId: work.memory.id, status, afterSeq: documents.at(-1)?.seq ?? 0 }
      documents = await listStoredDocuments(work.db, { ...stretch, limit: PART_LIMITS.documents })
      yield* exportGroup(work, documents)
    } while (documents.length === PART_LIMITS.documents)
  }
}

type NumberedDocument = {
  number: number
  document: StoredDocument
  textBytes: number | null
  originalBytes: number | null
}

type DocumentWithLine = NumberedDocument & { line: Buffer }

/** Documents with their texts, originals and chunks, in as many parts as needed. */
async function* exportGroup(work: Export, documents: readonly StoredDocument[]): AsyncGenerator<ArchiveEntry> {
  const live = documents.filter(({ status }) => LIVE_STATUSES.includes(status))
  const numbered = await Promise.all(live.map((document) => measure(work, document)))
  const most = { items: PART_LIMITS.documents, bytes: PART_LIMITS.bytes }
  for (const part of splitParts(toLined(numbered), ({ line }) => line.length, most)) yield* exportPart(work, part)
}

/** Lines are built lazily: those of 100 documents may have a hundred megabytes. */
function* toLined(numbered: readonly NumberedDocument[]): Generator<DocumentWithLine> {
  for (const one of numbered) yield { ...one, line: Buffer.from(toDocumentLine(one.document, one)) }
}

/** One part: documents with their texts, originals and chunks. */
async function* exportPart(work: Export, numbered: readonly DocumentWithLine[]): AsyncGenerator<ArchiveEntry> {
  const { recorder, state } = work
  state.documents += 1
  const lines = Buffer.concat(numbered.map(({ line }) => line))
  yield recorder.recordWhole(entryName('documents', state.documents), lines)
  for (const { number, document, textBytes } of numbered) {
    if (textBytes !== null)
      yield* exportObject(work, {
        name: entryName('texts', number),
        key: objectKey(document, 'text'),
        bytes: textBytes,
      })
  }
  for (const { number, document, originalBytes } of numbered) {
    if (originalBytes === null) continue
    const name = entryName('originals', number)
    yield* exportObject(work, { name, key: objectKey(document, 'source'), bytes: originalBytes })
    const written = recorder.entries.at(-1)
    const wanted = document.original_hash
    if (written?.name === name && wanted !== null && written.sha256 !== wanted) work.ledger.markIncomplete(number)
  }
  yield* exportChunks(work, numbered)
}

/** Number of a document and sizes of its objects; `null` for a missing object. */
async function measure({ blobs, ledger }: Export, document: StoredDocument): Promise<NumberedDocument> {
  const number = ledger.add({
    id: document.id,
    updatedAt: document.updated_at,
    language: document.language,
    isCorrection: document.source_type === 'correction',
  })
  const textBytes = document.content === null ? await blobs.size(objectKey(document, 'text')) : null
  const originalBytes = document.has_source === 1 ? await blobs.size(objectKey(document, 'source')) : null
  const isOriginalWhole = document.has_source === 0 || originalBytes === Number(document.size_bytes)
  const isWhole = (document.content ?? textBytes) !== null && isOriginalWhole
  if (!isWhole) ledger.markIncomplete(number)
  return { number, document, textBytes, originalBytes }
}

function objectKey(document: StoredDocument, name: 'text' | 'source'): string {
  return documentObject(document.memory_id, document.id, name)
}

/** Entry of an object; none if the object is gone because the document was deleted. */
async function* exportObject(
  { blobs, recorder }: Export,
  { name, key, bytes }: { name: string; key: string; bytes: number },
): AsyncGenerator<ArchiveEntry> {
  const content = await blobs.get(key)
  if (content === null) return
  try {
    yield recorder.record(name, bytes, content)
  } finally {
    content.destroy()
  }
}

async function* exportChunks(work: Export, documents: readonly NumberedDocument[]): AsyncGenerator<ArchiveEntry> {
  const { ledger, memory, memoryFile } = work
  const byId = new Map(documents.map((one) => [one.document.id, one]))
  const found = new Map<number, number>()
  const comparison = createTextComparison(
    work.blobs,
    (id) => byId.get(id)?.document,
    (id) => ledger.markIncomplete(byId.get(id)?.number ?? 0),
  )
  for await (const batch of memoryFile.scan(memory.id, { documentIds: [...byId.keys()] })) {
    // A partial document that a job reads again may have more chunks than its row says.
    const rows = batch.filter((row) => row.chunkIndex < (byId.get(row.documentId)?.document.chunk_count ?? 0))
    for (const row of rows) {
      const number = byId.get(row.documentId)?.number ?? 0
      found.set(number, (found.get(number) ?? 0) + 1)
      await comparison.compare(row)
    }
    const lined = rows.map((row) => {
      return { row, line: Buffer.from(toChunkLine(row, byId.get(row.documentId)?.number ?? 0)) }
    })
    const most = { items: PART_LIMITS.chunks, bytes: PART_LIMITS.bytes }
    for (const part of splitParts(lined, bytesOfChunk, most)) yield* exportChunkPart(work, part)
  }
  await comparison.finish()
  for (const { number, document } of documents) {
    const chunks = found.get(number) ?? 0
    ledger.countChunks(number, chunks)
    if (chunks !== document.chunk_count) ledger.markIncomplete(number)
  }
}

type LinedChunk = { row: ChunkRow; line: Buffer }

/** Size of the line and all vectors. */
function bytesOfChunk({ row: { vector, windows }, line }: LinedChunk): number {
  return line.length + vector.byteLength + windows.byteLength
}

function* exportChunkPart({ recorder, state }: Export, chunks: readonly LinedChunk[]): Generator<ArchiveEntry> {
  const rows = chunks.map(({ row }) => row)
  const dimensions = rows[0]?.vector.length ?? 0
  if (state.dimensions !== 0 && state.dimensions !== dimensions) throw modelChangedError()
  state.dimensions = dimensions
  state.chunks += 1
  const lines = Buffer.concat(chunks.map(({ line }) => line))
  yield recorder.recordWhole(entryName('chunks', state.chunks), lines)
  yield recorder.recordWhole(entryName('vectors', state.chunks), toLittleEndian(rows.map(({ vector }) => vector)))
  yield recorder.recordWhole(entryName('windows', state.chunks), toWindowBytes(rows))
}

function throwMemoryDeleted(): never {
  throw new ApiError('memory_not_found', { message: 'The memory was deleted during the export.' })
}

function modelChangedError(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The embedding model of the memory changed during the export.',
    remedy: 'Export it again.',
  })
}

/** A document as a line of its part. */
function toDocumentLine(
  document: StoredDocument,
  { number, textBytes, originalBytes }: { number: number; textBytes: number | null; originalBytes: number | null },
): string {
  const line: ArchivedDocument = {
    number,
    externalId: document.external_id,
    title: document.title,
    filename: document.filename,
    mimeType: document.mime_type,
    sourceType: document.source_type,
    url: document.url,
    tags: JSON.parse(document.tags) as string[],
    metadata: JSON.parse(document.metadata) as ArchivedDocument['metadata'],
    status: document.status === 'partial' ? 'partial' : 'ready',
    ...(document.enabled === 1 ? {} : { enabled: false }),
    error: document.error,
    sizeBytes: Number(document.size_bytes),
    pageCount: document.page_count,
    ocrPages: document.ocr_pages,
    chunkCount: document.chunk_count,
    characterCount: document.character_count,
    contentHash: document.content_hash,
    signature: document.signature,
    language: document.language,
    pages: JSON.parse(document.pages) as ArchivedDocument['pages'],
    // `createdBy` is left out: the key belongs to this installation.
    correction: toCorrection(document),
    // A missing text is written as empty; the manifest lists the document as incomplete.
    text: document.content ?? (textBytes === null ? '' : null),
    originalBytes,
    originalHash: originalBytes === null ? null : document.original_hash,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  }
  return `${JSON.stringify(line)}\n`
}

/** A chunk as a line of its part. */
function toChunkLine(row: ChunkRow, document: number): string {
  const { chunkIndex: index, text, terms, startOffset, endOffset, page, pageEnd, section, header } = row
  const windows = countWindows(row.windows, row.vector.length)
  const place = { startOffset, endOffset, page, pageEnd, section, header }
  const line: ArchivedChunk = { document, index, text, terms, ...place, windows }
  return `${JSON.stringify(line)}\n`
}

/** Concatenated window vectors. */
function toWindowBytes(rows: readonly ChunkRow[]): Buffer {
  return Buffer.concat(rows.map(({ windows, vector }) => Buffer.from(unpackWindows(windows, vector.length).buffer)))
}

/** Creates the entries of an archive and records their checksums for the manifest. */
type EntryRecorder = {
  /** Entries that were read to the end, in order. */
  readonly entries: Manifest['entries']
  /** Entry with streamed content; reading rejects when the size differs from `bytes`. */
  record(name: string, bytes: number, content: AsyncIterable<Buffer>): ArchiveEntry
  /** Entry held in memory. */
  recordWhole(name: string, content: Buffer): ArchiveEntry
  /** Entry of one JSON value. */
  recordJson(name: string, value: unknown): ArchiveEntry
}

function createEntryRecorder(): EntryRecorder {
  const entries: Manifest['entries'] = []

  function recordWhole(name: string, content: Buffer): ArchiveEntry {
    entries.push({ name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
    return { name, bytes: content.length, content: [content] }
  }

  async function* hashed(name: string, bytes: number, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256')
    let read = 0
    for await (const piece of content) {
      hash.update(piece)
      read += piece.length
      yield piece
    }
    if (read !== bytes) throw new Error(`${name} has ${read} bytes, not ${bytes}`)
    entries.push({ name, bytes, sha256: hash.digest('hex') })
  }

  return {
    entries,
    record: (name, bytes, content) => ({ name, bytes, content: hashed(name, bytes, content) }),
    recordWhole,
    recordJson: (name, value) => recordWhole(name, Buffer.from(`${JSON.stringify(value)}\n`)),
  }
}
