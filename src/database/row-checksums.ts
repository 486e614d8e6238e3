/**
 * Every row that callers see has a checksum over what its statements write, so that a byte that
 * changed on the disk is found: a page of the database has none. Left out is what is counted again
 * from other rows, and what every use changes.
 *
 * Triggers write it with the row, so no statement can forget it. A statement that changes a damaged
 * row leaves the checksum as it was: the damage stays to be found. `acceptRow` alone makes such a
 * row count as written so.
 */
import { hash } from 'node:crypto'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './schema.ts'
import { isPostgres, slices } from './statements.ts'
import type { Dialect } from './store.ts'

/** The columns of a row that its checksum is over, by table. */
export const CHECKED_COLUMNS = {
  organizations: ['id', 'name', 'plan', 'created_at'],
  keys: [
    ...['id', 'organization_id', 'name', 'hash', 'preview', 'scope', 'memory_id', 'created_at', 'expires_at'],
    'revoked_at',
  ],
  projects: ['id', 'organization_id', 'name', 'name_key', 'created_at', 'updated_at'],
  memories: [
    ...['id', 'organization_id', 'project_id', 'name', 'description', 'embedding_model', 'file', 'next_file'],
    ...['closed_until', 'created_at', 'updated_at'],
  ],
  documents: [
    ...['seq', 'id', 'organization_id', 'memory_id', 'external_id', 'title', 'filename', 'mime_type', 'source_type'],
    ...['url', 'tags', 'metadata', 'status', 'size_bytes', 'storage_bytes', 'page_count', 'ocr_pages', 'chunk_count'],
    ...['character_count', 'content_hash', 'embedding_model', 'language', 'has_source', 'original_hash', 'job_id'],
    ...['error', 'pages', 'statement', 'topics', 'boost', 'created_by', 'expires_at', 'outranked', 'outranked_at'],
    ...['created_at', 'updated_at'],
  ],
  webhooks: [
    ...['id', 'organization_id', 'url', 'events', 'secret', 'status', 'disabled_reason', 'failures', 'failing_since'],
    'created_at',
  ],
} as const

type CheckedTable = keyof typeof CHECKED_COLUMNS

/** SQLite knows no checksum; every connection that writes has ours by this name. */
const FUNCTION = 'row_checksum'
/** 64 bits are enough against chance, and nothing here is against an attacker. */
const HEX_DIGITS = 16

/** Documents compared in one statement, in some 10 ms. */
const DOCUMENTS_A_STEP = 1000

/** A row that is not as it was written. `memoryId`: that it says it is of, or is. */
export type WrongRow = { table: CheckedTable; id: string; memoryId: string | null }

/** Gives a connection to SQLite the function by which its triggers work. */
export function addRowChecksum(database: DatabaseSync): void {
  const options = { varargs: true, deterministic: true, useBigIntArguments: true }
  database.function(FUNCTION, options, (...values) => checksumOf(values))
}

/** What {@link checksumExpression} is on PostgreSQL, of the same values: a row that is copied from one to the other keeps its checksum. */
export function checksumOf(values: readonly SQLOutputValue[]): string {
  const text = values.map((value) => {
    if (value === null) return '-'
    if (typeof value === 'number') return `=${textOfNumber(value)}`
    return value instanceof Uint8Array ? `#${Buffer.from(value).toString('hex')}` : `=${value}`
  })
  return hash('sha256', text.join('\x1f')).slice(0, HEX_DIGITS)
}

/** As PostgreSQL writes a `double precision`: the shortest digits, with an exponent of two digits or more below 1e-4 and from 1e15 on. */
function textOfNumber(value: number): string {
  const size = Math.abs(value)
  if (value === 0 || !Number.isFinite(value) || (size >= 1e-4 && size < 1e15)) return String(value)
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
}

/** SQL for the checksum of these columns of a row, which `prefix` names: `new.`, or nothing. */
function checksumExpression(dialect: Dialect, columns: readonly string[], prefix = ''): string {
  const names = columns.map((column) => prefix + column)
  if (dialect === 'sqlite') return `${FUNCTION}(${names.join(', ')})`
  const values = names.map((name) => `coalesce('=' || ${name}, '-')`)
  return `left(encode(sha256(convert_to(concat_ws(chr(31), ${values.join(', ')}), 'UTF8')), 'hex'), ${HEX_DIGITS})`
}

/** Statements that make the triggers of a table of {@link CHECKED_COLUMNS}. */
export function checksumTriggers(dialect: Dialect, table: string): string[] {
  const columns = CHECKED_COLUMNS[table as CheckedTable]
  return dialect === 'sqlite' ? sqliteTriggers(table, columns) : postgresTriggers(table, columns)
}

/** The row is written twice, in the same page of the same commit. */
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
 * The identifiers of those documents, among these numbers, whose rows are not as they were written.
 * Numbers, since a document whose identifier changed is not found by it.
 */
export async function listWrongDocuments(db: Kysely<Tables>, numbers: readonly number[]): Promise<Set<string>> {
  const wrong = new Set<string>()
  for (const slice of slices(numbers)) {
    const chosen = db.selectFrom('documents').select('id').where('seq', 'in', slice)
    for (const { id } of await chosen.where(isWrong(db, 'documents')).execute()) wrong.add(id)
    await nextTurn()
  }
  return wrong
}

/** Whether the row of a memory is not as it was written. */
export async function isMemoryWrong(db: Kysely<Tables>, memoryId: string): Promise<boolean> {
  const found = await db
    .selectFrom('memories')
    .select(isWrong(db, 'memories').as('is_wrong'))
    .where('id', '=', memoryId)
    .executeTakeFirst()
  return Boolean(found?.is_wrong)
}

/** All rows that are not as they were written. */
export async function* listWrongRows(db: Kysely<Tables>): AsyncGenerator<WrongRow> {
  for (const table of ['organizations', 'keys', 'projects', 'memories', 'webhooks'] as const) {
    const rows = await db.selectFrom(table).select('id').where(isWrong(db, table)).execute()
    for (const { id } of rows) yield { table, id, memoryId: table === 'memories' ? id : null }
  }
  let after = -1
  for (;;) {
    const rows = await db
      .selectFrom('documents')
      .select(['seq', 'id', 'memory_id', isWrong(db, 'documents').as('is_wrong')])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(DOCUMENTS_A_STEP)
      .execute()
    for (const { id, memory_id, is_wrong } of rows) if (is_wrong) yield { table: 'documents', id, memoryId: memory_id }
    if (rows.length < DOCUMENTS_A_STEP) return
    after = Number(rows.at(-1)?.seq)
  }
}

/** Takes a row as it is: gives it the checksum of what it says. */
export async function acceptRow(db: Kysely<Tables>, { table, id }: Pick<WrongRow, 'table' | 'id'>): Promise<void> {
  await sql`update ${sql.table(table)} set checksum = ${sql.raw(expressionOf(db, table))} where id = ${id}`.execute(db)
}

function isWrong(db: Kysely<Tables>, table: CheckedTable) {
  return sql<boolean>`checksum is distinct from ${sql.raw(expressionOf(db, table))}`
}

function expressionOf(db: Kysely<Tables>, table: CheckedTable): string {
  return checksumExpression(isPostgres(db) ? 'postgres' : 'sqlite', CHECKED_COLUMNS[table])
}
