/**
 * Every user-visible row has a checksum over its columns, to detect bytes that changed on disk:
 * database pages have none. Derived counters and frequently updated columns are excluded. Triggers
 * write the checksum with the row, so no statement can forget it. Updating a damaged row keeps its
 * old checksum, so the damage stays detectable. Only `acceptRow` accepts a damaged row.
 */
import { hash } from 'node:crypto'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './schema.ts'
import { batches, isPostgres } from './statements.ts'
import type { Dialect } from './store.ts'

/** Columns that a migration after the first one adds, by table. */
const ADDED_COLUMNS = {
  documents: ['title_given', 'enabled'],
  keys: ['role', 'memory_ids'],
  memories: ['chunking'],
} as const

/** Columns covered by the checksum, by table. */
export const CHECKED_COLUMNS = {
  organizations: ['id', 'name', 'plan', 'created_at'],
  keys: [
    ...['id', 'organization_id', 'name', 'hash', 'preview', 'scope', 'memory_id', 'created_at', 'expires_at'],
    ...['revoked_at', ...ADDED_COLUMNS.keys],
  ],
  projects: ['id', 'organization_id', 'name', 'name_key', 'created_at', 'updated_at'],
  memories: [
    ...['id', 'organization_id', 'project_id', 'name', 'description', 'embedding_model', 'file', 'next_file'],
    ...['closed_until', 'created_at', 'updated_at', ...ADDED_COLUMNS.memories],
  ],
  documents: [
    ...['seq', 'id', 'organization_id', 'memory_id', 'external_id', 'title', 'filename', 'mime_type', 'source_type'],
    ...['url', 'tags', 'metadata', 'status', 'size_bytes', 'storage_bytes', 'page_count', 'ocr_pages', 'chunk_count'],
    ...['character_count', 'content_hash', 'embedding_model', 'language', 'has_source', 'original_hash', 'job_id'],
    ...['error', 'pages', 'statement', 'topics', 'boost', 'created_by', 'expires_at', 'outranked', 'outranked_at'],
    ...['created_at', 'updated_at', ...ADDED_COLUMNS.documents],
  ],
  webhooks: [
    ...['id', 'organization_id', 'url', 'events', 'secret', 'status', 'disabled_reason', 'failures', 'failing_since'],
    'created_at',
  ],
} as const

type CheckedTable = keyof typeof CHECKED_COLUMNS

/** SQLite has no checksum function; every writing connection registers this one. */
const SQLITE_FUNCTION = 'row_checksum'
/** 64 bits protect against accidental changes, not against an attacker. */
const HEX_DIGITS = 16

/** Documents per statement, about 10 ms. */
const DOCUMENTS_PER_STATEMENT = 1000

/** A row with a wrong checksum; `memoryId` is the memory in the row. */
export type WrongRow = { table: CheckedTable; id: string; memoryId: string | null }

/** Registers the checksum function that the triggers of SQLite call. */
export function addRowChecksum(database: DatabaseSync): void {
  const options = { varargs: true, deterministic: true, useBigIntArguments: true }
  database.function(SQLITE_FUNCTION, options, (...values) => checksumOf(values))
}

/**
 * Computes the same checksum as {@link checksumExpression} on PostgreSQL, so that copied rows keep
 * their checksums.
 */
export function checksumOf(values: readonly SQLOutputValue[]): string {
  const text = values.map((value) => {
    if (value === null) return '-'
    if (typeof value === 'number') return `=${formatDouble(value)}`
    return value instanceof Uint8Array ? `#${Buffer.from(value).toString('hex')}` : `=${value}`
  })
  return hash('sha256', text.join('\x1f')).slice(0, HEX_DIGITS)
}

/**
 * Formats a number as PostgreSQL formats `double precision`: shortest digits, and an exponent of at
 * least two digits below 1e-4 and from 1e15.
 */
function formatDouble(value: number): string {
  const size = Math.abs(value)
  if (value === 0 || !Number.isFinite(value) || (size >= 1e-4 && size < 1e15)) return String(value)
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
}

/** SQL expression for the checksum of columns; `prefix` is `new.`, `old.` or empty. */
function checksumExpression(dialect: Dialect, columns: readonly string[], prefix = ''): string {
  const names = columns.map((column) => prefix + column)
  if (dialect === 'sqlite') return `${SQLITE_FUNCTION}(${names.join(', ')})`
  const values = names.map((name) => `coalesce('=' || ${name}, '-')`)
  return `left(encode(sha256(convert_to(concat_ws(chr(31), ${values.join(', ')}), 'UTF8')), 'hex'), ${HEX_DIGITS})`
}

/** DDL of the triggers of a table in {@link CHECKED_COLUMNS}, as the first migration creates it. */
export function checksumTriggers(dialect: Dialect, table: string): string[] {
  return triggersOf(dialect, table, firstColumns(table))
}

