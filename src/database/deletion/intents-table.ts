/**
 * Intents protect data during an add. Cleanup of a failed add reclaims the intents first, and an
 * add commits only with its own intents. So exactly one of the two succeeds, on any number of
 * machines.
 */
import type { ExpressionBuilder, Kysely } from 'kysely'
import { liveNodes } from '../process-tables.ts'
import type { Intent, Tables } from '../schema.ts'
import { batches, isPostgres } from '../statements.ts'

/** Owner of reclaimed intents. */
const RECLAIMED = ''

/** Documents written by a process. */
export type OwnedDocuments = { documentIds: readonly string[]; owner: string }

/** Inserts intents; must be durable before any data of the documents is written. */
export async function openIntents(
  db: Kysely<Tables>,
  { memoryId, documentIds, owner, at }: OwnedDocuments & { memoryId: string; at: string },
): Promise<void> {
  const rows = documentIds.map((id) => ({ document_id: id, memory_id: memoryId, owner, created_at: at }))
  for (const slice of batches(rows)) await db.insertInto('intents').values(slice).execute()
}

/**
 * Deletes the intents of documents being published; `false` if some were reclaimed, and then the
 * transaction must not commit.
 */
export async function closeIntents(db: Kysely<Tables>, { documentIds, owner }: OwnedDocuments): Promise<boolean> {
  let closed = 0n
  for (const slice of batches(documentIds)) {
    const { numDeletedRows } = await db
      .deleteFrom('intents')
      .where('document_id', 'in', slice)
      .where('owner', '=', owner)
      .executeTakeFirstOrThrow()
    closed += numDeletedRows
  }
  return closed === BigInt(documentIds.length)
}

/**
 * Reclaims the remaining intents of this process's failed add, which also resolves a commit without
 * a response. Returns the documents to delete.
 */
export async function reclaimIntents(db: Kysely<Tables>, { documentIds, owner }: OwnedDocuments): Promise<string[]> {
  const taken: string[] = []
  for (const slice of batches(documentIds)) {
    const rows = await reclaim(db, (intents) =>
      intents.and([intents('document_id', 'in', slice), intents('owner', 'in', [owner, RECLAIMED])]),
    )
    taken.push(...rows.map((row) => row.document_id))
  }
  return taken
}

/**
 * Criteria of abandoned adds: the process has no heartbeat since `seenSince`, or the add began
 * before `begunBefore`.
 */
export type AbandonedCriteria = { seenSince: string; begunBefore: Date; limit: number }

/** Reclaims up to `limit` intents of abandoned adds, oldest first. */
export function reclaimAbandonedIntents(
  db: Kysely<Tables>,
  { seenSince, begunBefore, limit }: AbandonedCriteria,
): Promise<Intent[]> {
  return reclaim(db, (intents) =>
    intents(
      'document_id',
      'in',
      intents
        .selectFrom('intents')
        .select('document_id')
        .where((stale) =>
          stale.or([
            stale('owner', 'not in', liveNodes(seenSince)),
            stale('created_at', '<', begunBefore.toISOString()),
          ]),
        )
        .orderBy('created_at')
        .limit(limit),
    ),
  )
}

/** Deletes reclaimed intents after the deletion of all data. */
export async function deleteIntents(db: Kysely<Tables>, documentIds: readonly string[]): Promise<void> {
  for (const slice of batches(documentIds)) await db.deleteFrom('intents').where('document_id', 'in', slice).execute()
}

type IntentCondition = (
  intents: ExpressionBuilder<Tables, 'intents'>,
) => ReturnType<ExpressionBuilder<Tables, 'intents'>['and']>

/**
 * SQLite has a single process, which knows the result of its commits; and on a full disk an update
 * could not be written.
 */
function reclaim(db: Kysely<Tables>, choice: IntentCondition): Promise<Intent[]> {
  if (!isPostgres(db)) return db.selectFrom('intents').selectAll().where(choice).execute()
  return db.updateTable('intents').set({ owner: RECLAIMED }).where(choice).returningAll().execute()
}
