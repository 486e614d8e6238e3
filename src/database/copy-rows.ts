import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { sql, type Transaction } from 'kysely'
import { MIGRATIONS } from './migrations.ts'
import { unpackText } from './packed-text.ts'
import type { Tables } from './schema.ts'
import { isPostgres, slices } from './statements.ts'

/** What is kept, each table behind those that it refers to. Not kept: processes, their leases and windows, and whose objects lie in a bucket. */
const COPIED = [
  'organizations',
  'keys',
  'usage',
  'projects',
  'memories',
  'memory_languages',
  'documents',
  'document_tags',
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
] as const satisfies readonly (keyof Tables)[]
/** Rows read at a time, so that a table of millions is never in memory. */
const ROWS_A_STEP = 1000

type Row = Record<string, SQLOutputValue>

/** The identifier of the installation in a SQLite file: its first organization's; `null` where nothing was ever started on it. Changes nothing. */
export function readInstallation(path: string): string | null {
  return reading(path, (database) => {
    requireSameTables(database)
    const row = database.prepare('select id from organizations order by created_at, id limit 1').get()
    return typeof row?.['id'] === 'string' ? row['id'] : null
  })
}

/**
 * Copies every row of a SQLite file, which is only read, into the empty tables of another database; gives the number of rows by table. Rejects when
 * another number arrived, and when the file is of another version.
 */
export async function copyRows(path: string, transaction: Transaction<Tables>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    requireSameTables(database)
    for (const table of COPIED) counts[table] = await copyTable(database, table, transaction)
  } finally {
    database.close()
  }
  return counts
}

async function copyTable(
  database: DatabaseSync,
  table: (typeof COPIED)[number],
  transaction: Transaction<Tables>,
): Promise<number> {
  let sent = 0
  let rows: Row[] = []
  const send = async () => {
    for (const slice of slices(rows)) await insert(transaction, table, slice)
    sent += rows.length
    rows = []
  }
  for (const row of database.prepare(`select * from ${table}`).iterate() as Iterable<Row>) {
    rows.push(unpacked(row))
    if (rows.length === ROWS_A_STEP) await send()
  }
  await send()
  if (table === 'documents' && isPostgres(transaction)) await goOnBehind(transaction)
  const { arrived } = await transaction
    .selectFrom(table)
    .select((select) => select.fn.countAll<number>().as('arrived'))
    .executeTakeFirstOrThrow()
  if (Number(arrived) !== sent) throw new Error(`Of ${sent} rows of ${table}, ${arrived} arrived.`)
  return sent
}

async function insert(transaction: Transaction<Tables>, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map((name) => sql.ref(name))
  const values = rows.map((row) => sql`(${sql.join(Object.values(row))})`)
  // Documents keep their numbers in the order of arrival, which PostgreSQL would give anew.
  const keeping = isPostgres(transaction) ? sql`overriding system value` : sql``
  await sql`insert into ${sql.table(table)} (${sql.join(columns)}) ${keeping} values ${sql.join(values)}`.execute(
    transaction,
  )
}

/** Has the next document numbered behind those that were copied. */
async function goOnBehind(transaction: Transaction<Tables>): Promise<void> {
  await sql`select setval(pg_get_serial_sequence('documents', 'seq'), max(seq)) from documents`.execute(transaction)
}

/** PostgreSQL takes texts as they are. */
function unpacked(row: Row): Row {
  const { content } = row
  return content instanceof Uint8Array ? { ...row, content: unpackText(content) } : row
}

function requireSameTables(database: DatabaseSync): void {
  const applied = database.prepare('select name from migrations order by name').all()
  const names = applied.map(({ name }) => name).join()
  if (names !== MIGRATIONS.map(({ name }) => name).join())
    throw new Error('The data folder is of another version; run recollect migrate on it first.')
}

function reading<Value>(path: string, read: (database: DatabaseSync) => Value): Value {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}
