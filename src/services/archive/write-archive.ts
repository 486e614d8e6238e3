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
import { invalidArchive, MEND_FIRST } from './archive-format.ts'
import type { ArchivedChunk, ArchivedDocument } from './archive-schemas.ts'
import { type CheckedArchive, drain } from './check-archive.ts'
import {
  embedAgain,
  type ImportEmbedding,
  type ImportPlace,
  labelsOfArchived,
  toChunkRows,
  toPublished,
} from './imported-rows.ts'
import { type ArchivedObject, type ArchiveEvent, readArchive } from './read-archive.ts'

/**
 * How often the import says that it lives; its intent is taken for a dead one's after 15 minutes.
 */
const RENEWAL_MS = 60_000

/** What is written, and where. */
type ArchiveWriting = {
  path: string
  archive: CheckedArchive
  place: ImportPlace
  embedding: ImportEmbedding
  signal: AbortSignal
  /** Hears how many documents are written. */
  progress(documents: number): void
}

/** What was written. */
export type WrittenArchive = {
  documents: number
  corrections: number
  chunks: number
  storageBytes: number
  languages: Map<string, number>
}

type Pending = {
  id: string
  document: ArchivedDocument
  labels: string[]
  hasTextObject: boolean
  textBytes: number
  originalBytes: number | null
  originalHash: string | null
}

/**
 * Writes a checked archive under a memory that does not show: objects and chunks as they come, and
 * at the end of each part the rows of its documents, under new identifiers that rise with their
 * numbers. Each chunk has to be the slice of its text that it says it is. The memory bears an
 * intent meanwhile. Rejects as the stores do, with `invalid_archive`, the signal's reason, and
 * `service_unavailable` when the intent was taken.
 */
export async function writeArchive(deps: IngestDeps, writing: ArchiveWriting): Promise<WrittenArchive> {
  const written: WrittenArchive = { documents: 0, corrections: 0, chunks: 0, storageBytes: 0, languages: new Map() }
  const renew = createRenewal(deps, writing)
  const comparison = createChunkComparison(deps.blobs)
  let open = new Map<number, Pending>()
  try {
    for await (const event of readArchive(writing.path)) {
      writing.signal.throwIfAborted()
      await renew()
      if (event.kind === 'documents' || event.kind === 'manifest') {
        await publishAll(deps, writing, { open, written })
        open = event.kind === 'documents' ? openAll(event.documents, writing) : new Map()
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
    if (performance.now() - renewedMs < RENEWAL_MS) return
    renewedMs = performance.now()
    const renewed = await renewIntent(db, { documentId: place.memoryId, owner, at: now().toISOString() })
    if (!renewed) throw intentExpired()
  }
}

function openAll(
  documents: readonly ArchivedDocument[],
  { archive: { dropped } }: ArchiveWriting,
): Map<number, Pending> {
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
  { open, event }: { open: ReadonlyMap<number, Pending>; event: ArchivedObject },
): Promise<void> {
  const pending = open.get(event.document)
  if (pending === undefined) return drain(event.content)
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

function objectKey({ memoryId }: ImportPlace, { id }: Pending, name: 'text' | 'source'): string {
  return documentObject(memoryId, id, name)
}

async function compareChunks(
  comparison: ChunkComparison,
  { place, archive: { incomplete } }: ArchiveWriting,
  { open, chunks }: { open: ReadonlyMap<number, Pending>; chunks: readonly ArchivedChunk[] },
): Promise<void> {
  await comparison.compare(chunks, (number) => {
    const pending = open.get(number)
    // What the archive says itself to be wrong is taken as it is.
    if (pending === undefined || incomplete.has(number)) return null
    return { document: pending.document, textKey: pending.hasTextObject ? objectKey(place, pending, 'text') : null }
  })
}

async function writeChunks(
  { memoryFile, analyzer }: IngestDeps,
  { place, embedding: { indexing } }: ArchiveWriting,
  { open, event }: { open: ReadonlyMap<number, Pending>; event: Extract<ArchiveEvent, { kind: 'chunks' }> },
): Promise<void> {
  const rows = toChunkRows(event.chunks, event, { analyzer, documentOf: (number) => open.get(number) ?? null })
  if (rows.length === 0) return
  const documents = new Map([...open.values()].map(({ id, document }) => [id, document]))
  const embedded = indexing === null ? rows : await embedAgain(indexing, rows, documents)
  await memoryFile.add(place.memoryId, embedded, { areNew: true })
}

/**
 * Puts the rows of a part whose objects and chunks are written. Nobody finds them before there is a
 * memory.
 */
async function publishAll(
  { db }: IngestDeps,
  { archive: { chunkCounts }, place, progress }: ArchiveWriting,
  { open, written }: { open: ReadonlyMap<number, Pending>; written: WrittenArchive },
): Promise<void> {
  const documents = [...open].map(([number, { id, document, ...stored }]) => {
    const chunkCount = chunkCounts.get(number) ?? document.chunkCount
    return toPublished(place, { id, document, stored: { ...stored, chunkCount } })
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
 * A document whose chunks are compared; `textKey` names the object of its text, `null` where it
 * stands in the document or is missing.
 */
type ComparedDocument = { document: Pick<ArchivedDocument, 'number' | 'text'>; textKey: string | null }

/** Holds chunks to the texts that they are slices of. */
type ChunkComparison = {
  /**
   * Compares chunks as they come; those of documents that `find` does not give, or whose text is
   * missing, are left out. Throws `invalid_archive`.
   */
  compare(chunks: readonly ArchivedChunk[], find: (number: number) => ComparedDocument | null): Promise<void>
  /** Lets go of the text that was read last. */
  close(): void
}

/**
 * A comparison of the chunks of one archive. A text that is an object is read once, some hundred
 * thousand characters at a time; that none goes back to a document before holds an archive to that.
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
    if (begun.has(number)) throw invalidArchive(`The chunks of document ${number} do not stand together.`)
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
        throw invalidArchive(`A chunk of document ${number} says other than the text at its place.`, MEND_FIRST)
      }
    },
    close,
  }
}
