import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { closeIntents, openIntents } from '../../../database/deletion/intents-table.ts'
import { hideDocuments, markStale } from '../../../database/memories/document-changes.ts'
import {
  completeDocument,
  insertDocuments,
  listDocumentsByExternalIds,
  type PublishedDocument,
  updateDocumentCounters,
} from '../../../database/memories/document-writes.ts'
import { deleteDocumentRows } from '../../../database/memories/documents-table.ts'
import {
  currentFileOf,
  type FilesOfMemory,
  lockMemory,
  type PinnedModel,
  pinEmbeddingModel,
} from '../../../database/memories/memories-table.ts'
import { recordChanges } from '../../../database/memories/reembedding-table.ts'
import { type Document, LIVE_STATUSES, type Tables } from '../../../database/schema.ts'
import { ApiError } from '../../../errors.ts'
import type { PlanId } from '../../../limits.ts'
import { failpoint } from '../../../observability/failpoints.ts'
import { countAdded } from '../../account/usage-recorder.ts'
import type { IngestDeps } from '../ingest-deps.ts'
import { findStoredDuplicates } from './duplicates.ts'
import { requireStorage } from './storage-quota.ts'

/**
 * Poll interval during the cut-over of a re-embedding, which usually takes some tenths of a second.
 */
const CUTOVER_POLL_MS = 50

type CommitDeps = Pick<IngestDeps, 'db' | 'removals' | 'owner' | 'now' | 'usage'>

/** Documents to publish, with chunks and texts stored. */
export type Commit = {
  organizationId: string
  planId: PlanId
  memoryId: string
  /** Key of the caller, for the usage. */
  keyId: string | null
  /** Memory file that contains the chunks. */
  file: string
  documents: readonly PublishedDocument[]
  /** Rows of documents that were partial before; none when absent. */
  readAgain?: readonly Document[]
  /**
   * True: the documents have pending rows and wait for their job. False: the documents have
   * intents.
   */
  waited: boolean
  /** True: the documents were not in the memory when checked. */
  deduplicate: boolean
  /**
   * Last step of the transaction: ends the job, or saves the response; returns the removals that it
   * inserted.
   */
  finish?: (transaction: Transaction<Tables>) => Promise<string[]>
  /**
   * Throws when the caller has left; nothing is published then. Called last, and while the memory
   * is closed.
   */
  requireGoing?: () => void
}

/**
 * Publishes documents in one transaction: rows, counters, quota, replaced documents, intents and
 * the job's end. Data of replaced documents is deleted afterwards in the background.
 *
 * Rejects without changes: `storage_quota_exceeded`; `memory_not_found` for a deleted memory;
 * `service_unavailable` when a concurrent change requires a repetition ({@link MemoryReembedded}:
 * with another model).
 */
export async function commitDocuments(deps: CommitDeps, commit: Commit): Promise<void> {
  let removalIds: string[] | null = null
  while (removalIds === null) {
    removalIds = await deps.db.transaction().execute(async (transaction) => {
      const noted = await publish(deps, transaction, commit)
      commit.requireGoing?.()
      failpoint('add:about-to-commit')
      return noted
    })
    if (removalIds === null) await pause(CUTOVER_POLL_MS)
  }
  failpoint('add:committed')
  deps.usage.record(commit, countAdded(commit))
  if (removalIds.length > 0) void deps.removals.process(removalIds)
}

