import type { ExpressionBuilder, Kysely, Transaction } from 'kysely'
import type { Removal, Tables } from '../schema.ts'
import { runUnsynced, slices } from '../statements.ts'

/** Documents of a deleted memory whose rows go in one statement: 2 to 8 ms in 100,000, and everyone waits as long. */
const DOCUMENTS_A_PURGE = 20

const FILE_ENDING = '.lance'

/** What is left behind: all of a document or memory, the staged upload of a document that needs it no longer, or a memory file that is not in use. */
export type Leftover = { memoryId: string; now: Date } & (
  | { kind: 'document'; documentId: string; jobId?: string | null }
  | { kind: 'upload'; documentId: string }
  | { kind: 'memory' }
  | { kind: 'file' | 'unfinished'; file: string }
)

/** Notes a leftover in the transaction that makes it one; returns the note's identifier. */
export async function insertRemoval(transaction: Transaction<Tables>, leftover: Leftover): Promise<string> {
  await insertRemovals(transaction, [leftover])
  return idOf(leftover)
}

/** {@link insertRemoval} of several; returns the notes' identifiers, in the order of what is left. */
export async function insertRemovals(
  transaction: Transaction<Tables>,
  leftovers: readonly Leftover[],
): Promise<string[]> {
  for (const slice of slices(leftovers)) {
    const insert = transaction.insertInto('removals').values(slice.map(toRow))
    await insert.onConflict((conflict) => conflict.column('id').doNothing()).execute()
  }
  return leftovers.map(idOf)
}

function toRow(leftover: Leftover): Removal {
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

function idOf(leftover: Leftover): string {
  if ('file' in leftover) return `${leftover.file}${FILE_ENDING}`
  if (leftover.kind === 'memory') return leftover.memoryId
  return leftover.kind === 'upload' ? `${leftover.documentId}.upload` : leftover.documentId
}

/** The name of the memory file that a removal of one is about. */
export function fileOfRemoval({ id }: Pick<Removal, 'id'>): string {
  return id.slice(0, -FILE_ENDING.length)
}

/**
 * A removal, and whether an attempt at a job may still write of what was deleted: one that began before the deletion, and is not known to be over. What is
 * removed once it is over is removed for good, since attempts that begin later do not see the document any more.
 */
export type ListedRemoval = Removal & { isHeld: boolean }

/** The removals with these identifiers that are still to be carried out. */
export async function listRemovals(db: Kysely<Tables>, ids: readonly string[]): Promise<ListedRemoval[]> {
  if (ids.length === 0) return []
  return list(db, (removals) => removals('id', 'in', ids))
}

/** Those of documents that this job made, by their identifiers. */
export async function listRemovalsOfJob(db: Kysely<Tables>, jobId: string): Promise<string[]> {
  const rows = await db.selectFrom('removals').select('id').where('job_id', '=', jobId).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** At most `limit` of all removals, oldest first within a kind; `after` is the last of the list before, at first `''`. */
export function listAllRemovals(
  db: Kysely<Tables>,
  { after, limit }: { after: string; limit: number },
): Promise<ListedRemoval[]> {
  return list(db, (removals) => removals('id', '>', after), limit)
}

type Choice = (removals: ExpressionBuilder<Tables, 'removals'>) => ReturnType<ExpressionBuilder<Tables, 'removals'>>

async function list(db: Kysely<Tables>, choice: Choice, limit?: number): Promise<ListedRemoval[]> {
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

/** In the statement that reads the rows, so that no attempt comes between. */
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

/** Forgets removals that were carried out. */
export async function deleteRemovals(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('removals').where('id', 'in', ids).execute()
}

/** Removes rows of some documents of a deleted memory, and their tags; `false` when none are left. What a loss of power brings back is removed again. */
export function purgeDocumentRows(db: Kysely<Tables>, memoryId: string): Promise<boolean> {
  return runUnsynced(db, async (connection) => {
    const ofMemory = connection.selectFrom('documents').select('id').where('memory_id', '=', memoryId)
    const ids = (await ofMemory.limit(DOCUMENTS_A_PURGE).execute()).map(({ id }) => id)
    if (ids.length === 0) return false
    await connection.deleteFrom('document_tags').where('document_id', 'in', ids).execute()
    await connection.deleteFrom('documents').where('id', 'in', ids).execute()
    return true
  })
}
