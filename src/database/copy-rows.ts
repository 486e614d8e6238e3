import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { sql, type Transaction } from 'kysely'
import { MIGRATIONS } from './migrations.ts'
import { unpackText } from './packed-text.ts'
import type { Tables } from './schema.ts'
import { batches, isPostgres } from './statements.ts'

/**
 * Tables to copy, referenced tables first. Not copied: processes, their leases and rate windows,
 * and the id of the object store.
 */
const COPIED_TABLES = [
  'organizations',
  'keys',
  'usage',
  'usage_days',
  'projects',
  'memories',
  'memory_languages',
  'documents',
  'document_tags',
  'stale_chunks',
  'document_texts',
  'signatures',
  'signature_bands',
  'jobs',
  'intents',
  'removals',
  'erasures',
  'idempotency',
  'reembedding_changes',
  'marks',
  'webhooks',
  'webhook_messages',
  'webhook_deliveries',
  'sources',
  'source_items',
] as const satisfies readonly (keyof Tables)[]
/** Batch size, so that a large table is never in memory. */
const ROWS_PER_BATCH = 1000

type Row = Record<string, SQLOutputValue>

/**
 * Reads the id of the first organization in a SQLite file as the id of the installation; `null`
 * before the first start. Read-only.
 */
export function readInstallationId(path: string): string | null {
  return readDatabase(path, (database) => {
    requireSameTables(database)
    const row = database.prepare('select id from organizations order by created_at, id limit 1').get()
    return typeof row?.['id'] === 'string' ? row['id'] : null
  })
}

/**
 * Copies every row of a SQLite file into the empty tables of another database. Returns the number
 * of rows by table. Rejects if a count differs afterwards, or if the file has a different schema
 * version.
 */
export async function copyRows(path: string, transaction: Transaction<Tables>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    requireSameTables(database)
    for (const table of COPIED_TABLES) counts[table] = await copyTable(database, table, transaction)
  } finally {
    database.close()
  }
  return counts
}

async function copyTable(
  database: DatabaseSync,
  table: (typeof COPIED_TABLES)[number],
  transaction: Transaction<Tables>,
): Promise<number> {
  let sent = 0
  let rows: Row[] = []
  const send = async () => {
    for (const slice of batches(rows)) await insertRows(transaction, table, slice)
    sent += rows.length
    rows = []
  }
  for (const row of database.prepare(`select * from ${table}`).iterate() as Iterable<Row>) {
    rows.push(withUnpackedText(row))
    if (rows.length === ROWS_PER_BATCH) await send()
  }
  await send()
  if (table === 'documents' && isPostgres(transaction)) await advanceSequence(transaction)
  const { arrived } = await transaction
    .selectFrom(table)
    .select((select) => select.fn.countAll<number>().as('arrived'))
    .executeTakeFirstOrThrow()
  if (Number(arrived) !== sent) throw new Error(`Only ${arrived} of ${sent} rows of ${table} were copied.`)
  return sent
}

async function insertRows(transaction: Transaction<Tables>, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map((name) => sql.ref(name))
  const values = rows.map((row) => sql`(${sql.join(Object.values(row))})`)
  // Keep the sequence numbers of documents; PostgreSQL would generate new ones.
  const keeping = isPostgres(transaction) ? sql`overriding system value` : sql``
  await sql`insert into ${sql.table(table)} (${sql.join(columns)}) ${keeping} values ${sql.join(values)}`.execute(
    transaction,
  )
}

/** Continues the sequence after the copied documents. */
async function advanceSequence(transaction: Transaction<Tables>): Promise<void> {
  await sql`select setval(pg_get_serial_sequence('documents', 'seq'), max(seq)) from documents`.execute(transaction)
}

/** PostgreSQL stores texts uncompressed. */
function withUnpackedText(row: Row): Row {
  const { content } = row
  return content instanceof Uint8Array ? { ...row, content: unpackText(content) } : row
}

function requireSameTables(database: DatabaseSync): void {
  const applied = database.prepare('select name from migrations order by name').all()
  const names = applied.map(({ name }) => name).join()
  if (names !== MIGRATIONS.map(({ name }) => name).join())
    throw new Error('The data folder has a different schema version; run recollect migrate on it first.')
}

function readDatabase<Value>(path: string, read: (database: DatabaseSync) => Value): Value {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}
