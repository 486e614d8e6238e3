import type { Kysely } from 'kysely'
import type { Metadata } from '../../api/fields.ts'
import { enqueuePurge } from '../../database/deletion/erasures-table.ts'
import { enqueueDeletion } from '../../database/deletion/removals-table.ts'
import { getMemoryRow } from '../../database/memories/archived-documents.ts'
import { updateDocumentCounters } from '../../database/memories/document-writes.ts'
import {
  getStoredDocument,
  isBeingReprocessed,
  listInlineTexts,
  listInventoryDocuments,
  replaceFingerprint,
} from '../../database/memories/inventory.ts'
import { chunkSizesOf, lockMemory, nextRevision } from '../../database/memories/memories-table.ts'
import { type Document, LIVE_STATUSES, type Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { fingerprintOf } from '../../engine/similarity/fingerprint.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Blobs } from '../../objects/blobs.ts'
import type { PageReport } from '../../parsers/parse-event.ts'
import { textDocumentBlocks } from '../../parsers/plain-text.ts'
import type { DeletionOutbox } from '../deletion/deletion-outbox.ts'
import { decodeText, documentObject } from '../document-objects.ts'
import { analyzeChunk } from '../ingest/indexing/embed-chunks.ts'
import { type DocumentToIndex, indexDocument } from '../ingest/indexing/index-document.ts'
import { headingOfRow, labelsOf } from '../ingest/indexing/indexed-facts.ts'
import type { DetectLanguage } from '../ingest/indexing/language-detector.ts'
import type { MemoryFiles } from '../memory-files.ts'
import type { ReadEvent } from '../reading/read-event.ts'

/** Dependencies for rebuilding chunks. */
export type RebuildDeps = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'get'>
  memoryFile: Pick<MemoryFiles, 'add' | 'deleteDocuments' | 'drop'>
  removals: DeletionOutbox
  analyzer: Analyzer
  detectLanguage: DetectLanguage
  /** Returns the embedder by name; `null` if not configured. */
  openEmbedder(model: string): Promise<Embedder | null>
  now: () => Date
}

/**
 * Rebuilds the chunks of a document from its text and updates the counters. Pages come from the
 * page reports; headings and tables come from the text alone. `false` without a change if the text
 * is incomplete or the embedder is not configured.
 */
export async function rebuildChunks(deps: RebuildDeps, memoryId: string, documentId: string): Promise<boolean> {
  const { db, memoryFile, analyzer, detectLanguage, now } = deps
  const row = await getStoredDocument(db, documentId)
  if (row === null || !LIVE_STATUSES.includes(row.status)) return true
  const text = await readCompleteText(deps, row)
  const embedder = row.embedding_model === null ? null : await deps.openEmbedder(row.embedding_model)
  if (text === null || embedder === null) return false
  await memoryFile.deleteDocuments(memoryId, [documentId])
  await enqueuePurge(db, { memoryId, deletedAt: now().toISOString(), now: now() })
  const memory = await getMemoryRow(db, memoryId)
  const chunkSizes = memory && chunkSizesOf(memory)
  const indexed = await indexDocument({ embedder, analyzer, detectLanguage, chunkSizes }, toIndex(row), {
    events: readEvents(row, text),
    sink: {
      text: async () => undefined,
      chunks: (chunks) => memoryFile.add(memoryId, chunks),
    },
  })
  const { chunkCount, language } = indexed
  const removalId = await db.transaction().execute(async (transaction) => {
    const isThere = (await lockMemory(transaction, memoryId)) !== null
    const present = isThere ? await getStoredDocument(transaction, documentId) : null
    // The document was deleted meanwhile, so its new chunks are orphaned.
    if (present === null) return enqueueDeletion(transaction, { kind: 'document', memoryId, documentId, now: now() })
    const at = now().toISOString()
    const made = { ...present, chunk_count: chunkCount, language }
    const revision = await nextRevision(transaction, memoryId)
    await updateDocumentCounters(transaction, { memoryId, documents: [present], times: -1 }, at)
    await transaction
      .updateTable('documents')
      .set({ chunk_count: chunkCount, language, revision, updated_at: at })
      .where('id', '=', documentId)
      .execute()
    await updateDocumentCounters(transaction, { memoryId, documents: [made], times: 1 }, at)
    return null
  })
  if (removalId !== null) await deps.removals.process([removalId])
  return true
}

/**
 * Rebuilds the file of a memory. `false` without a change if a text is incomplete or the embedder
 * is not configured.
 */
