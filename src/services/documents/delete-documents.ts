import type { Kysely, Transaction } from 'kysely'
import { endJobOfDocument } from '../../database/deletion/jobs-of-deleted-data.ts'
import { DOCUMENTS_DELETED } from '../../database/jobs/job-leases-table.ts'
import { deleteDocumentRows, listDocumentsById } from '../../database/memories/documents-table.ts'
import { lockMemory, requireMemory } from '../../database/memories/memories-table.ts'
import type { Document, Tables } from '../../database/schema.ts'
import { batches } from '../../database/statements.ts'
import { isId } from '../../ids.ts'
import { listDocuments } from '../../memory-file/chunk-predicate.ts'
import { failpoint } from '../../observability/failpoints.ts'
import type { Caller } from '../caller.ts'
import { type DeletionOutbox, waitAtMost } from '../deletion/deletion-outbox.ts'
import type { DocumentFilters } from '../filters/document-filters.ts'
import type { DocumentFilter } from '../filters/read-filter.ts'
import type { JobChanges } from '../jobs/job-changes.ts'

/** Documents per transaction, some 10 ms: a transaction blocks other writers. */
const DOCUMENTS_PER_TRANSACTION = 100
/** Repetitions for documents that change while they are selected and deleted. */
const MAX_ROUNDS = 3

/** Deletes documents within a transaction that has locked their memory. */
export async function deleteInTransaction(
  transaction: Transaction<Tables>,
  documents: readonly Document[],
  now: Date,
): Promise<{ removalIds: string[]; jobIds: string[] }> {
  const removalIds = await deleteDocumentRows(transaction, documents, now)
  const waiting = documents.filter(({ status }) => status === 'pending' || status === 'processing')
  const jobIds: string[] = []
  const end = { ...DOCUMENTS_DELETED, now: now.toISOString() }
  for (const jobId of new Set(waiting.flatMap(({ job_id }) => job_id ?? [])))
    if (await endJobOfDocument(transaction, jobId, end)) jobIds.push(jobId)
  failpoint('deletion:about-to-commit')
  return { removalIds, jobIds }
}

/** Documents to delete: by id, or by a filter. A dry run deletes nothing. */
export type DeletionRequest = {
  ids: readonly string[] | null
  filter: DocumentFilter | null
  dryRun: boolean
  signal: AbortSignal
}

/** Numbers of found and of deleted documents, and the ids without a document. */
export type DeletedDocuments = { matched: number; deleted: number; notFound: string[] }

type DeleteDeps = {
  db: Kysely<Tables>
  removals: DeletionOutbox
  changes: JobChanges
  filters: DocumentFilters
  now: () => Date
}

/**
 * Deletes documents in portions. Rejects with `memory_not_found`, and with the reason of the
 * signal; a repetition deletes the rest.
 */
export async function deleteMany(
  deps: DeleteDeps,
  caller: Caller,
  { memoryId, ids, filter, dryRun, signal }: DeletionRequest & { memoryId: string },
): Promise<DeletedDocuments> {
  const given = ids === null ? null : [...new Set(ids)]
  const total = { matched: 0, deleted: 0 }
  const found = new Set<string>()
  for (let round = 0, changed = 1; changed > 0 && round < MAX_ROUNDS; round += 1) {
    const memory = await requireMemory(deps.db, caller, memoryId)
    const chosen = filter === null ? (given ?? []) : await selectIds(deps, memory, filter)
    changed = 0
    for (const portion of batches(
      chosen.filter((id) => isId('doc', id)),
      DOCUMENTS_PER_TRANSACTION,
    )) {
      signal.throwIfAborted()
      const selected = { memoryId, ids: portion, filter, revision: memory.revision }
      const outcome = dryRun ? await look(deps, selected) : await deletePortion(deps, selected)
      for (const id of outcome.ids) found.add(id)
      total.deleted += outcome.deleted
      changed += outcome.changed
    }
  }
  total.matched = found.size
  return { ...total, notFound: (given ?? []).filter((id) => !found.has(id)) }
}

async function selectIds(
  { filters }: DeleteDeps,
  memory: Parameters<DocumentFilters['select']>[0],
  filter: DocumentFilter,
): Promise<string[]> {
  return listDocuments(await filters.select(memory, filter, 'included'))
}

type Portion = { memoryId: string; ids: readonly string[]; filter: DocumentFilter | null; revision: number }
type PortionOutcome = { ids: string[]; deleted: number; changed: number }

/** Reads the documents; corrections only by id or if the filter asks for them, as in lists. */
async function read(db: Kysely<Tables>, { memoryId, ids, filter }: Portion): Promise<Document[]> {
  const rows = await listDocumentsById(db, memoryId, ids)
  const isListed = filter === null || filter.sourceType !== null
  return isListed ? rows : rows.filter(({ source_type }) => source_type !== 'correction')
}

async function look({ db }: DeleteDeps, portion: Portion): Promise<PortionOutcome> {
  const rows = await read(db, portion)
  return { ids: rows.map(({ id }) => id), deleted: 0, changed: 0 }
}

/** `changed` counts documents that were changed after the selection, and were kept. */
async function deletePortion(deps: DeleteDeps, portion: Portion): Promise<PortionOutcome> {
  const { removals, changes, now } = deps
  const { memoryId, filter, revision } = portion
  const done = await removals.commit(async (transaction) => {
    await lockMemory(transaction, memoryId)
    const rows = await read(transaction, portion)
    const same = rows.filter((row) => filter === null || Number(row.revision) <= revision)
    const { removalIds, jobIds } = await deleteInTransaction(transaction, same, now())
    return { removalIds, jobIds, ids: same.map(({ id }) => id), changed: rows.length - same.length }
  })
  failpoint('deletion:committed')
  for (const jobId of done.jobIds) changes.publish({ jobId, kind: 'stop-asked' })
  await waitAtMost(removals.process(done.removalIds))
  return { ids: done.ids, deleted: done.ids.length, changed: done.changed }
}