/** Returns the removals that it inserted; `null`, without changes, while the memory is closed. */
async function publish(deps: CommitDeps, transaction: Transaction<Tables>, commit: Commit): Promise<string[] | null> {
  const { memoryId, documents } = commit
  // Locked first, so that all later reads are stable.
  const memory = await lockMemory(transaction, memoryId)
  if (memory !== null) requireFile(memory, commit)
  if (memory !== null && isClosed(memory, deps.now())) return null
  const adding = documents.map(({ row }) => ({ id: row.id, externalId: row.external_id ?? null }))
  const replaced = await listReplaced(transaction, { memoryId, documents: adding, waited: commit.waited })
  const removalIds = await deleteDocumentRows(transaction, replaced, deps.now())
  if (commit.deduplicate) await requireNew(transaction, commit, replaced)
  const shown = commit.waited ? await complete(transaction, commit, deps) : documents
  if (!commit.waited) await insertDocuments(transaction, documents)
  await keepHidden(transaction, replaced, adding)
  await count(transaction, deps, { memoryId, documents: shown.map(({ row }) => row), times: 1 })
  const added = sumBytes(shown.map(({ row }) => row)) - sumLiveBytes(replaced)
  await requireStorage(transaction, commit, added)
  if (memory !== null && memory.next_file !== null) {
    const shownIds = shown.map(({ row }) => row.id)
    await recordChanges(transaction, memory.next_file, shownIds)
  }
  const documentIds = documents.map(({ row }) => row.id)
  if (!commit.waited && !(await closeIntents(transaction, { documentIds, owner: deps.owner }))) throw intentExpired()
  return [...removalIds, ...((await commit.finish?.(transaction)) ?? [])]
}

/** A new version of a hidden document is hidden as well. */
async function keepHidden(
  transaction: Transaction<Tables>,
  replaced: readonly Document[],
  adding: readonly { id: string; externalId: string | null }[],
): Promise<void> {
  const hidden = new Set(replaced.filter(({ enabled }) => enabled === 0).map(({ external_id }) => external_id))
  const ids = adding.filter(({ externalId }) => externalId !== null && hidden.has(externalId)).map(({ id }) => id)
  await hideDocuments(transaction, ids)
}

/** Throws {@link MemoryReembedded} when the memory has another file than the chunks. */
function requireFile(memory: FilesOfMemory, { file }: Commit): void {
  if (currentFileOf(memory) !== file) throw new MemoryReembedded(memory)
}

function isClosed({ next_file, closed_until }: FilesOfMemory, now: Date): boolean {
  return next_file !== null && closed_until !== null && closed_until > now.toISOString()
}

/** Error of an add whose intents expired: its chunks may have been deleted. */
export function intentExpired(): ApiError {
  return new ApiError('service_unavailable', { message: 'The add was inactive for too long and was discarded.' })
}

/**
 * Another process or job may have added the same document since the check. A replacing document is
 * always added.
 */
async function requireNew(
  transaction: Transaction<Tables>,
  { memoryId, documents }: Commit,
  replaced: readonly Document[],
): Promise<void> {
  const known = new Set(replaced.map(({ external_id }) => external_id))
  const compared = documents.flatMap(({ row, signature }) =>
    row.status === 'ready' && typeof row.content_hash === 'string' && !known.has(row.external_id ?? null)
      ? [{ id: row.id, hash: row.content_hash, signature }]
      : [],
  )
  const stored = await findStoredDuplicates(transaction, memoryId, { fingerprints: compared })
  if (stored.some((same, place) => same !== null && same !== compared[place]?.id)) {
    const message = 'Another request added the same document.'
    throw new ApiError('service_unavailable', { message, retryAfterSeconds: 1 })
  }
}

/**
 * Completes pending documents. A partial document that was read again is first subtracted from the
 * counters.
 */
async function complete(
  transaction: Transaction<Tables>,
  { memoryId, documents }: Commit,
  deps: CommitDeps,
): Promise<PublishedDocument[]> {
  const there: PublishedDocument[] = []
  for (const document of documents) {
    const before = await completeDocument(transaction, document)
    if (before === null) continue
    there.push(document)
    if (isOutdated(document.row, before)) await markStale(transaction, [before], deps.now().toISOString())
    if (before.status === 'partial') await count(transaction, deps, { memoryId, documents: [before], times: -1 })
  }
  return there
}

