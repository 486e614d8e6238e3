import { Readable } from 'node:stream'
import { renewIntent } from '../../database/memories/archived-documents.ts'
import { insertDocuments } from '../../database/memories/document-writes.ts'
import { newId } from '../../ids.ts'
import type { Blobs } from '../../objects/blobs.ts'
import { failpoint } from '../../observability/failpoints.ts'
import { documentObject } from '../document-objects.ts'
import { isSliceOf, openTextSlices, type TextSlices } from '../documents/text-slices.ts'
import type { IngestDeps } from '../ingest/ingest-deps.ts'
import { intentExpired } from '../ingest/storing/commit-documents.ts'
import { invalidArchive, REPAIR_FIRST_REMEDY } from './archive-format.ts'
import type { ArchivedChunk, ArchivedDocument } from './archive-schemas.ts'
import { type CheckedArchive, discardContent } from './check-archive.ts'
import {
  type ImportEmbedding,
  type ImportPlace,
  labelsOfArchived,
  reembedRows,
  toChunkRows,
  toImportedDocument,
} from './imported-rows.ts'
import { type ArchivedObject, type ArchiveEvent, readArchive } from './read-archive.ts'

/** Interval for renewing the intent, which counts as stale after 15 minutes. */
const INTENT_RENEWAL_MS = 60_000

type ArchiveWriting = {
  path: string
  archive: CheckedArchive
  place: ImportPlace
  embedding: ImportEmbedding
  signal: AbortSignal
  /** Called with the number of written documents. */
  progress(documents: number): void
}

/** Totals of the written data. */
export type WrittenArchive = {
  documents: number
  corrections: number
  chunks: number
  storageBytes: number
  languages: Map<string, number>
}

type PendingDocument = {
  id: string
  document: ArchivedDocument
  labels: string[]
  hasTextObject: boolean
  textBytes: number
  originalBytes: number | null
  originalHash: string | null
}

/**
 * Writes a checked archive into an unpublished memory: objects and chunks in order, and after each
 * part the rows of its documents. New ids follow the order of the numbers. Each chunk must equal
 * the slice of its text at its offsets. An intent protects the memory meanwhile.
 *
 * Rejects as the stores do, with `invalid_archive`, the signal's reason, and `service_unavailable`
 * when the intent has expired.
 */
export async function writeArchive(deps: IngestDeps, writing: ArchiveWriting): Promise<WrittenArchive> {
  const written: WrittenArchive = { documents: 0, corrections: 0, chunks: 0, storageBytes: 0, languages: new Map() }
  const renew = createRenewal(deps, writing)
  const comparison = createChunkComparison(deps.blobs)
  let open = new Map<number, PendingDocument>()
  try {
    for await (const event of readArchive(writing.path)) {
      writing.signal.throwIfAborted()
      await renew()
      if (event.kind === 'documents' || event.kind === 'manifest') {
        await publishPart(deps, writing, { open, written })
        open = event.kind === 'documents' ? openPart(event.documents, writing) : new Map()
      } else if (event.kind === 'chunks') {
        await compareChunks(comparison, writing, { open, chunks: event.chunks })
        await writeChunks(deps, writing, { open, event })
      } else if (event.kind !== 'head') await writeObject(deps, writing, { open, event })
    }
    return written
  } finally {
    comparison.close()
  }
}

function createRenewal({ db, now, owner }: IngestDeps, { place }: ArchiveWriting): () => Promise<void> {
  let renewedMs = performance.now()
  return async () => {
    if (performance.now() - renewedMs < INTENT_RENEWAL_MS) return
    renewedMs = performance.now()
    const renewed = await renewIntent(db, { documentId: place.memoryId, owner, at: now().toISOString() })
    if (!renewed) throw intentExpired()
  }
}

function openPart(
  documents: readonly ArchivedDocument[],
  { archive: { dropped } }: ArchiveWriting,
): Map<number, PendingDocument> {
  const kept = documents.filter(({ number }) => !dropped.has(number))
  return new Map(
    kept.map((document) => [
      document.number,
      {
        id: newId('doc'),
        document,
        labels: labelsOfArchived(document),
        hasTextObject: false,
        textBytes: Buffer.byteLength(document.text ?? ''),
        originalBytes: null,
        originalHash: document.originalHash ?? null,
      },
    ]),
  )
}

async function writeObject(
  { blobs }: IngestDeps,
  { place }: ArchiveWriting,
  { open, event }: { open: ReadonlyMap<number, PendingDocument>; event: ArchivedObject },
): Promise<void> {
  const pending = open.get(event.document)
  if (pending === undefined) return discardContent(event.content)
  const key = objectKey(place, pending, event.kind === 'texts' ? 'text' : 'source')
  const { bytes } = await blobs.put(key, Readable.from(event.content, { objectMode: false }))
  if (event.kind === 'originals') {
    pending.originalBytes = bytes
    pending.originalHash ??= event.sha256()
  } else {
    pending.hasTextObject = true
    pending.textBytes = bytes
  }
}

