/**
 * What is being written bears an intent, by the name of the process that writes. Whoever removes what an add left takes the
 * intents first, and an add commits only with its own: so of the two, on however many machines, exactly one comes through.
 */
import type { ExpressionBuilder, Kysely } from 'kysely'
import { liveNodes } from '../process-tables.ts'
import type { Intent, Tables } from '../schema.ts'
import { isPostgres, slices } from '../statements.ts'

/** Owner of intents that were taken from the one who opened them. */
const TAKEN = ''

/** Documents that a process writes. */
export type OwnedDocuments = { documentIds: readonly string[]; owner: string }

/** Notes that these documents are being written; to be called, and durable, before anything of them is. */
export async function openIntents(
  db: Kysely<Tables>,
  { memoryId, documentIds, owner, at }: OwnedDocuments & { memoryId: string; at: string },
): Promise<void> {
  const rows = documentIds.map((id) => ({ document_id: id, memory_id: memoryId, owner, created_at: at }))
  for (const slice of slices(rows)) await db.insertInto('intents').values(slice).execute()
}

/** Takes the intents of these documents back, which show now; `false` when some were taken: the transaction must not commit then. */
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
 * Takes the intents of an add of this process that failed, as far as they are there: whether a commit came through that was
 * not answered is known then. Returns the documents of which everything may be removed.
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

/** Which adds are over: those of processes silent since `seenSince`, and all begun before `begunBefore`. */
export type Staleness = { seenSince: string; begunBefore: Date; limit: number }

/** Takes at most `limit` intents whose adds are over, the oldest first. */
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

/** Forgets intents that were taken, when nothing is left of their documents. */
export async function forgetIntents(db: Kysely<Tables>, documentIds: readonly string[]): Promise<void> {
  for (const slice of slices(documentIds)) await db.deleteFrom('intents').where('document_id', 'in', slice).execute()
}

type Choice = (intents: ExpressionBuilder<Tables, 'intents'>) => ReturnType<ExpressionBuilder<Tables, 'intents'>['and']>

/** SQLite has one process, which knows what became of its commits; and on a full disk it could write nothing to clear up. */
function take(db: Kysely<Tables>, choice: Choice): Promise<Intent[]> {
  if (!isPostgres(db)) return db.selectFrom('intents').selectAll().where(choice).execute()
  return db.updateTable('intents').set({ owner: TAKEN }).where(choice).returningAll().execute()
}