/** True if the caller changed the title while the job was indexing the document. */
function isOutdated(written: PublishedDocument['row'], { title, title_given }: Document): boolean {
  return title_given === 1 && written.title !== title
}

async function count(
  transaction: Transaction<Tables>,
  deps: CommitDeps,
  change: Parameters<typeof updateDocumentCounters>[1],
): Promise<void> {
  if (change.documents.length === 0) return
  if (!(await updateDocumentCounters(transaction, change, deps.now().toISOString())))
    throw new ApiError('memory_not_found')
}

/** Documents about to be written with vectors of this model. */
type WriteIntents = { memoryId: string; documentIds: readonly string[]; embeddingModel: string; at: string }

/**
 * Opens intents and pins the memory to the embedding model in one commit; a pin without documents
 * lasts as long as the intents. Returns the file and the model to write, which differs after a
 * re-embedding. Rejects with `memory_not_found`, and with `embedding_model_pinned` when another add
 * pinned another model meanwhile.
 */
export async function openWriteIntents(
  { db, owner }: Pick<IngestDeps, 'db' | 'owner'>,
  writing: WriteIntents,
): Promise<PinnedModel> {
  const { memoryId, documentIds, embeddingModel, at } = writing
  const pinned = await db.transaction().execute(async (transaction) => {
    const pinned = await pinEmbeddingModel(transaction, memoryId, embeddingModel)
    if (pinned === null) throw new ApiError('memory_not_found')
    const isFirst = pinned.file === memoryId
    if (pinned.embeddingModel !== embeddingModel && isFirst) {
      const model = pinned.embeddingModel
      const message = `Another request pinned the memory to the embedding model ${model}.`
      throw new ApiError('embedding_model_pinned', { message, remedy: 'Send the request again.' })
    }
    await openIntents(transaction, { memoryId, documentIds, owner, at })
    return pinned
  })
  failpoint('add:intended')
  return pinned
}

type IntendedDocuments = {
  memoryId: string
  documents: readonly { id: string; externalId: string | null }[]
  /** True when the documents have pending rows. */
  waited: boolean
}

/**
 * Documents with the same external ids that were added earlier. A document of a job may have newer
 * siblings. If its own row is gone, a sibling has replaced the document, and the document replaces
 * nothing.
 */
export async function listReplaced(
  db: Kysely<Tables>,
  { memoryId, documents, waited }: IntendedDocuments,
): Promise<Document[]> {
  const externalIds = documents.flatMap(({ externalId }) => externalId ?? [])
  const rows = await listDocumentsByExternalIds(db, memoryId, externalIds)
  const own = new Set(documents.map(({ id }) => id))
  const arrival = new Map(rows.filter(({ id }) => own.has(id)).map((row) => [row.external_id, row.seq]))
  const absent = waited ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return rows.filter(({ id, external_id, seq }) => !own.has(id) && seq < (arrival.get(external_id) ?? absent))
}

/** Storage of documents that counts against the plan. */
function sumBytes(documents: readonly Pick<Document, 'storage_bytes'>[]): number {
  return documents.reduce((total, { storage_bytes }) => total + storage_bytes, 0)
}

/** Storage that the plan regains; documents that were never live did not count. */
export function sumLiveBytes(replaced: readonly Document[]): number {
  return sumBytes(replaced.filter(({ status }) => LIVE_STATUSES.includes(status)))
}

/**
 * Thrown when a memory was re-embedded since its chunks were written. The chunks are in the old
 * file and must be written again, with the new model.
 */
export class MemoryReembedded extends ApiError {
  readonly pinned: Pick<PinnedModel, 'embeddingModel' | 'file'>

  constructor(memory: FilesOfMemory) {
    const embeddingModel = memory.embedding_model ?? ''
    super('service_unavailable', {
      message: `The memory was re-embedded with ${embeddingModel} during the add.`,
      retryAfterSeconds: 1,
    })
    this.pinned = { embeddingModel, file: currentFileOf(memory) }
  }
}
