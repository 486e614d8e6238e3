import type { ExpressionBuilder, Kysely, Transaction } from 'kysely'
import type { PendingDeletion, Tables } from '../schema.ts'
import { batches, runUnsynced } from '../statements.ts'

/**
 * Documents of a deleted memory per statement: 2 to 8 ms with 100,000 documents, and a statement
 * blocks other writers.
 */
const DOCUMENTS_PER_STATEMENT = 20

const FILE_EXTENSION = '.lance'

/**
 * Data to delete: of a document, of a memory, a staged upload that is no longer needed, or an
 * unused memory file.
 */
export type DeletionRequest = { memoryId: string; now: Date } & (
  | { kind: 'document'; documentId: string; jobId?: string | null }
  | { kind: 'upload'; documentId: string }
  | { kind: 'memory' }
  | { kind: 'file' | 'unfinished'; file: string }
)

/** Adds an entry to the outbox in the deleting transaction; returns its id. */
export async function enqueueDeletion(transaction: Transaction<Tables>, leftover: DeletionRequest): Promise<string> {
  await enqueueDeletions(transaction, [leftover])
  return idOf(leftover)
}

/** Adds several entries; returns their ids in order. */
export async function enqueueDeletions(
  transaction: Transaction<Tables>,
  leftovers: readonly DeletionRequest[],
): Promise<string[]> {
  for (const slice of batches(leftovers)) {
    const insert = transaction.insertInto('removals').values(slice.map(toRow))
    await insert.onConflict((conflict) => conflict.column('id').doNothing()).execute()
  }
  return leftovers.map(idOf)
}

function toRow(leftover: DeletionRequest): PendingDeletion {
  const { kind, memoryId, now } = leftover
  const documentId = 'documentId' in leftover ? leftover.documentId : null
  const jobId = 'jobId' in leftover ? leftover.jobId : null
  return {
    id: idOf(leftover),
    kind,
    memory_id: memoryId,
    document_id: documentId,
    job_id: jobId ?? null,
    created_at: now.toISOString(),
  }
}

function idOf(leftover: DeletionRequest): string {
  if ('file' in leftover) return `${leftover.file}${FILE_EXTENSION}`
  if (leftover.kind === 'memory') return leftover.memoryId
  return leftover.kind === 'upload' ? `${leftover.documentId}.upload` : leftover.documentId
}

/** Name of the memory file in an entry. */
export function fileOfPendingDeletion({ id }: Pick<PendingDeletion, 'id'>): string {
  return id.slice(0, -FILE_EXTENSION.length)
}

/**
 * An outbox entry. `isHeld`: an attempt of a job that began before the deletion may still write the
 * deleted document. Deletion after the end of that attempt is final, because later attempts do not
 * see the document.
 */
export type ListedDeletion = PendingDeletion & { isHeld: boolean }

/** Reads the pending entries among `ids`. */
export async function listPendingDeletions(db: Kysely<Tables>, ids: readonly string[]): Promise<ListedDeletion[]> {
  if (ids.length === 0) return []
  return listWhere(db, (removals) => removals('id', 'in', ids))
}

/** Lists the ids of entries for documents created by a job. */
export async function listPendingDeletionsOfJob(db: Kysely<Tables>, jobId: string): Promise<string[]> {
  const rows = await db.selectFrom('removals').select('id').where('job_id', '=', jobId).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/**
 * Lists up to `limit` entries, oldest first within a kind, after the id `after` (initially `''`).
 */
export function listAllPendingDeletions(
  db: Kysely<Tables>,
  { after, limit }: { after: string; limit: number },
): Promise<ListedDeletion[]> {
  return listWhere(db, (removals) => removals('id', '>', after), limit)
}

type DeletionCondition = (
  removals: ExpressionBuilder<Tables, 'removals'>,
) => ReturnType<ExpressionBuilder<Tables, 'removals'>>

async function listWhere(db: Kysely<Tables>, choice: DeletionCondition, limit?: number): Promise<ListedDeletion[]> {
  const query = db
    .selectFrom('removals')
    .selectAll()
    .select((removals) => isHeld(removals).as('is_held'))
  const rows = await query
    .where(choice)
    .orderBy('id')
    .$if(limit !== undefined, (all) => all.limit(limit ?? 0))
    .execute()
  return rows.map(({ is_held, ...removal }) => ({ ...removal, isHeld: Boolean(is_held) }))
}

/** In the same statement as the rows, so that no attempt starts in between. */
function isHeld(removals: ExpressionBuilder<Tables, 'removals'>) {
  return removals.exists(
    removals
      .selectFrom('job_runs')
      .select('job_runs.id')
      .where((runs) =>
        runs.or([
          runs('job_runs.job_id', '=', runs.ref('removals.job_id')),
          runs.and([
            runs('removals.kind', '=', 'memory'),
            runs('job_runs.memory_id', '=', runs.ref('removals.memory_id')),
          ]),
        ]),
      ),
  )
}

/** Deletes processed entries. */
export async function deletePendingDeletions(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('removals').where('id', 'in', ids).execute()
}

/**
 * Deletes a batch of a deleted memory's document rows with their tags; `false` if none are left. A
 * deletion undone by a power failure is repeated.
 */
export function deleteDocumentRowsOfMemory(db: Kysely<Tables>, memoryId: string): Promise<boolean> {
  return runUnsynced(db, async (connection) => {
    const ofMemory = connection.selectFrom('documents').select('id').where('memory_id', '=', memoryId)
    const ids = (await ofMemory.limit(DOCUMENTS_PER_STATEMENT).execute()).map(({ id }) => id)
    if (ids.length === 0) return false
    await connection.deleteFrom('document_tags').where('document_id', 'in', ids).execute()
    await connection.deleteFrom('documents').where('id', 'in', ids).execute()
    return true
  })
}
