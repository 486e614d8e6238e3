import type { Transaction } from 'kysely'
import type { AddedDocuments } from '../../api/ingest.ts'
import type { Warning } from '../../api/values.ts'
import { type CooperativeTask, runCooperatively } from '../../concurrency/event-loop-yield.ts'
import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import { insertTagsBeforePublishing } from '../../database/memories/document-tags-table.ts'
import type { PublishedDocument } from '../../database/memories/document-writes.ts'
import { packText } from '../../database/packed-text.ts'
import type { Tables } from '../../database/schema.ts'
import type { ChunkRow } from '../../memory-file/memory-file.ts'
import { failpoint } from '../../observability/failpoints.ts'
import type { Caller } from '../caller.ts'
import { waitAtMost } from '../deletion/deletion-outbox.ts'
import { type DocumentObject, documentObject, encodeText, keepOriginal, type Original } from '../document-objects.ts'
import type { ReadEvent } from '../reading/read-event.ts'
import { type Keep, requireGoing } from '../request-work.ts'
import { requireEmbedder } from './embedding-model.ts'
import { chooseIndexing, type IndexingDeps, isLarge, textsAtOnce } from './indexing/choose-indexing.ts'
import { embedRows } from './indexing/embed-chunks.ts'
import { type DocumentIndexing, type IndexedDocument, indexDocument } from './indexing/index-document.ts'
import { labelsOf } from './indexing/indexed-facts.ts'
import type { IngestDeps } from './ingest-deps.ts'
import { beginWriting, commitDocuments, listReplaced, MemoryReembedded } from './storing/commit-documents.ts'
import { type DiscardDeps, discardAfterFailure, discardBeforeAnswer } from './storing/discard-documents.ts'
import { type DocumentFacts, INLINE_TEXT_CHARACTERS, readyDocument } from './storing/document-row.ts'
import { createEarlierTexts, findStoredDuplicates } from './storing/duplicates.ts'
import { canRepeat, listMissing, listPageWarnings, requireText } from './storing/missing-part.ts'

/** A document that is read within its request. */
export type Entry = {
  facts: DocumentFacts
  /** `null`: the document's own heading, else `facts.title`. */
  title: string | null
  /** Indexed with every chunk in the title's place; `null`: the title is. */
  heading: string | null
  kind: 'document' | 'correction'
  events: () => AsyncIterable<ReadEvent> | Iterable<ReadEvent>
  /**
   * True: its text is here. A file has to be read, which takes as long as the recognition of its
   * pages may.
   */
  isAtHand: boolean
  /** True: without text it is left out. Otherwise the add fails. */
  mayBeEmpty?: boolean
  /**
   * The original, for documents that are kept, when `facts.storeSource`; `null` where there is
   * none.
   */
  original: () => Original | null
}

/** Documents that are ingested while the caller waits. */
type AddNow = {
  caller: Caller
  memoryId: string
  /** That of every entry. */
  embeddingModel: string
  entries: readonly Entry[]
  deduplicate: boolean
  fallbackLanguage: string
  warnings: readonly Warning[]
  /** ISO 8601: what `createdAt` of the documents will say. */
  at: string
  signal: AbortSignal
  keep: Keep<AddedDocuments>
  /** `performance.now()` when the work on them began; now where absent. */
  startedMs?: number
}

type AddNowDeps = DiscardDeps & IndexingDeps & Pick<IngestDeps, 'embedders'>

/** `isSkipped`: not kept, as a repetition of another document or without text. */
type ReadEntry = {
  entry: Entry
  indexed: IndexedDocument
  rows: ChunkRow[]
  /**
   * Of a small document packed: in the transaction of all documents, it would hold up everybody.
   */
  text: { inline: string | Uint8Array } | { object: string }
  duplicateOf: string | null
  isSkipped: boolean
}

/**
 * Reads, indexes and publishes documents within the request: all of them or none. When it resolves
 * they are durable and found by every reader. Rejects with what the parser found wrong,
 * `storage_quota_exceeded`, `request_timeout`, `embedding_model_pinned`, `model_failed`.
 */
