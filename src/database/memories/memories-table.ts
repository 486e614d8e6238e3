/**
 * Table `memories`. Functions for callers filter by organization, and by memory for a scoped key.
 */
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely'
import { ApiError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import type { Memory, Tables } from '../schema.ts'
import { type CreationFilter, containsText, isPostgres } from '../statements.ts'

/** Memories visible to a caller: all of the organization, or the memory of a scoped key. */
type MemoryScope = { organizationId: string; memoryIds: readonly string[] | null }

/** A memory with the name of its project. */
export type MemoryWithProject = Memory & { project_name: string | null }

/** Reads a memory; throws `memory_not_found` for a malformed id or an invisible memory. */
export async function requireMemory(
  db: Kysely<Tables>,
  scope: MemoryScope,
  memoryId: string,
): Promise<MemoryWithProject> {
  const found = isId('mem', memoryId)
    ? await visibleMemories(db, scope).where('memories.id', '=', memoryId).executeTakeFirst()
    : undefined
  if (found === undefined) throw new ApiError('memory_not_found')
  return found
}

/** Lists up to two visible memories with a name: a second one shows that the name is ambiguous. */
export function listMemoriesByName(db: Kysely<Tables>, scope: MemoryScope, name: string): Promise<MemoryWithProject[]> {
  return visibleMemories(db, scope).where('memories.name', '=', name).limit(2).execute()
}

/** Files of a memory, and the embedding model of the current file. */
export type FilesOfMemory = Pick<Memory, 'id' | 'embedding_model' | 'file' | 'next_file' | 'closed_until'>

const FILE_COLUMNS = ['id', 'embedding_model', 'file', 'next_file', 'closed_until'] as const

/** Name of the memory's current file. */
export function currentFileOf({ id, file }: Pick<Memory, 'id' | 'file'>): string {
  return file ?? id
}

/** Reads the files of a memory; `null` if unknown. */
export async function getFilesOfMemory(db: Kysely<Tables>, memoryId: string): Promise<FilesOfMemory | null> {
  const found = await db.selectFrom('memories').select(FILE_COLUMNS).where('id', '=', memoryId).executeTakeFirst()
  return found ?? null
}

/** Lists the files of memories with chunks, by memory. */
export async function listFilesWithChunks(db: Kysely<Tables>): Promise<Map<string, string>> {
  const rows = await db.selectFrom('memories').select(['id', 'file']).where('chunk_count', '>', 0).execute()
  return new Map(rows.map((row) => [row.id, currentFileOf(row)]))
}

/** Number of chunks of visible documents; 0 for an unknown memory. */
export async function countChunks(db: Kysely<Tables>, memoryId: string): Promise<number> {
  const found = await db.selectFrom('memories').select('chunk_count').where('id', '=', memoryId).executeTakeFirst()
  return found?.chunk_count ?? 0
}

/**
 * Locks a memory until the end of the transaction: deletions and publications of other transactions
 * wait. Lock a memory before reading counters to change. Returns the files; `null` if the memory
 * does not exist.
 */
export async function lockMemory(transaction: Transaction<Tables>, memoryId: string): Promise<FilesOfMemory | null> {
  const found = await transaction
    .selectFrom('memories')
    .select(FILE_COLUMNS)
    .where('id', '=', memoryId)
    .$if(isPostgres(transaction), (rows) => rows.forNoKeyUpdate())
    .executeTakeFirst()
  return found ?? null
}

/**
 * Numbers a change of documents; the transaction writes the number to the rows. Readers of a
 * memory's revision find all rows up to the revision, since the memory stays locked. 0 for a memory
 * without a row, during an import.
 */
export async function nextRevision(transaction: Transaction<Tables>, memoryId: string): Promise<number> {
  const changed = await transaction
    .updateTable('memories')
    .set((memory) => ({ revision: memory('revision', '+', 1) }))
    .where('id', '=', memoryId)
    .returning('revision')
    .executeTakeFirst()
  return changed?.revision ?? 0
}

/** Embedding model of a memory, the file of its vectors, and the sizes of its chunks. */
export type PinnedModel = { embeddingModel: string; file: string; chunkSizes: ReturnType<typeof chunkSizesOf> }

/**
 * Pins the memory to an embedding model unless already pinned. Returns the effective pin; `null` if
 * the memory does not exist.
 */
export async function pinEmbeddingModel(
  db: Kysely<Tables>,
  memoryId: string,
  embeddingModel: string,
): Promise<PinnedModel | null> {
  const row = await db
    .updateTable('memories')
    .set((memory) => ({ embedding_model: memory.fn.coalesce('embedding_model', sql<string>`${embeddingModel}`) }))
    .where('id', '=', memoryId)
    .returning(['id', 'embedding_model', 'file', 'chunking'])
    .executeTakeFirst()
  if (row === undefined) return null
  const { embedding_model: pinned } = row
  return { embeddingModel: pinned ?? embeddingModel, file: currentFileOf(row), chunkSizes: chunkSizesOf(row) }
}

/** Unpins an empty memory: no documents except failed ones, and no intents. */
export async function unpinEmbeddingModel(db: Kysely<Tables>, memoryId: string): Promise<void> {
  if (!db.isTransaction) return db.transaction().execute((transaction) => unpinEmbeddingModel(transaction, memoryId))
  // Lock first, to see a concurrent add that pins the memory.
  await lockMemory(db as Transaction<Tables>, memoryId)
  await db
    .updateTable('memories')
    .set({ embedding_model: null })
    .where('id', '=', memoryId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('documents').select('id').where('memory_id', '=', memoryId).where('status', '!=', 'failed')),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('intents').select('document_id').where('memory_id', '=', memoryId))),
    )
    .execute()
}