function objectKey({ memoryId }: ImportPlace, { id }: PendingDocument, name: 'text' | 'source'): string {
  return documentObject(memoryId, id, name)
}

async function compareChunks(
  comparison: ChunkComparison,
  { place, archive: { incomplete } }: ArchiveWriting,
  { open, chunks }: { open: ReadonlyMap<number, PendingDocument>; chunks: readonly ArchivedChunk[] },
): Promise<void> {
  await comparison.compare(chunks, (number) => {
    const pending = open.get(number)
    // Damage listed in the manifest is imported as is.
    if (pending === undefined || incomplete.has(number)) return null
    return { document: pending.document, textKey: pending.hasTextObject ? objectKey(place, pending, 'text') : null }
  })
}

async function writeChunks(
  { memoryFile, analyzer }: IngestDeps,
  { place, embedding: { indexing } }: ArchiveWriting,
  { open, event }: { open: ReadonlyMap<number, PendingDocument>; event: Extract<ArchiveEvent, { kind: 'chunks' }> },
): Promise<void> {
  const rows = toChunkRows(event.chunks, event, { analyzer, documentOf: (number) => open.get(number) ?? null })
  if (rows.length === 0) return
  const documents = new Map([...open.values()].map(({ id, document }) => [id, document]))
  const embedded = indexing === null ? rows : await reembedRows(indexing, rows, documents)
  await memoryFile.add(place.memoryId, embedded, { areNew: true })
}

/**
 * Inserts the rows of a part after its objects and chunks. Without a memory row, no request finds
 * the documents.
 */
async function publishPart(
  { db }: IngestDeps,
  { archive: { chunkCounts }, place, progress }: ArchiveWriting,
  { open, written }: { open: ReadonlyMap<number, PendingDocument>; written: WrittenArchive },
): Promise<void> {
  const documents = [...open].map(([number, { id, document, ...stored }]) => {
    const chunkCount = chunkCounts.get(number) ?? document.chunkCount
    return toImportedDocument(place, { id, document, stored: { ...stored, chunkCount } })
  })
  if (documents.length === 0) return
  await db.transaction().execute((transaction) => insertDocuments(transaction, documents))
  failpoint('import:rows-inserted')
  for (const { row } of documents) {
    written[row.source_type === 'correction' ? 'corrections' : 'documents'] += 1
    written.chunks += row.chunk_count
    written.storageBytes += Number(row.storage_bytes)
    if (row.language && row.chunk_count > 0) {
      written.languages.set(row.language, (written.languages.get(row.language) ?? 0) + row.chunk_count)
    }
  }
  progress(written.documents + written.corrections)
}

/**
 * A document whose chunks are compared; `textKey` is the key of its text object, or `null` without
 * one.
 */
type ComparedDocument = { document: Pick<ArchivedDocument, 'number' | 'text'>; textKey: string | null }

/** Compares chunks with the texts at their offsets. */
type ChunkComparison = {
  /**
   * Compares chunks in order. Skips chunks whose document `find` does not return or whose text is
   * missing. Throws `invalid_archive`.
   */
  compare(chunks: readonly ArchivedChunk[], find: (number: number) => ComparedDocument | null): Promise<void>
  /** Closes the text that was read last. */
  close(): void
}

/**
 * Comparison for one archive. Each text object is read once, some hundred thousand characters at a
 * time; chunks must therefore be in document order.
 */
function createChunkComparison(blobs: Pick<Blobs, 'get'>): ChunkComparison {
  const begun = new Set<number>()
  let reading: { number: number; text: TextSlices | null } | null = null

  function close(): void {
    reading?.text?.close()
    reading = null
  }

  async function begin(number: number, { document, textKey }: ComparedDocument): Promise<TextSlices | null> {
    close()
    if (begun.has(number)) throw invalidArchive(`The chunks of document ${number} are not consecutive.`)
    begun.add(number)
    return openTextSlices(blobs, { inline: document.text, key: textKey })
  }

  return {
    async compare(chunks, find) {
      for (const { document: number, ...chunk } of chunks) {
        const compared = find(number)
        if (compared === null) continue
        if (reading?.number !== number) reading = { number, text: await begin(number, compared) }
        if (reading.text === null || (await isSliceOf(reading.text, chunk))) continue
        throw invalidArchive(`A chunk of document ${number} differs from the text at its offsets.`, REPAIR_FIRST_REMEDY)
      }
    },
    close,
  }
}
