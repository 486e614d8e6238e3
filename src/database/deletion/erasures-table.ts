/**
 * Purges of memory files: deleted chunks stay in a file until compaction, and in its old versions
 * until those are purged.
 */
import type { ExpressionBuilder, Kysely } from 'kysely'
import type { PurgeTask, Tables } from '../schema.ts'

/** `version` before compaction. */
const NOT_COMPACTED = 0

/**
 * Records that chunks were deleted from a memory's file; `deletedAt` is the time of the first
 * deletion.
 */
export async function enqueuePurge(
  db: Kysely<Tables>,
  { memoryId, deletedAt, now }: { memoryId: string; deletedAt: string; now: Date },
): Promise<void> {
  const last_at = now.toISOString()
  await db
    .insertInto('erasures')
    .values({ memory_id: memoryId, version: NOT_COMPACTED, first_at: deletedAt, last_at, erased_at: null })
    .onConflict((known) => known.columns(['memory_id', 'version']).doUpdateSet({ last_at }))
    .execute()
}

/** Lists up to `limit` purges, oldest deletions first. */
export async function listPurgeTasks(db: Kysely<Tables>, limit: number): Promise<PurgeTask[]> {
  const rows = await db
    .selectFrom('erasures')
    .selectAll()
    .orderBy('first_at')
    .orderBy('memory_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, version: Number(row.version) }))
}

/** True if the file still has to be compacted. */
export function needsCompaction({ version }: Pick<PurgeTask, 'version'>): boolean {
  return version === NOT_COMPACTED
}

/**
 * Records the compaction of a file, starting with `version`. Chunks deleted after `begunAt` may
 * remain in the file, so their purge stays pending.
 */
export async function recordCompaction(
  db: Kysely<Tables>,
  task: PurgeTask,
  { version, begunAt, now }: { version: number; begunAt: Date; now: Date },
): Promise<void> {
  const last_at = now.toISOString()
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('erasures')
      .values({ memory_id: task.memory_id, version, first_at: task.first_at, last_at, erased_at: null })
      .onConflict((known) => known.columns(['memory_id', 'version']).doUpdateSet({ last_at, erased_at: null }))
      .execute()
    const { numDeletedRows } = await transaction
      .deleteFrom('erasures')
      .where(isPurgeTask(task))
      .where('last_at', '=', task.last_at)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) return
    const first_at = begunAt.toISOString()
    await transaction.updateTable('erasures').set({ first_at }).where(isPurgeTask(task)).execute()
  })
}

/** Records that the old versions were purged. */
export async function recordPurge(db: Kysely<Tables>, erasure: PurgeTask, now: Date): Promise<void> {
  await db.updateTable('erasures').set({ erased_at: now.toISOString() }).where(isPurgeTask(erasure)).execute()
}

/** Deletes a completed purge. */
export async function deletePurgeTask(db: Kysely<Tables>, erasure: PurgeTask): Promise<void> {
  await db.deleteFrom('erasures').where(isPurgeTask(erasure)).execute()
}

/** Lists memories with recently purged files, and deleted memories. */
export async function listPurgedMemories(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .selectFrom('erasures')
    .select('memory_id')
    .where('erased_at', 'is not', null)
    .union(db.selectFrom('removals').select('memory_id').where('kind', '=', 'memory'))
    .execute()
  return rows.map(({ memory_id }) => memory_id)
}

function isPurgeTask({ memory_id, version }: Pick<PurgeTask, 'memory_id' | 'version'>) {
  return (where: ExpressionBuilder<Tables, 'erasures'>) =>
    where.and([where('memory_id', '=', memory_id), where('version', '=', version)])
}