function firstColumns(table: string): readonly string[] {
  const added: Readonly<Record<string, readonly string[]>> = ADDED_COLUMNS
  const columns: readonly string[] = CHECKED_COLUMNS[table as CheckedTable]
  return columns.filter((column) => added[table]?.includes(column) !== true)
}

function triggersOf(dialect: Dialect, table: string, columns: readonly string[]): string[] {
  return dialect === 'sqlite' ? sqliteTriggers(table, columns) : postgresTriggers(table, columns)
}

/** DDL that extends the checksums of a table to the added columns. A damaged row stays damaged. */
export function extendChecksums(dialect: Dialect, table: keyof typeof ADDED_COLUMNS): string[] {
  const drop =
    dialect === 'sqlite'
      ? [`drop trigger ${table}_inserted`, `drop trigger ${table}_updated`]
      : [`drop trigger ${table}_written on ${table}`, `drop function ${table}_checksum()`]
  const columns = CHECKED_COLUMNS[table]
  const [before, after] = [firstColumns(table), columns].map((own) => checksumExpression(dialect, own))
  const renew = `update ${table} set checksum = ${after} where checksum = ${before}`
  return [...drop, renew, ...triggersOf(dialect, table, columns)]
}

/** Writes the row twice, in the same page of the same commit. */
function sqliteTriggers(table: string, columns: readonly string[]): string[] {
  const write = `begin
    update ${table} set checksum = ${checksumExpression('sqlite', columns, 'new.')} where rowid = new.rowid;
  end`
  return [
    `create trigger ${table}_inserted after insert on ${table} when new.checksum is null ${write}`,
    `create trigger ${table}_updated after update of ${columns.join(', ')} on ${table}
      when old.checksum = ${checksumExpression('sqlite', columns, 'old.')} ${write}`,
  ]
}

function postgresTriggers(table: string, columns: readonly string[]): string[] {
  const of = (prefix: string) => checksumExpression('postgres', columns, prefix)
  return [
    `create function ${table}_checksum() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          new.checksum := coalesce(new.checksum, ${of('new.')});
        elsif old.checksum = ${of('old.')} then
          new.checksum := ${of('new.')};
        end if;
        return new;
      end $$`,
    `create trigger ${table}_written before insert or update on ${table}
      for each row execute function ${table}_checksum()`,
  ]
}

/**
 * Returns the ids of documents with a wrong checksum, by sequence number, because a damaged id
 * cannot be found.
 */
export async function listWrongDocuments(db: Kysely<Tables>, numbers: readonly number[]): Promise<Set<string>> {
  const wrong = new Set<string>()
  for (const slice of batches(numbers)) {
    const chosen = db.selectFrom('documents').select('id').where('seq', 'in', slice)
    for (const { id } of await chosen.where(hasWrongChecksum(db, 'documents')).execute()) wrong.add(id)
    await nextTurn()
  }
  return wrong
}

/** True if the row of a memory has a wrong checksum. */
export async function isMemoryRowWrong(db: Kysely<Tables>, memoryId: string): Promise<boolean> {
  const found = await db
    .selectFrom('memories')
    .select(hasWrongChecksum(db, 'memories').as('is_wrong'))
    .where('id', '=', memoryId)
    .executeTakeFirst()
  return Boolean(found?.is_wrong)
}

/** Lists all rows with a wrong checksum. */
export async function* listWrongRows(db: Kysely<Tables>): AsyncGenerator<WrongRow> {
  for (const table of ['organizations', 'keys', 'projects', 'memories', 'webhooks'] as const) {
    const rows = await db.selectFrom(table).select('id').where(hasWrongChecksum(db, table)).execute()
    for (const { id } of rows) yield { table, id, memoryId: table === 'memories' ? id : null }
  }
  let after = -1
  for (;;) {
    const rows = await db
      .selectFrom('documents')
      .select(['seq', 'id', 'memory_id', hasWrongChecksum(db, 'documents').as('is_wrong')])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(DOCUMENTS_PER_STATEMENT)
      .execute()
    for (const { id, memory_id, is_wrong } of rows) if (is_wrong) yield { table: 'documents', id, memoryId: memory_id }
    if (rows.length < DOCUMENTS_PER_STATEMENT) return
    after = Number(rows.at(-1)?.seq)
  }
}

/** Accepts the current content of a row by updating its checksum. */
export async function acceptRow(db: Kysely<Tables>, { table, id }: Pick<WrongRow, 'table' | 'id'>): Promise<void> {
  const expression = sql.raw(checksumExpressionOf(db, table))
  await sql`update ${sql.table(table)} set checksum = ${expression} where id = ${id}`.execute(db)
}

function hasWrongChecksum(db: Kysely<Tables>, table: CheckedTable) {
  return sql<boolean>`checksum is distinct from ${sql.raw(checksumExpressionOf(db, table))}`
}

function checksumExpressionOf(db: Kysely<Tables>, table: CheckedTable): string {
  return checksumExpression(isPostgres(db) ? 'postgres' : 'sqlite', CHECKED_COLUMNS[table])
}
