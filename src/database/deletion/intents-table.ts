/**
 * Intents protect data during an add. Cleanup of a failed add reclaims the intents first, and an
 * add commits only with its own intents. So exactly one of the two succeeds, on any number of
 * machines.
 */
import type { ExpressionBuilder, Kysely } from 'kysely'
import { liveNodes } from '../process-tables.ts'
import type { Intent, Tables } from '../schema.ts'
import { isPostgres, slices } from '../statements.ts'

/** Owner of reclaimed intents. */
const TAKEN = ''

/** Documents written by a process. */
export type OwnedDocuments = { documentIds: readonly string[]; owner: string }

/** Inserts intents; must be durable before any data of the documents is written. */
export async function openIntents(
  db: Kysely<Tables>,
  { memoryId, documentIds, owner, at }: OwnedDocuments & { memoryId: string; at: string },
): Promise<void> {
  const rows = documentIds.map((id) => ({ document_id: id, memory_id: memoryId, owner, created_at: at }))
  for (const slice of slices(rows)) await db.insertInto('intents').values(slice).execute()
}

/**
 * Deletes the intents of documents being published; `false` if some were reclaimed, and then the
 * transaction must not commit.
 */
export async function closeIntents(db: Kysely<Tables>, { documentIds, owner }: OwnedDocuments): Promise<boolean> {
  let closed = 0n
  for (const slice of slices(documentIds)) {
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
export async function takeIntents(db: Kysely<Tables>, { documentIds, owner }: OwnedDocuments): Promise<string[]> {
  const taken: string[] = []
  for (const slice of slices(documentIds)) {
    const rows = await take(db, (intents) =>
      intents.and([intents('document_id', 'in', slice), intents('owner', 'in', [owner, TAKEN])]),
    )
    taken.push(...rows.map((row) => row.document_id))
  }
  return taken
}

/**
 * Criteria of abandoned adds: the process has no heartbeat since `seenSince`, or the add began
 * before `begunBefore`.
 */
export type Staleness = { seenSince: string; begunBefore: Date; limit: number }

/** Reclaims up to `limit` intents of abandoned adds, oldest first. */
export function takeStaleIntents(db: Kysely<Tables>, { seenSince, begunBefore, limit }: Staleness): Promise<Intent[]> {
  return take(db, (intents) =>
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
export async function forgetIntents(db: Kysely<Tables>, documentIds: readonly string[]): Promise<void> {
  for (const slice of slices(documentIds)) await db.deleteFrom('intents').where('document_id', 'in', slice).execute()
}

type Choice = (intents: ExpressionBuilder<Tables, 'intents'>) => ReturnType<ExpressionBuilder<Tables, 'intents'>['and']>

/**
 * SQLite has a single process, which knows the result of its commits; and on a full disk an update
 * could not be written.
 */
function take(db: Kysely<Tables>, choice: Choice): Promise<Intent[]> {
  if (!isPostgres(db)) return db.selectFrom('intents').selectAll().where(choice).execute()
  return db.updateTable('intents').set({ owner: TAKEN }).where(choice).returningAll().execute()
}
