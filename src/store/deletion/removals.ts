import type { Kysely, Transaction } from 'kysely'
import { runUnsynced } from '../run-unsynced.ts'
import type { Removal, Tables } from '../schema.ts'
import { slices } from '../slices.ts'

/** Documents of a deleted memory whose rows go in one statement: 2 to 8 ms in 100,000, and everyone waits as long. */
const DOCUMENTS_A_PURGE = 20

const FILE_ENDING = '.lance'

/** What is left behind: all of a document or memory, the staged upload of a document that needs it no longer, or a memory file that is not in use. */
export type Leftover = { memoryId: string; now: Date } & (
  | { kind: 'document' | 'upload'; documentId: string }
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
  return { id: idOf(leftover), kind, memory_id: memoryId, document_id: documentId, created_at: now.toISOString() }
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

/** The removals with these identifiers that are still to be carried out. */
export async function listRemovals(db: Kysely<Tables>, ids: readonly string[]): Promise<Removal[]> {
  if (ids.length === 0) return []
  return db.selectFrom('removals').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

/** At most `limit` of all removals, oldest first within a kind; `after` is the last of the list before, at first `''`. */
export function listAllRemovals(
  db: Kysely<Tables>,
  { after, limit }: { after: string; limit: number },
): Promise<Removal[]> {
  return db.selectFrom('removals').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()
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
