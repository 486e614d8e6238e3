import { sql, type Transaction } from 'kysely'
import { ApiError } from '../errors.ts'
import { firstMigration, type Migration } from './first-migration.ts'
import { extendChecksums } from './row-checksums.ts'
import type { Tables } from './schema.ts'
import { lockDatabase } from './statements.ts'
import type { Dialect, Store } from './store.ts'

/** Adds columns of documents for changes by callers. */
const secondMigration: Migration = {
  name: '0002-changed-documents',
  statements: (dialect) => [
    'alter table documents add column title_given integer not null default 0',
    'alter table documents add column enabled integer not null default 1',
    // Few documents are hidden.
    'create index documents_hidden on documents (memory_id) where enabled = 0',
    ...extendChecksums(dialect, 'documents'),
  ],
}

/** Numbers the changes of documents, so that filters read the changed documents only. */
const thirdMigration: Migration = {
  name: '0003-document-revisions',
  statements: () => [
    'alter table memories add column revision bigint not null default 0',
    'alter table documents add column revision bigint not null default 0',
    'create index documents_by_revision on documents (memory_id, revision, id)',
  ],
}

/** Marks documents with a changed title until their chunks are rewritten. */
const fourthMigration: Migration = {
  name: '0004-stale-chunks',
  statements: () => [
    `create table stale_chunks (
      document_id text not null primary key,
      memory_id text not null,
      created_at text not null)`,
  ],
}

/** Adds the role of a key, and keys of several memories. */
const fifthMigration: Migration = {
  name: '0005-key-roles',
  statements: (dialect) => [
    "alter table keys add column role text not null default 'admin'",
    'alter table keys add column memory_ids text',
    "update keys set role = 'writer' where scope = 'memory'",
    ...extendChecksums(dialect, 'keys'),
  ],
}

/** Sources of documents. A key has up to 500 characters, since it is the external identifier. */
const sixthMigration: Migration = {
  name: '0006-sources',
  statements: () => [
    `create table sources (
      id text not null primary key,
      organization_id text not null references organizations (id),
      memory_id text not null,
      name text not null,
      type text not null,
      settings text not null,
      credentials text,
      fields text not null,
      interval_minutes integer,
      paused integer not null,
      next_run_at text,
      lease_token text,
      lease_expires_at text,
      attempts integer not null,
      current_run text,
      last_run text,
      created_at text not null,
      updated_at text not null)`,
    'create index sources_of_memory on sources (memory_id, id)',
    'create index sources_due on sources (next_run_at) where next_run_at is not null and paused = 0',
    `create table source_items (
      source_id text not null,
      key text not null,
      memory_id text not null,
      document_id text,
      job_id text,
      fingerprint text,
      problem text,
      primary key (source_id, key))`,
    'create index source_items_by_key on source_items (memory_id, key)',
  ],
}

/** Adds the sizes of the chunks of a memory. */
const seventhMigration: Migration = {
  name: '0007-chunk-sizes',
  statements: (dialect) => ['alter table memories add column chunking text', ...extendChecksums(dialect, 'memories')],
}

/** Adds the figures of each day. */
const eighthMigration: Migration = {
  name: '0008-usage-days',
  statements: () => {
    const edges = [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 'over']
    const latencies = ['find', 'ask'].flatMap((kind) => edges.map((edge) => `${kind}_ms_${edge}`))
    const counts = ['asks_declined', 'extractions', 'failed_requests', 'documents_added']
    const counters = [...counts, 'pages_recognized', 'pages_with_text', ...latencies]
    return [
      `create table usage_days (
        organization_id text not null references organizations (id),
        day text not null,
        memory_id text not null,
        key_id text not null,
        ${counters.map((name) => `${name} integer not null default 0,`).join(' ')}
        storage_bytes bigint,
        documents bigint,
        chunks bigint,
        primary key (organization_id, day, memory_id, key_id))`,
      'create index usage_days_by_day on usage_days (day)',
    ]
  },
}

/**
 * All migrations, in order. A released migration never changes, because databases have applied it.
 */
export const MIGRATIONS: readonly Migration[] = [
  ...[firstMigration, secondMigration, thirdMigration, fourthMigration],
  ...[fifthMigration, sixthMigration, seventhMigration, eighthMigration],
]

/** First migration of unreleased versions, before {@link firstMigration}. */
const UNRELEASED_MIGRATION = '0001-first-tables'

/**
 * Applies the missing migrations in one transaction and returns their names. Tests pass other
 * `migrations`. Concurrent calls wait for the lock. Rejects if a newer or an unreleased version
 * created the database, and if a migration fails (naming the migration).
 */
export async function migrate(
  { dialect, runWithoutTimeouts }: Pick<Store, 'dialect' | 'runWithoutTimeouts'>,
  migrations = MIGRATIONS,
): Promise<string[]> {
  return runWithoutTimeouts(async (transaction) => {
    await lockDatabase(transaction)
    const applied = await listApplied(transaction)
    if (applied.has(UNRELEASED_MIGRATION)) throw new Error(explainUnreleased(dialect))
    const missing = migrations.filter(({ name }) => !applied.delete(name))
    if (applied.size > 0) {
      const made = `The database was created by a newer version of Recollect (${[...applied].join(', ')})`
      throw new Error(`${made}; start that version, or restore an older backup.`)
    }
    for (const migration of missing) await applyMigration(transaction, migration, dialect)
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

function explainUnreleased(dialect: Dialect): string {
  const elsewhere =
    dialect === 'sqlite'
      ? 'set RECOLLECT_DATA_DIR to a new folder'
      : 'set RECOLLECT_DATABASE_URL to an empty database and RECOLLECT_DATA_DIR to a new folder'
  const kept = 'start that version and export the memories you want to keep (recollect export)'
  return `The database was created by an unreleased version of Recollect and cannot be migrated; \
${kept}, then ${elsewhere}, start this version and import them (recollect import).`
}

async function applyMigration(transaction: Transaction<Tables>, { name, statements }: Migration, dialect: Dialect) {
  try {
    for (const statement of statements(dialect)) await sql.raw(statement).execute(transaction)
  } catch (error) {
    // Errors outside of the statement, such as a full disk or a deadlock, have a code.
    if (error instanceof ApiError) throw error
    throw new Error(`The migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
  const appliedAt = new Date().toISOString()
  await sql`insert into migrations (name, applied_at) values (${name}, ${appliedAt})`.execute(transaction)
}