/** Filters of a list; `null` disables a filter. */
export type MemoryFilter = CreationFilter & { projectId: string | null; name?: string | null }

/** Order of a list. */
export type MemorySort = '-createdAt' | 'createdAt' | 'name' | '-name'

type MemoryListing = MemoryScope & {
  filter: MemoryFilter
  sort: MemorySort
  /** The last memory of the previous page. */
  after: { id: string; name: string } | null
  limit: number
}

/** Lists up to `limit` memories. */
export function listMemories(db: Kysely<Tables>, listing: MemoryListing): Promise<MemoryWithProject[]> {
  const { filter, sort, after, limit } = listing
  const [operator, order] = sort.startsWith('-') ? (['<', 'desc'] as const) : (['>', 'asc'] as const)
  const matching = visibleMemories(db, listing).where(matchesFilter(filter)).limit(limit)
  if (sort.endsWith('createdAt')) {
    return matching
      .$if(after !== null, (page) => page.where('memories.id', operator, after?.id ?? ''))
      .orderBy('memories.id', order)
      .execute()
  }
  return matching
    .$if(after !== null, (page) =>
      page.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('memories.name', 'memories.id'), operator, tuple(after?.name ?? '', after?.id ?? '')),
      ),
    )
    .orderBy('memories.name', order)
    .orderBy('memories.id', order)
    .execute()
}

/** Counts the memories of a list. */
export async function countMemories(
  db: Kysely<Tables>,
  { organizationId, memoryIds, filter }: MemoryScope & { filter: MemoryFilter },
): Promise<number> {
  const { total } = await db
    .selectFrom('memories')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .$if(memoryIds !== null, (all) => all.where('id', 'in', memoryIds ?? []))
    .where(matchesFilter(filter))
    .executeTakeFirstOrThrow()
  return Number(total)
}

function matchesFilter({ projectId, name = null, createdAfter = null, createdBefore = null }: MemoryFilter) {
  return (where: ExpressionBuilder<Tables, 'memories'>) =>
    where.and([
      ...(projectId === null ? [] : [where('memories.project_id', '=', projectId)]),
      ...(name === null ? [] : [containsText('memories.name', name)]),
      ...(createdAfter === null ? [] : [where('memories.created_at', '>', createdAfter)]),
      ...(createdBefore === null ? [] : [where('memories.created_at', '<', createdBefore)]),
    ])
}

