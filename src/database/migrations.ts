import { sql, type Transaction } from 'kysely'
import { lockDatabase } from './locks.ts'
import { firstTables } from './migrations/0001-first-tables.ts'
import { nodes } from './migrations/0002-nodes.ts'
import { erasures } from './migrations/0004-erasures.ts'
import { webhooks } from './migrations/0005-webhooks.ts'
import { corrections } from './migrations/0006-corrections.ts'
import { reembedding } from './migrations/0007-reembedding.ts'
import { outranked } from './migrations/0008-outranked.ts'
import { originalHashes } from './migrations/0009-original-hashes.ts'
import { packedBands } from './migrations/0010-packed-bands.ts'
import { looseTags } from './migrations/0011-loose-tags.ts'
import { jobRuns } from './migrations/0012-job-runs.ts'
import { rowChecksums } from './migrations/0013-row-checksums.ts'
import { marks } from './migrations/0014-marks.ts'
import type { Dialect, Migration } from './migrations/migration.ts'
import type { Tables } from './schema.ts'
import type { Store } from './store.ts'

/** All steps, in order. What was released is never changed, for databases have taken it; a test holds their hashes. */
export const MIGRATIONS: readonly Migration[] = [
  firstTables,
  nodes,
  erasures,
  webhooks,
  corrections,
  reembedding,
  outranked,
  originalHashes,
  packedBands,
  looseTags,
  jobRuns,
  rowChecksums,
  marks,
]

/**
 * Brings the tables of the database up to this version, all steps or none; gives the steps taken, none when they are.
 * `migrations` are the steps of an earlier version, in tests.
 * Several processes may call it at once: the others wait for the one that takes the steps, however long it takes. Rejects when the
 * database was made by a newer version, and where the disk has no room for what they write anew.
 */
export async function migrate(
  { dialect, runLong, requireRoomToRewrite }: Pick<Store, 'dialect' | 'runLong' | 'requireRoomToRewrite'>,
  migrations = MIGRATIONS,
): Promise<string[]> {
  return runLong(async (transaction) => {
    await lockDatabase(transaction)
    const applied = await listApplied(transaction)
    const missing = migrations.filter(({ name }) => !applied.delete(name))
    const rewritten = new Set(missing.flatMap(({ rewrites = [] }) => rewrites))
    if (rewritten.size > 0) await requireRoomToRewrite(transaction, [...rewritten])
    for (const migration of missing) await apply(transaction, migration, dialect)
    if (applied.size > 0) {
      const made = `The database was made by a newer version of Recollect (${[...applied].join(', ')})`
      throw new Error(`${made}; start that version, or restore a backup of before.`)
    }
    return missing.map(({ name }) => name)
  })
}

async function listApplied(transaction: Transaction<Tables>): Promise<Set<string>> {
  await sql`create table if not exists migrations (name text not null primary key, applied_at text not null)`.execute(
    transaction,
  )
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(transaction)
  return new Set(rows.map(({ name }) => name))
}

async function apply(transaction: Transaction<Tables>, migration: Migration, dialect: Dialect): Promise<void> {
  for (const statement of migration.statements(dialect)) await sql.raw(statement).execute(transaction)
  await sql`insert into migrations (name, applied_at) values (${migration.name}, ${new Date().toISOString()})`.execute(
    transaction,
  )
}
