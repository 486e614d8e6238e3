import type { Transaction } from 'kysely'
import type { AddedDocuments } from '../../api/ingest.ts'
import type { Warning } from '../../api/values.ts'
import { type CooperativeTask, runCooperatively } from '../../concurrency/event-loop-yield.ts'
import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import { insertTagsBeforePublishing } from '../../database/memories/document-tags-table.ts'
import type { PublishedDocument } from '../../database/memories/document-writes.ts'
import { packText } from '../../database/packed-text.ts'
import type { Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import type { ChunkRow } from '../../memory-file/memory-file.ts'
import { failpoint } from '../../observability/failpoints.ts'
import type { Caller } from '../caller.ts'
import { waitAtMost } from '../deletion/deletion-outbox.ts'
import { type DocumentObject, documentObject, encodeText, keepOriginal, type Original } from '../document-objects.ts'
import type { ReadEvent } from '../reading/read-event.ts'
import { requireGoing, type StoreResponse } from '../request-work.ts'
import { requireEmbedder } from './embedding-model.ts'
import { chooseIndexing, type IndexingDeps, isLarge, maxConcurrentTexts } from './indexing/choose-indexing.ts'
import { embedRows } from './indexing/embed-chunks.ts'
import { type DocumentIndexing, type IndexedDocument, indexDocument } from './indexing/index-document.ts'
import { labelsOf } from './indexing/indexed-facts.ts'
import type { IngestDeps } from './ingest-deps.ts'
import { commitDocuments, listReplaced, MemoryReembedded, openWriteIntents } from './storing/commit-documents.ts'
import { type DiscardDeps, discardAfterFailure, discardBeforeAnswer } from './storing/discard-documents.ts'
import { type DocumentFacts, INLINE_TEXT_CHARACTERS, toPublishedDocument } from './storing/document-row.ts'
import { createEarlierTexts, findStoredDuplicates } from './storing/duplicates.ts'
import { listMissing, listPageWarnings, mayBeDuplicate, nameInWarnings, requireText } from './storing/missing-part.ts'

/** A document to read within the request. */
export type DocumentToAdd = {
  facts: DocumentFacts
  /** `null`: the document's own heading, else `facts.title`. */
  title: string | null
  /** Indexed with every chunk instead of the title; `null`: the title. */
  heading: string | null
  kind: 'document' | 'correction'
  events: () => AsyncIterable<ReadEvent> | Iterable<ReadEvent>
  /** False for files, whose reading may take as long as recognising their pages. */
  isInMemory: boolean
  /** True: a document without text is skipped. False: the add fails. */
  mayBeEmpty?: boolean
  /**
   * Called when the document cannot be read; the others are added then. Absent: the add fails. May
   * throw to end the add.
   */
  onUnreadable?: (error: ApiError) => void
  /** Original to store when `facts.storeSource`; `null` without one. */
  original: () => Original | null
}

/** Documents to ingest within the request. */
type InlineIngest = {
  caller: Caller
  memoryId: string
  /** Model of every document. */
  embeddingModel: string
  entries: readonly DocumentToAdd[]
  deduplicate: boolean
  fallbackLanguage: string
  warnings: readonly Warning[]
  /** ISO 8601; becomes `createdAt` of the documents. */
  at: string
  signal: AbortSignal
  storeResponse: StoreResponse<AddedDocuments>
  /** `performance.now()` at the start; now when absent. */
  startedMs?: number
}

type InlineIngestDeps = DiscardDeps & IndexingDeps & Pick<IngestDeps, 'embedders' | 'usage'>

/** `isSkipped`: not stored, as a duplicate or without text. */
type ReadDocument = {
  entry: DocumentToAdd
  indexed: IndexedDocument
  rows: ChunkRow[]
  /** Small texts are packed before the transaction, where packing would block other writers. */
  text: { inline: string | Uint8Array } | { object: string }
  duplicateOf: string | null
  isSkipped: boolean
}

/**
 * Reads, indexes and publishes all documents within the request, or none. On return, the documents
 * are durable and searchable. Rejects with errors of the parser, `storage_quota_exceeded`,
 * `request_timeout`, `embedding_model_pinned`, `model_failed`.
 */
export function ingestInline(deps: InlineIngestDeps, add: InlineIngest): Promise<AddedDocuments> {
  const bytes = add.entries.reduce((total, { facts }) => total + facts.sizeBytes, 0)
  const run = () => runIngest(deps, add, bytes)
  return isLarge(bytes) || deps.priorityGate === undefined ? run() : deps.priorityGate.foreground(run)
}

async function runIngest(deps: InlineIngestDeps, add: InlineIngest, bytes: number): Promise<AddedDocuments> {
  const { startedMs = performance.now() } = add
  const documentIds = add.entries.map(({ facts }) => facts.id)
  await deps.blobs.requireRoom(bytes)
  const { memoryId, embeddingModel, at } = add
  requireEmbedder(deps.embedders, embeddingModel)
  const pinned = await openWriteIntents(deps, { memoryId, embeddingModel, documentIds, at })
  try {
    const embedder = requireEmbedder(deps.embedders, pinned.embeddingModel)
    const indexing = chooseIndexing(deps, embedder, { bytes, chunkSizes: pinned.chunkSizes })
    const read = await readInQueue(deps, indexing, add)
    await indexing.yieldToForeground?.()
    const added = await storeAndCommit(deps, { ...add, startedMs }, { read, file: pinned.file })
    const kept = new Set(read.flatMap(({ isSkipped, entry }) => (isSkipped ? [] : entry.facts.id)))
    const skipped = documentIds.filter((id) => !kept.has(id))
    if (skipped.length > 0) await waitAtMost(discardAfterFailure(deps, add.memoryId, skipped))
    return added
  } catch (error) {
    await discardBeforeAnswer(deps, { memoryId, documentIds, error })
    throw error
  }
}

/**
 * Stores and publishes the documents. If the memory was re-embedded meanwhile, the chunks are
 * embedded again with the new model.
 */
async function storeAndCommit(
  deps: InlineIngestDeps,
  add: InlineIngest & { startedMs: number; stored?: readonly PublishedDocument[] },
  { read, file }: { read: readonly ReadDocument[]; file: string },
): Promise<AddedDocuments> {
  const { caller, memoryId, deduplicate, signal } = add
  const kept = read.filter(({ isSkipped }) => !isSkipped)
  requireGoing(signal)
  const rows = kept.flatMap((one) => one.rows)
  if (rows.length > 0) await deps.memoryFile.byName.add(file, rows, { areNew: true })
  failpoint('add:chunks-stored')
  // Only once: an upload is moved into the store.
  const documents = add.stored ?? (await storeObjects(deps, kept, add.at))
  failpoint('add:objects-stored')
  requireGoing(signal)
  const added = toAddedDocuments(read, {
    documents,
    warnings: add.warnings,
    elapsedMs: performance.now() - add.startedMs,
  })
  const finish = async (transaction: Transaction<Tables>) => {
    await add.storeResponse(transaction, added)
    return []
  }
  const { organizationId, planId, keyId } = caller
  const commit = { organizationId, planId, keyId, memoryId, file, documents, waited: false, deduplicate, finish }
  try {
    await commitDocuments(deps, { ...commit, requireGoing: () => requireGoing(signal) })
    return added
  } catch (error) {
    if (!(error instanceof MemoryReembedded)) throw error
    const { embeddingModel, file: newFile } = error.pinned
    const again = await reembed(deps, add, { read, embeddingModel })
    return storeAndCommit(deps, { ...add, stored: documents }, { read: again, file: newFile })
  }
}

async function reembed(
  { embedders }: Pick<InlineIngestDeps, 'embedders'>,
  { signal }: InlineIngest,
  { read, embeddingModel }: { read: readonly ReadDocument[]; embeddingModel: string },
): Promise<ReadDocument[]> {
  const embedder = requireEmbedder(embedders, embeddingModel)
  const documents = new Map(
    read.map(({ entry, indexed: { title, language } }) => [
      entry.facts.id,
      { heading: entry.heading ?? title, language },
    ]),
  )
  const embedding = { embedder, documents, requireGoing: () => requireGoing(signal) }
  const rows = await embedRows(
    embedding,
    read.flatMap((one) => one.rows),
  )
  const byDocument = Map.groupBy(rows, ({ documentId }) => documentId)
  return read.map((one) => ({ ...one, rows: byDocument.get(one.entry.facts.id) ?? [] }))
}

/**
 * Only in-memory texts queue for the indexing thread; files that still have to be read must not
 * block it.
 */
async function readInQueue(
  deps: InlineIngestDeps,
  indexing: DocumentIndexing,
  add: InlineIngest,
): Promise<ReadDocument[]> {
  const read = () => readDocuments(deps, indexing, add)
  const areInMemory = add.entries.every(({ isInMemory }) => isInMemory)
  return areInMemory && indexing.thread ? indexing.thread.runLimited(read, { signal: add.signal }) : read()
}

async function readDocuments(
  deps: InlineIngestDeps,
  indexing: DocumentIndexing,
  add: InlineIngest,
): Promise<ReadDocument[]> {
  const sizes = add.entries.map(({ facts }) => facts.sizeBytes)
  const read = await mapConcurrent(add.entries, maxConcurrentTexts(indexing, sizes), async (entry) => {
    requireGoing(add.signal)
    const read = await tryReadDocument(indexing, entry, add)
    return read === null ? [] : [{ ...read, text: prepareText(deps.db, read.text) }]
  })
  const all = read.flat()
  const compared = add.deduplicate ? await compareWithStored(deps, add, all) : new Map<DocumentToAdd, DuplicateCheck>()
  return runCooperatively(markDuplicates(all, compared, add.signal), deps.yieldToEventLoop)
}

/** Marks duplicates of stored documents and of earlier documents, and documents to skip. */
function* markDuplicates(
  all: readonly Omit<ReadDocument, 'duplicateOf' | 'isSkipped'>[],
  compared: ReadonlyMap<DocumentToAdd, DuplicateCheck>,
  signal: AbortSignal,
): CooperativeTask<ReadDocument[]> {
  const marked: ReadDocument[] = []
  const earlier = createEarlierTexts()
  for (const one of all) {
    requireGoing(signal)
    const { entry, indexed } = one
    const { fingerprint } = indexed
    const known = compared.get(entry)
    const mayRepeat = known !== undefined && !known.replaces
    const duplicateOf = mayRepeat ? (earlier.find(fingerprint) ?? known.stored) : null
    if (known !== undefined && duplicateOf === null) earlier.add(entry.facts.id, fingerprint)
    const isEmpty = entry.mayBeEmpty === true && !indexed.hasText
    marked.push({ ...one, duplicateOf, isSkipped: isEmpty || duplicateOf !== null })
    yield
  }
  return marked
}

/**
 * `stored`: id of the stored duplicate. `replaces`: the document replaces a stored one and is never
 * a duplicate.
 */
type DuplicateCheck = { stored: string | null; replaces: boolean }

/** Compares documents with the stored ones. */
async function compareWithStored(
  { db }: Pick<InlineIngestDeps, 'db'>,
  { memoryId, entries }: InlineIngest,
  read: readonly Pick<ReadDocument, 'entry' | 'indexed'>[],
): Promise<Map<DocumentToAdd, DuplicateCheck>> {
  const documents = entries.map(({ facts: { id, externalId } }) => ({ id, externalId }))
  const replaced = await listReplaced(db, { memoryId, documents, waited: false })
  const externalIds = new Set(replaced.map(({ external_id }) => external_id))
  const comparable = read.filter(({ indexed }) => mayBeDuplicate(indexed))
  const fingerprints = comparable.map(({ indexed }) => indexed.fingerprint)
  const gone = replaced.map(({ id }) => id)
  const stored = await findStoredDuplicates(db, memoryId, { fingerprints, replaced: gone })
  return new Map(
    comparable.map(({ entry }, place) => {
      const replaces = externalIds.has(entry.facts.externalId)
      return [entry, { stored: stored[place] ?? null, replaces }]
    }),
  )
}

/** `null` after `onUnreadable` of the document. */
async function tryReadDocument(
  indexing: DocumentIndexing,
  entry: DocumentToAdd,
  { fallbackLanguage, signal }: InlineIngest,
): Promise<Awaited<ReturnType<typeof readDocument>> | null> {
  try {
    return await readDocument(indexing, entry, fallbackLanguage)
  } catch (error) {
    const isItsFault = error instanceof ApiError && error.status < 500 && !signal.aborted
    if (!isItsFault || entry.onUnreadable === undefined) throw error
    entry.onUnreadable(error)
    return null
  }
}

async function readDocument(indexing: DocumentIndexing, entry: DocumentToAdd, fallbackLanguage: string) {
  const rows: ChunkRow[] = []
  const pieces: string[] = []
  const document = {
    id: entry.facts.id,
    kind: entry.kind,
    title: entry.title,
    fallbackTitle: entry.facts.title,
    heading: entry.heading,
    labels: labelsOf(entry.facts),
    fallbackLanguage,
    maxTextBytes: null,
  }
  const indexed = await indexDocument(indexing, document, {
    events: entry.events(),
    sink: {
      text: async (piece) => void pieces.push(piece),
      chunks: async (batch) => void rows.push(...batch),
    },
  })
  if (entry.mayBeEmpty !== true) requireText(indexed)
  return { entry, indexed, rows, text: pieces.join('') }
}

function prepareText(db: InlineIngestDeps['db'], text: string): ReadDocument['text'] {
  return text.length <= INLINE_TEXT_CHARACTERS ? { inline: packText(db, text) } : { object: text }
}

/** Stores objects before publishing, and returns the rows to insert. */
async function storeObjects(
  deps: InlineIngestDeps,
  read: readonly ReadDocument[],
  at: string,
): Promise<readonly PublishedDocument[]> {
  const originalHashes = await Promise.all(read.map((one) => putObjects(deps, one)))
  return insertTagsBeforePublishing(
    deps.db,
    await runCooperatively(toPublishedDocuments(read, originalHashes, at), deps.yieldToEventLoop),
  )
}

/** Returns the hash of the original; `null` when none is stored. */
async function putObjects(
  { blobs }: Pick<InlineIngestDeps, 'blobs'>,
  { entry, text }: ReadDocument,
): Promise<string | null> {
  const { facts } = entry
  const keyOf = (name: DocumentObject) => documentObject(facts.memoryId, facts.id, name)
  if ('object' in text) await blobs.put(keyOf('text'), encodeText(text.object))
  const original = facts.storeSource ? entry.original() : null
  return original === null ? null : keepOriginal(blobs, keyOf('source'), original)
}

function* toPublishedDocuments(
  read: readonly ReadDocument[],
  originalHashes: readonly (string | null)[],
  at: string,
): CooperativeTask<PublishedDocument[]> {
  const documents: PublishedDocument[] = []
  for (const [place, { entry, indexed, text }] of read.entries()) {
    const inlineText = 'inline' in text ? text.inline : null
    const originalHash = originalHashes[place] ?? null
    documents.push(toPublishedDocument(entry.facts, indexed, { inlineText, originalHash, createdAt: at, at }))
    yield
  }
  return documents
}

function toAddedDocuments(
  read: readonly ReadDocument[],
  {
    documents,
    warnings,
    elapsedMs,
  }: { documents: readonly PublishedDocument[]; warnings: readonly Warning[]; elapsedMs: number },
): AddedDocuments {
  const added = read.filter(({ isSkipped }) => !isSkipped)
  const shown = read.filter(({ isSkipped, duplicateOf }) => !isSkipped || duplicateOf !== null)
  return {
    status: 'completed',
    documentsAdded: added.length,
    documentsSkipped: shown.length - added.length,
    chunksCreated: added.reduce((total, { indexed }) => total + indexed.chunkCount, 0),
    documentIds: documents.map(({ row }) => row.id),
    totalBytes: read.reduce((total, { entry }) => total + entry.facts.sizeBytes, 0),
    processingMs: Math.round(elapsedMs),
    documents: shown.map(({ entry, indexed, duplicateOf }) => ({
      id: duplicateOf === null ? entry.facts.id : null,
      title: indexed.title,
      status: duplicateOf !== null ? 'duplicate' : listMissing(indexed).length === 0 ? 'ready' : 'partial',
      chunkCount: duplicateOf === null ? indexed.chunkCount : 0,
      duplicateOf,
    })),
    warnings: [
      ...warnings,
      ...read.flatMap(({ entry: { facts }, indexed }) =>
        nameInWarnings([...indexed.warnings, ...listPageWarnings(indexed, 'request')], read.length, facts),
      ),
    ],
  }
}
