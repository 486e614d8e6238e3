import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { isPostgres } from './locks.ts'
import { CHECKED_COLUMNS } from './migrations/0013-row-checksums.ts'
import { checksumExpression } from './row-checksum.ts'
import type { Tables } from './schema.ts'
import { slices } from './slices.ts'

/** Documents compared in one statement, in some 10 ms. */
const DOCUMENTS_A_STEP = 1000

/** A row that is not as it was written. `memoryId`: that it says it is of, or is. */
export type WrongRow = { table: keyof typeof CHECKED_COLUMNS; id: string; memoryId: string | null }

/** The identifiers of those documents whose rows are not as they were written, among these numbers: looked up by its identifier, one with another would not be found. */
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

function isWrong(db: Kysely<Tables>, table: keyof typeof CHECKED_COLUMNS) {
  return sql<boolean>`checksum is distinct from ${sql.raw(expressionOf(db, table))}`
}

function expressionOf(db: Kysely<Tables>, table: keyof typeof CHECKED_COLUMNS): string {
  return checksumExpression(isPostgres(db) ? 'postgres' : 'sqlite', CHECKED_COLUMNS[table])
}