/** Changes columns of a memory; `false` for an unknown memory. */
export async function changeMemory(
  transaction: Transaction<Tables>,
  memoryId: string,
  changed: Partial<Pick<Memory, 'name' | 'description' | 'project_id'>> & Pick<Memory, 'updated_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('memories')
    .set(changed)
    .where('id', '=', memoryId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Sizes of the chunks of a memory; `null`: the default. */
export function chunkSizesOf({
  chunking,
}: Pick<Memory, 'chunking'>): { maxCharacters: number; overlap: number } | null {
  return chunking === null ? null : (JSON.parse(chunking) as { maxCharacters: number; overlap: number })
}

/** Inserts a memory. */
export async function insertMemory(transaction: Transaction<Tables>, memory: Memory): Promise<void> {
  await transaction.insertInto('memories').values(memory).execute()
}

/**
 * Deletes the row of a memory with its languages and returns its files; `null` if unknown in the
 * organization.
 */
export async function deleteMemoryRow(
  transaction: Transaction<Tables>,
  organizationId: string,
  memoryId: string,
): Promise<FilesOfMemory | null> {
  const deleted = await transaction
    .deleteFrom('memories')
    .where('id', '=', memoryId)
    .where('organization_id', '=', organizationId)
    .returning(FILE_COLUMNS)
    .executeTakeFirst()
  return deleted ?? null
}

/** Counts the memories of each embedding model except `models`, over all organizations. */
export async function countByOtherModel(
  db: Kysely<Tables>,
  models: readonly string[],
): Promise<{ model: string; memories: number }[]> {
  const rows = await db
    .selectFrom('memories')
    .select(['embedding_model', (select) => select.fn.countAll<number>().as('memories')])
    .where('embedding_model', 'not in', models)
    .groupBy('embedding_model')
    .orderBy('embedding_model')
    .execute()
  return rows.map(({ embedding_model: model, memories }) => ({ model: model ?? '', memories: Number(memories) }))
}

/** Totals of an organization's memories; storage as defined in the contract ("Storage used"). */
export async function sumMemoryUsage(
  db: Kysely<Tables>,
  organizationId: string,
): Promise<{ memories: number; documents: number; storageBytes: number }> {
  const sum = await db
    .selectFrom('memories')
    .select((select) => [
      select.fn.countAll<number>().as('memories'),
      select.fn.sum<number | null>('document_count').as('documents'),
      select.fn.sum<number | null>('storage_bytes').as('bytes'),
    ])
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return { memories: Number(sum.memories), documents: Number(sum.documents), storageBytes: Number(sum.bytes) }
}

function visibleMemories(db: Kysely<Tables>, { organizationId, memoryIds }: MemoryScope) {
  return db
    .selectFrom('memories')
    .leftJoin('projects', 'projects.id', 'memories.project_id')
    .selectAll('memories')
    .select('projects.name as project_name')
    .where('memories.organization_id', '=', organizationId)
    .$if(memoryIds !== null, (all) => all.where('memories.id', 'in', memoryIds ?? []))
}

/** Languages of a memory's chunks (ISO 639-1), most frequent first. */
export async function listLanguages(db: Kysely<Tables>, memoryId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memory_languages')
    .select('language')
    .where('memory_id', '=', memoryId)
    .where('chunks', '>', 0)
    .orderBy('chunks', 'desc')
    .execute()
  return rows.map(({ language }) => language)
}

/** Most frequent language of a memory's chunks; `null` without chunks. */
export async function getDominantLanguage(db: Kysely<Tables>, memoryId: string): Promise<string | null> {
  const [first] = await listLanguages(db, memoryId)
  return first ?? null
}
