import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { closeIntents, openIntents } from '../../../database/deletion/intents-table.ts'
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
import type { IngestDeps } from '../ingest-deps.ts'
import { findStoredDuplicates } from './duplicates.ts'
import { requireStorage } from './storage-quota.ts'

/**
 * Between two looks whether a memory that takes another file has taken it: some tenths of a second
 * as a rule.
 */
const CLOSED_PAUSE_MS = 50

type CommitDeps = Pick<IngestDeps, 'db' | 'removals' | 'owner' | 'now'>

/** Documents whose chunks and texts are stored, about to show. */
export type Commit = {
  organizationId: string
  planId: PlanId
  memoryId: string
  /** The memory file in which their chunks stand. */
  file: string
  documents: readonly PublishedDocument[]
  /**
   * True when the documents' rows are there already and waited for their job; others bear intents.
   */
  waited: boolean
  /** True: none of them was in the memory when that was looked up. */
  deduplicate: boolean
  /**
   * The last of the same transaction: ends the job, or keeps the answer; gives the removals it
   * noted.
   */
  finish?: (transaction: Transaction<Tables>) => Promise<string[]>
  /**
   * Throws where nobody waits for this any more: nothing shows then. Asked last of all, and
   * whenever the memory takes nothing at the moment.
   */
  requireGoing?: () => void
}

/**
 * The one transaction in which documents begin to show: rows, counters, quota, replaced documents,
 * intents and the job's end. Rejects with `storage_quota_exceeded`, with `memory_not_found` when
 * the memory was deleted meanwhile, with `service_unavailable` when what others did meanwhile calls
 * for the work to be done again ({@link MemoryReembedded}: with another model); nothing is changed
 * then. What replaced documents leave behind is removed afterwards, without being waited for.
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
    if (removalIds === null) await pause(CLOSED_PAUSE_MS)
  }
  failpoint('add:committed')
  if (removalIds.length > 0) void deps.removals.carryOut(removalIds)
}

/**
 * Gives the removals it noted; `null`, with nothing changed, where nothing is to show in the memory
 * at this moment.
 */
async function publish(deps: CommitDeps, transaction: Transaction<Tables>, commit: Commit): Promise<string[] | null> {
  const { memoryId, documents } = commit
  // First of all, so that everything below is read as it stays.
  const memory = await lockMemory(transaction, memoryId)
  if (memory !== null) requireFile(memory, commit)
  if (memory !== null && isClosed(memory, deps.now())) return null
  const adding = documents.map(({ row }) => ({ id: row.id, externalId: row.external_id ?? null }))
  const replaced = await listReplaced(transaction, { memoryId, documents: adding, waited: commit.waited })
  const removalIds = await deleteDocumentRows(transaction, replaced, deps.now())
  if (commit.deduplicate) await requireNew(transaction, commit, replaced)
  const shown = commit.waited ? await complete(transaction, commit, deps) : documents
  if (!commit.waited) await insertDocuments(transaction, documents)
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

/**
 * Throws {@link MemoryReembedded} where the memory has another file by now than that in which the
 * chunks stand.
 */
function requireFile(memory: FilesOfMemory, { file }: Commit): void {
  if (currentFileOf(memory) !== file) throw new MemoryReembedded(memory)
}

function isClosed({ next_file, closed_until }: FilesOfMemory, now: Date): boolean {
  return next_file !== null && closed_until !== null && closed_until > now.toISOString()
}

/** What an add is told whose intents others have taken: its chunks may be gone. */
export function intentExpired(): ApiError {
  return new ApiError('service_unavailable', { message: 'The add stood still for so long that it was cleared away.' })
}

/**
 * Another process, or a job, may have added the same since it was looked up. What replaces another
 * is added in any case.
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
    const message = 'The same document was added by another request meanwhile.'
    throw new ApiError('service_unavailable', { message, retryAfterSeconds: 1 })
  }
}

/**
 * Completes waiting documents; those that were live already (a partial one, read again) first count
 * no more.
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
    if (before.status === 'partial') await count(transaction, deps, { memoryId, documents: [before], times: -1 })
  }
  return there
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

/** Documents that are about to be written, with vectors of this model. */
type Writing = { memoryId: string; documentIds: readonly string[]; embeddingModel: string; at: string }

/**
 * Notes what is about to be written and pins the memory to the embedding model, in one commit: a
 * pin without a document lasts as long as the intents do. Gives the model to write with, another
 * one where the memory was re-embedded meanwhile, and the file to write to. Rejects with
 * `memory_not_found`, and with `embedding_model_pinned` when another add has pinned another model
 * meanwhile.
 */
export async function beginWriting(
  { db, owner }: Pick<IngestDeps, 'db' | 'owner'>,
  writing: Writing,
): Promise<PinnedModel> {
  const { memoryId, documentIds, embeddingModel, at } = writing
  const pinned = await db.transaction().execute(async (transaction) => {
    const pinned = await pinEmbeddingModel(transaction, memoryId, embeddingModel)
    if (pinned === null) throw new ApiError('memory_not_found')
    const isFirst = pinned.file === memoryId
    if (pinned.embeddingModel !== embeddingModel && isFirst) {
      const model = pinned.embeddingModel
      const message = `The memory was pinned to the embedding model ${model} by another request meanwhile.`
      throw new ApiError('embedding_model_pinned', { message, remedy: 'Send the request again.' })
    }
    await openIntents(transaction, { memoryId, documentIds, owner, at })
    return pinned
  })
  failpoint('add:intended')
  return pinned
}

/** Documents that are being added to a memory. */
type Adding = {
  memoryId: string
  documents: readonly { id: string; externalId: string | null }[]
  /** True when the documents' rows are there already and waited for their job. */
  waited: boolean
}

/**
 * What they replace: of the rows with the same external ids those that came before. A document of a
 * job may have younger ones beside it; where its own row is gone, one of them has replaced it, and
 * it replaces none.
 */
export async function listReplaced(db: Kysely<Tables>, { memoryId, documents, waited }: Adding): Promise<Document[]> {
  const externalIds = documents.flatMap(({ externalId }) => externalId ?? [])
  const rows = await listDocumentsByExternalIds(db, memoryId, externalIds)
  const own = new Set(documents.map(({ id }) => id))
  const arrival = new Map(rows.filter(({ id }) => own.has(id)).map((row) => [row.external_id, row.seq]))
  const absent = waited ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return rows.filter(({ id, external_id, seq }) => !own.has(id) && seq < (arrival.get(external_id) ?? absent))
}

/** Bytes that documents take of the plan's storage when they show. */
function sumBytes(documents: readonly Pick<Document, 'storage_bytes'>[]): number {
  return documents.reduce((total, { storage_bytes }) => total + storage_bytes, 0)
}

/** Bytes that the plan gets back when these are replaced: what never showed was not counted. */
export function sumLiveBytes(replaced: readonly Document[]): number {
  return sumBytes(replaced.filter(({ status }) => LIVE_STATUSES.includes(status)))
}

/**
 * Thrown where a memory took another file, with the vectors of another model, since chunks were
 * written for it: they stand in the file that was, and have to be written again, with vectors of
 * this model.
 */
export class MemoryReembedded extends ApiError {
  readonly pinned: PinnedModel

  constructor(memory: FilesOfMemory) {
    const embeddingModel = memory.embedding_model ?? ''
    super('service_unavailable', {
      message: `The memory was re-embedded with ${embeddingModel} meanwhile.`,
      retryAfterSeconds: 1,
    })
    this.pinned = { embeddingModel, file: currentFileOf(memory) }
  }
}
