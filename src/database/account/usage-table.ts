/**
 * Table `usage_days`: a row per UTC day, memory and key. Processes add increments, so that several
 * nodes add up. Every writer holds one lock until its commit on PostgreSQL. So no increment for a
 * deleted memory can follow the deletion, and no two writers wait for each other's rows.
 */
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'
import { isPostgres, runUnsynced } from '../statements.ts'
import { LATENCY_COLUMNS, USAGE_COUNTERS, USAGE_SIZES, type UsageCounter, type UsageRowKey } from './usage-columns.ts'

/** Arbitrary, but unique within the PostgreSQL database. */
const USAGE_LOCK = 0x75736167

const ROW_KEY = ['organization_id', 'day', 'memory_id', 'key_id'] as const
const FIGURES = [...USAGE_COUNTERS, ...USAGE_SIZES]

/** Counts to add to a row. */
export type UsageIncrement = UsageRowKey & { counts: Partial<Record<UsageCounter, number>> }

async function lockUsage(db: Kysely<Tables>): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${USAGE_LOCK})`.execute(db)
}

/**
 * Adds counts, at most a statement's rows. Counts of memories and keys that do not exist (any more)
 * in the organization go to its row without them. Does not wait for the disk.
 */
export async function addUsage(db: Kysely<Tables>, increments: readonly UsageIncrement[]): Promise<void> {
  await runUnsynced(db, async (connection) => {
    await lockUsage(connection)
    const rows = mergeIncrements(await withoutDeleted(connection, increments))
    await connection
      .insertInto('usage_days')
      .values(rows.map(({ counts, ...key }) => ({ ...key, ...NO_COUNTS, ...counts })))
      .onConflict((conflict) => conflict.columns(ROW_KEY).doUpdateSet(addTo(USAGE_COUNTERS)))
      .execute()
  })
}

const NO_COUNTS = Object.fromEntries(USAGE_COUNTERS.map((column) => [column, 0])) as Record<UsageCounter, number>

/** Adds the columns of the new row to those of the stored one; `null` adds nothing. */
function addTo(columns: readonly (typeof FIGURES)[number][]) {
  const sums = columns.map((column) => {
    const [stored, added] = [sql.ref(`usage_days.${column}`), sql.ref(`excluded.${column}`)]
    return [column, sql`coalesce(${stored} + ${added}, ${stored}, ${added})`]
  })
  return Object.fromEntries(sums) as Record<string, never>
}

async function withoutDeleted(
  db: Kysely<Tables>,
  increments: readonly UsageIncrement[],
): Promise<readonly UsageIncrement[]> {
  const memoryIds = increments.map(({ memory_id }) => memory_id)
  const memories = await db.selectFrom('memories').select(OWNED).where('id', 'in', memoryIds).execute()
  const keyIds = increments.map(({ key_id }) => key_id)
  const valid = db.selectFrom('keys').select(OWNED).where('id', 'in', keyIds).where('revoked_at', 'is', null)
  const known = new Set([...memories, ...(await valid.execute())].map(toOwned))
  const keep = (organizationId: string, id: string) =>
    known.has(toOwned({ organization_id: organizationId, id })) ? id : ''
  return increments.map(({ organization_id, memory_id, key_id, ...rest }) => ({
    ...rest,
    organization_id,
    memory_id: keep(organization_id, memory_id),
    key_id: keep(organization_id, key_id),
  }))
}

const OWNED = ['organization_id', 'id'] as const

function toOwned({ organization_id, id }: { organization_id: string; id: string }): string {
  return `${organization_id} ${id}`
}

/** Adds increments of the same row together, since a statement may change a row only once. */
function mergeIncrements(increments: readonly UsageIncrement[]): UsageIncrement[] {
  const merged = new Map<string, UsageIncrement>()
  for (const { counts, ...key } of increments) {
    const name = ROW_KEY.map((column) => key[column]).join(' ')
    const row = merged.get(name) ?? { ...key, counts: {} }
    for (const [column, count] of Object.entries(counts) as [UsageCounter, number][])
      row.counts[column] = (row.counts[column] ?? 0) + count
    merged.set(name, row)
  }
  return [...merged.values()]
}

/** Records the changed sizes of the memories today, and deletes the days before `keptFrom`. */
export async function measureMemories(
  db: Kysely<Tables>,
  { today, keptFrom }: { today: string; keptFrom: string },
): Promise<void> {
  await runUnsynced(db, async (connection) => {
    await lockUsage(connection)
    const day = sql<string>`cast(${today} as text)`
    const changed = connection
      .selectFrom('memories')
      .leftJoin('usage_days', (join) =>
        join
          .onRef('usage_days.organization_id', '=', 'memories.organization_id')
          .on('usage_days.day', '=', today)
          .onRef('usage_days.memory_id', '=', 'memories.id')
          .on('usage_days.key_id', '=', ''),
      )
      .select(['memories.organization_id', day.as('day'), 'memories.id', sql<string>`''`.as('key_id')])
      .select(['memories.storage_bytes', 'memories.document_count', 'memories.chunk_count'])
      .where((where) =>
        where.or([
          where('usage_days.storage_bytes', 'is', null),
          where('usage_days.storage_bytes', '!=', where.ref('memories.storage_bytes')),
          where('usage_days.documents', '!=', where.ref('memories.document_count')),
          where('usage_days.chunks', '!=', where.ref('memories.chunk_count')),
        ]),
      )
    const sizes = Object.fromEntries(USAGE_SIZES.map((size) => [size, sql.ref(`excluded.${size}`)]))
    await connection
      .insertInto('usage_days')
      .columns([...ROW_KEY, ...USAGE_SIZES])
      .expression(changed)
      .onConflict((conflict) => conflict.columns(ROW_KEY).doUpdateSet(sizes as Record<string, never>))
      .execute()
    await connection.deleteFrom('usage_days').where('day', '<', keptFrom).execute()
  })
}

/** A deleted memory or a revoked key. */
type DeletedOwner = { organizationId: string; id: string }

/**
 * Moves the figures of a deleted memory to the rows without one, except the sizes of today. Part of
 * the transaction that deletes, after the deletion.
 */
export async function anonymizeMemoryUsage(
  transaction: Transaction<Tables>,
  memory: DeletedOwner,
  today: string,
): Promise<void> {
  await lockUsage(transaction)
  await transaction
    .updateTable('usage_days')
    .set({ storage_bytes: null, documents: null, chunks: null })
    .where('organization_id', '=', memory.organizationId)
    .where('memory_id', '=', memory.id)
    .where('day', '>=', today)
    .execute()
  await moveFigures(transaction, memory, 'memory_id')
}

/** Moves the figures of a revoked key to the rows without one, after the revocation. */
export async function anonymizeKeyUsage(transaction: Transaction<Tables>, key: DeletedOwner): Promise<void> {
  await lockUsage(transaction)
  await moveFigures(transaction, key, 'key_id')
}

async function moveFigures(
  transaction: Transaction<Tables>,
  { organizationId, id }: DeletedOwner,
  column: UsageGrouping,
): Promise<void> {
  const other = column === 'memory_id' ? 'key_id' : 'memory_id'
  const own = transaction
    .selectFrom('usage_days')
    .select(['organization_id', 'day', sql<string>`''`.as('owner'), other])
    .select((select) => FIGURES.map((figure) => sumOf(select, figure).as(figure)))
    .where('organization_id', '=', organizationId)
    .where(column, '=', id)
    .groupBy(['organization_id', 'day', other])
  await transaction
    .insertInto('usage_days')
    .columns(['organization_id', 'day', column, other, ...FIGURES])
    .expression(own)
    .onConflict((conflict) => conflict.columns(ROW_KEY).doUpdateSet(addTo(FIGURES)))
    .execute()
  await transaction
    .deleteFrom('usage_days')
    .where('organization_id', '=', organizationId)
    .where(column, '=', id)
    .execute()
}

/** PostgreSQL sums integers to other types than the columns have. */
function sumOf(select: ExpressionBuilder<Tables, 'usage_days'>, figure: (typeof FIGURES)[number]) {
  return sql<number>`cast(${select.fn.sum(figure)} as bigint)`
}

/** Days, memories and key to sum. `memoryIds` null: all, and rows without a memory. */
type UsageFilter = {
  organizationId: string
  from: string
  to: string
  memoryIds: readonly string[] | null
  keyId: string | null
}

/** Column by which sums are grouped. */
type UsageGrouping = 'memory_id' | 'key_id'

/**
 * Sums of a day. `group` is the memory or key, `''` for rows without one, and `null` if ungrouped.
 */
export type UsageSum = { day: string; group: string | null } & Record<UsageCounter, number> &
  Record<(typeof USAGE_SIZES)[number], number | null>

/** Sums the figures of each day, and of each of `groups` if given. Days without rows are absent. */
export async function sumUsage(
  db: Kysely<Tables>,
  filter: UsageFilter,
  grouping?: { column: UsageGrouping; groups: readonly string[] },
): Promise<UsageSum[]> {
  const column = grouping?.column
  const rows = await matchingRows(db, filter)
    .select('day')
    .select((select) => FIGURES.map((figure) => sumOf(select, figure).as(figure)))
    .$if(column !== undefined, (all) =>
      all.select(`${column ?? 'memory_id'} as group`).where(column ?? 'memory_id', 'in', grouping?.groups ?? []),
    )
    .groupBy(column === undefined ? ['day'] : ['day', column])
    .execute()
  return rows.map((row) => {
    const sums: UsageSum = { ...row, group: row.group ?? null }
    // PostgreSQL returns texts.
    for (const figure of FIGURES) if (typeof sums[figure] === 'string') sums[figure] = Number(sums[figure])
    return sums
  })
}

/**
 * Lists the groups with the most requests and added documents first, at most `limit`, and counts
 * all.
 */
export async function rankUsageGroups(
  db: Kysely<Tables>,
  filter: UsageFilter,
  { column, limit }: { column: UsageGrouping; limit: number },
): Promise<{ groups: string[]; total: number }> {
  const counted = [...LATENCY_COLUMNS.find, ...LATENCY_COLUMNS.ask, 'extractions', 'documents_added']
  const activity = sql`sum(${sql.join(
    counted.map((name) => sql.ref(name)),
    sql` + `,
  )})`
  const rows = await matchingRows(db, filter)
    .select(column)
    .groupBy(column)
    .orderBy(activity, 'desc')
    .orderBy(column)
    .limit(limit)
    .execute()
  const { total } = await matchingRows(db, filter)
    .select((select) => select.fn.count<number>(column).distinct().as('total'))
    .executeTakeFirstOrThrow()
  return { groups: rows.map((row) => row[column]), total: Number(total) }
}

function matchingRows(db: Kysely<Tables>, { organizationId, from, to, memoryIds, keyId }: UsageFilter) {
  return db
    .selectFrom('usage_days')
    .where('organization_id', '=', organizationId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .$if(memoryIds !== null, (rows) => rows.where('memory_id', 'in', memoryIds ?? []))
    .$if(keyId !== null, (rows) => rows.where('key_id', '=', keyId ?? ''))
}