export function addNow(deps: AddNowDeps, add: AddNow): Promise<AddedDocuments> {
  const bytes = add.entries.reduce((total, { facts }) => total + facts.sizeBytes, 0)
  const run = () => ingestInline(deps, add, bytes)
  return isLarge(bytes) || deps.priorityGate === undefined ? run() : deps.priorityGate.foreground(run)
}

async function ingestInline(deps: AddNowDeps, add: AddNow, bytes: number): Promise<AddedDocuments> {
  const { startedMs = performance.now() } = add
  const documentIds = add.entries.map(({ facts }) => facts.id)
  await deps.blobs.requireRoom(bytes)
  const { memoryId, embeddingModel, at } = add
  requireEmbedder(deps.embedders, embeddingModel)
  const pinned = await beginWriting(deps, { memoryId, embeddingModel, documentIds, at })
  try {
    const embedder = requireEmbedder(deps.embedders, pinned.embeddingModel)
    const indexing = chooseIndexing(deps, embedder, bytes)
    const read = await readInTurn(deps, indexing, add)
    await indexing.giveWay?.()
    const added = await storeAndCommit(deps, { ...add, startedMs }, { read, file: pinned.file })
    const skipped = read.filter(({ isSkipped }) => isSkipped).map(({ entry }) => entry.facts.id)
    if (skipped.length > 0) await waitAtMost(discardAfterFailure(deps, add.memoryId, skipped))
    return added
  } catch (error) {
    await discardBeforeAnswer(deps, { memoryId, documentIds, error })
    throw error
  }
}

/**
 * Stores what was read and lets it show. Where the memory took another model meanwhile, the chunks
 * are embedded once more, by that one.
 */
async function storeAndCommit(
  deps: AddNowDeps,
  add: AddNow & { startedMs: number; stored?: readonly PublishedDocument[] },
  { read, file }: { read: readonly ReadEntry[]; file: string },
): Promise<AddedDocuments> {
  const { caller, memoryId, deduplicate, signal } = add
  const kept = read.filter(({ isSkipped }) => !isSkipped)
  requireGoing(signal)
  const rows = kept.flatMap((one) => one.rows)
  if (rows.length > 0) await deps.memoryFile.byName.add(file, rows, { areNew: true })
  failpoint('add:chunks-stored')
  // Once only: an upload is moved into the store.
  const documents = add.stored ?? (await storeAll(deps, kept, add.at))
  failpoint('add:objects-stored')
  requireGoing(signal)
  const added = answer(read, { documents, warnings: add.warnings, elapsedMs: performance.now() - add.startedMs })
  const finish = async (transaction: Transaction<Tables>) => {
    await add.keep(transaction, added)
    return []
  }
  const { organizationId, planId } = caller
  const commit = { organizationId, planId, memoryId, file, documents, waited: false, deduplicate, finish }
  try {
    await commitDocuments(deps, { ...commit, requireGoing: () => requireGoing(signal) })
    return added
  } catch (error) {
    if (!(error instanceof MemoryReembedded)) throw error
    const { embeddingModel, file: newFile } = error.pinned
    const again = await embedAgain(deps, add, { read, embeddingModel })
    return storeAndCommit(deps, { ...add, stored: documents }, { read: again, file: newFile })
  }
}

async function embedAgain(
  { embedders }: Pick<AddNowDeps, 'embedders'>,
  { signal }: AddNow,
  { read, embeddingModel }: { read: readonly ReadEntry[]; embeddingModel: string },
): Promise<ReadEntry[]> {
  const embedder = requireEmbedder(embedders, embeddingModel)
  const headings = new Map(read.map(({ entry, indexed }) => [entry.facts.id, entry.heading ?? indexed.title]))
  const embedding = { embedder, headings, requireGoing: () => requireGoing(signal) }
  const rows = await embedRows(
    embedding,
    read.flatMap((one) => one.rows),
  )
  const byDocument = Map.groupBy(rows, ({ documentId }) => documentId)
  return read.map((one) => ({ ...one, rows: byDocument.get(one.entry.facts.id) ?? [] }))
}

/**
 * What is read meanwhile holds nobody up: others wait for their turn behind what has only to be
 * indexed.
 */