export async function rebuildMemoryFile(deps: RebuildDeps, memoryId: string): Promise<boolean> {
  const live = (await listInventoryDocuments(deps.db, memoryId)).filter(({ status }) => LIVE_STATUSES.includes(status))
  for (const { id } of live) {
    const row = await getStoredDocument(deps.db, id)
    if (row === null || row.embedding_model === null) continue
    if ((await readCompleteText(deps, row)) === null) return false
    if ((await deps.openEmbedder(row.embedding_model)) === null) return false
  }
  await deps.memoryFile.drop(memoryId)
  let areAll = true
  for (const { id } of live) areAll = (await rebuildChunks(deps, memoryId, id)) && areAll
  return areAll
}

/**
 * Rebuilds the fingerprint of a document for duplicate detection. `false` if its text is
 * incomplete.
 */
export async function rebuildFingerprint(deps: RebuildDeps, documentId: string): Promise<boolean> {
  const row = await getStoredDocument(deps.db, documentId)
  if (row === null) return true
  const text = await readCompleteText(deps, row)
  if (text === null) return false
  const { signature } = fingerprintOf(text)
  await deps.db.transaction().execute((transaction) => replaceFingerprint(transaction, { document: row, signature }))
  return true
}

/** The complete text of a document; `null` if missing or of a different length. */
async function readCompleteText({ db, blobs }: RebuildDeps, row: Document): Promise<string | null> {
  const inline = (await listInlineTexts(db, [row.id])).get(row.id)
  const content = inline === undefined ? await blobs.get(documentObject(row.memory_id, row.id, 'text')) : null
  const text = inline ?? (content === null ? null : await decodeText(content))
  return text?.length === row.character_count ? text : null
}

function toIndex(row: Document): DocumentToIndex {
  const tags = JSON.parse(row.tags) as string[]
  const isCorrection = row.source_type === 'correction'
  return {
    id: row.id,
    kind: isCorrection ? 'correction' : 'document',
    title: row.title,
    fallbackTitle: row.title,
    heading: isCorrection ? headingOfRow(row) : null,
    labels: labelsOf({ tags, metadata: JSON.parse(row.metadata) as Metadata }),
    fallbackLanguage: row.language ?? DEFAULT_LANGUAGE,
    maxTextBytes: null,
  }
}

/** Splits the text by pages, as far as the page reports allow. */
function* readEvents(row: Document, text: string): Generator<ReadEvent> {
  const pages = (JSON.parse(row.pages) as PageReport[]).toSorted((a, b) => a.page - b.page)
  const characters = pages.reduce((sum, page) => sum + page.characters, 0)
  const parts = row.page_count !== null && characters === text.length ? pages : []
  let start = 0
  for (const { page, characters } of parts) {
    for (const block of textDocumentBlocks(text.slice(start, start + characters))) yield { block: { ...block, page } }
    start += characters
  }
  for (const block of textDocumentBlocks(text.slice(start))) yield { block }
}

/** Dependencies for rebuilding terms. */
export type RebuildTermsDeps = Pick<RebuildDeps, 'db' | 'analyzer' | 'removals' | 'now'> & {
  memoryFile: Pick<MemoryFiles, 'scan' | 'add'>
}

/**
 * Rebuilds the terms of a document's chunks from the stored chunk texts, and keeps everything else.
 * Chunks rebuilt from the text would lose the sections and headers of the original format, only
 * because an earlier version tokenised differently. `false` without a change if a job will
 * overwrite the chunks.
 */
export async function rebuildTerms(deps: RebuildTermsDeps, memoryId: string, documentId: string): Promise<boolean> {
  const { db, analyzer, memoryFile, removals, now } = deps
  const row = await getStoredDocument(db, documentId)
  if (row === null || !LIVE_STATUSES.includes(row.status)) return true
  const headings = { heading: headingOfRow(row), language: row.language }
  for await (const chunks of memoryFile.scan(memoryId, { documentIds: [documentId] })) {
    const changed = chunks
      .map((chunk) => ({ chunk, terms: analyzeChunk(analyzer, chunk, headings) }))
      .filter(({ chunk, terms }) => chunk.terms !== terms)
    // A job's start and its first chunk are further apart than this check and the write.
    if (changed.length > 0 && (await isBeingReprocessed(db, row))) return false
    if (changed.length > 0)
      await memoryFile.add(
        memoryId,
        changed.map(({ chunk, terms }) => ({ ...chunk, terms })),
      )
  }
  if ((await getStoredDocument(db, documentId)) !== null) return true
  // The document was deleted meanwhile, so the written chunks are orphaned.
  const removalId = await db
    .transaction()
    .execute((transaction) => enqueueDeletion(transaction, { kind: 'document', memoryId, documentId, now: now() }))
  await removals.process([removalId])
  return true
}