async function readInTurn(deps: AddNowDeps, indexing: DocumentIndexing, add: AddNow): Promise<ReadEntry[]> {
  const read = () => readEntries(deps, indexing, add)
  const areAtHand = add.entries.every(({ isAtHand }) => isAtHand)
  return areAtHand && indexing.thread ? indexing.thread.attend(read, { signal: add.signal }) : read()
}

async function readEntries(deps: AddNowDeps, indexing: DocumentIndexing, add: AddNow): Promise<ReadEntry[]> {
  const sizes = add.entries.map(({ facts }) => facts.sizeBytes)
  const all = await mapConcurrent(add.entries, textsAtOnce(indexing, sizes), async (entry) => {
    requireGoing(add.signal)
    const read = await readEntry(indexing, entry, add.fallbackLanguage)
    return { ...read, text: prepareText(deps.db, read.text) }
  })
  const compared = add.deduplicate ? await compareWithStored(deps, add, all) : new Map<Entry, Compared>()
  return runCooperatively(markRepeated(all, compared, add.signal), deps.shareLoop)
}

/**
 * Says of each what it repeats, of the memory or of those before it, and whether it is left out.
 */
function* markRepeated(
  all: readonly Omit<ReadEntry, 'duplicateOf' | 'isSkipped'>[],
  compared: ReadonlyMap<Entry, Compared>,
  signal: AbortSignal,
): CooperativeTask<ReadEntry[]> {
  const marked: ReadEntry[] = []
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
 * `stored`: what it repeats of the memory. `replaces`: it takes the place of a document, and is
 * kept whatever it repeats.
 */
type Compared = { stored: string | null; replaces: boolean }

/** Holds the entries that may be duplicates to what is stored. */
async function compareWithStored(
  { db }: Pick<AddNowDeps, 'db'>,
  { memoryId, entries }: AddNow,
  read: readonly Pick<ReadEntry, 'entry' | 'indexed'>[],
): Promise<Map<Entry, Compared>> {
  const documents = entries.map(({ facts: { id, externalId } }) => ({ id, externalId }))
  const replaced = await listReplaced(db, { memoryId, documents, waited: false })
  const externalIds = new Set(replaced.map(({ external_id }) => external_id))
  const comparable = read.filter(({ indexed }) => canRepeat(indexed))
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

async function readEntry(indexing: DocumentIndexing, entry: Entry, fallbackLanguage: string) {
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

function prepareText(db: AddNowDeps['db'], text: string): ReadEntry['text'] {
  return text.length <= INLINE_TEXT_CHARACTERS ? { inline: packText(db, text) } : { object: text }
}

/** Stores what has to stand before the documents show, and gives what their rows will say. */
async function storeAll(
  deps: AddNowDeps,
  read: readonly ReadEntry[],
  at: string,
): Promise<readonly PublishedDocument[]> {
  const originalHashes = await Promise.all(read.map((one) => putObjects(deps, one)))
  return insertTagsBeforePublishing(
    deps.db,
    await runCooperatively(describeAll(read, originalHashes, at), deps.shareLoop),
  )
}

/** Gives the hash of the original; `null` where none is kept. */
async function putObjects({ blobs }: Pick<AddNowDeps, 'blobs'>, { entry, text }: ReadEntry): Promise<string | null> {
  const { facts } = entry
  const keyOf = (name: DocumentObject) => documentObject(facts.memoryId, facts.id, name)
  if ('object' in text) await blobs.put(keyOf('text'), encodeText(text.object))
  const original = facts.storeSource ? entry.original() : null
  return original === null ? null : keepOriginal(blobs, keyOf('source'), original)
}

function* describeAll(
  read: readonly ReadEntry[],
  originalHashes: readonly (string | null)[],
  at: string,
): CooperativeTask<PublishedDocument[]> {
  const documents: PublishedDocument[] = []
  for (const [place, { entry, indexed, text }] of read.entries()) {
    const inlineText = 'inline' in text ? text.inline : null
    const originalHash = originalHashes[place] ?? null
    documents.push(readyDocument(entry.facts, indexed, { inlineText, originalHash, createdAt: at, at }))
    yield
  }
  return documents
}

function answer(
  read: readonly ReadEntry[],
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
      ...read.flatMap(({ indexed }) => [...indexed.warnings, ...listPageWarnings(indexed, 'request')]),
    ],
  }
}
