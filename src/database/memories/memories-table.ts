/**
 * Rows of memories. Functions that answer a caller have the organization in their WHERE, and with a memory-scoped key the
 * one memory.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { ApiError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import type { Memory, Tables } from '../schema.ts'
import { isPostgres } from '../statements.ts'

/** Which memories a caller may see: all of the organization, or the one of a scoped key. */
type MemoryScope = { organizationId: string; memoryId: string | null }

/** A memory with the name of its project. */
export type MemoryWithProject = Memory & { project_name: string | null }

/** The memory; throws `memory_not_found` for a malformed identifier and for whatever the caller may not see. */
export async function requireMemory(
  db: Kysely<Tables>,
  scope: MemoryScope,
  memoryId: string,
): Promise<MemoryWithProject> {
  const found = isId('mem', memoryId)
    ? await visible(db, scope).where('memories.id', '=', memoryId).executeTakeFirst()
    : undefined
  if (found === undefined) throw new ApiError('memory_not_found')
  return found
}

/** Which files a memory has, and of which model the vectors in the one in use are. */
export type FilesOfMemory = Pick<Memory, 'id' | 'embedding_model' | 'file' | 'next_file' | 'closed_until'>

const FILES = ['id', 'embedding_model', 'file', 'next_file', 'closed_until'] as const

/** The name of the memory's file. */
export function fileOf({ id, file }: Pick<Memory, 'id' | 'file'>): string {
  return file ?? id
}

/** Which files the memory has at this moment; `null` when there is no such memory. */
export async function getFiles(db: Kysely<Tables>, memoryId: string): Promise<FilesOfMemory | null> {
  const found = await db.selectFrom('memories').select(FILES).where('id', '=', memoryId).executeTakeFirst()
  return found ?? null
}

/** The files that memories with chunks have, by memory. */
export async function listFilled(db: Kysely<Tables>): Promise<Map<string, string>> {
  const rows = await db.selectFrom('memories').select(['id', 'file']).where('chunk_count', '>', 0).execute()
  return new Map(rows.map((row) => [row.id, fileOf(row)]))
}

/** Chunks of the documents that show in the memory; 0 when there is no such memory. */
export async function countChunks(db: Kysely<Tables>, memoryId: string): Promise<number> {
  const found = await db.selectFrom('memories').select('chunk_count').where('id', '=', memoryId).executeTakeFirst()
  return found?.chunk_count ?? 0
}

/**
 * Locks the memory for this transaction: it stays there until the end, and what others publish or delete in it waits or is
 * seen. Whoever changes what a memory counts has to lock it before reading what that is. Gives its files; `null` when there is none.
 */
export async function lockMemory(transaction: Transaction<Tables>, memoryId: string): Promise<FilesOfMemory | null> {
  const found = await transaction
    .selectFrom('memories')
    .select(FILES)
    .where('id', '=', memoryId)
    .$if(isPostgres(transaction), (rows) => rows.forNoKeyUpdate())
    .executeTakeFirst()
  return found ?? null
}

/** What a memory is pinned to, and the file of its vectors. */
export type Pinned = { embeddingModel: string; file: string }

/** Pins the memory to this embedding model unless it is pinned already. What it is pinned to; `null` when there is no such memory. */
export async function pinEmbeddingModel(
  db: Kysely<Tables>,
  memoryId: string,
  embeddingModel: string,
): Promise<Pinned | null> {
  const row = await db
    .updateTable('memories')
    .set((memory) => ({ embedding_model: memory.fn.coalesce('embedding_model', sql<string>`${embeddingModel}`) }))
    .where('id', '=', memoryId)
    .returning(['id', 'embedding_model', 'file'])
    .executeTakeFirst()
  return row === undefined ? null : { embeddingModel: row.embedding_model ?? embeddingModel, file: fileOf(row) }
}

/** Takes the pin back of a memory in which nothing is and nothing is being written: no document but failed ones, no intent. */
export async function releaseEmbeddingModel(db: Kysely<Tables>, memoryId: string): Promise<void> {
  if (!db.isTransaction) return db.transaction().execute((transaction) => releaseEmbeddingModel(transaction, memoryId))
  // Before the look at what is in the memory, or an add that pins it meanwhile would not be seen.
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

/** Which memories a list has; `after` is the identifier of the last of the page before. */
type MemoryListing = MemoryScope & { projectId: string | null; after: string | null; limit: number }

/** At most `limit` memories, newest first. */
export function listMemories(db: Kysely<Tables>, listing: MemoryListing): Promise<MemoryWithProject[]> {
  const { projectId, after, limit } = listing
  return visible(db, listing)
    .$if(projectId !== null, (page) => page.where('memories.project_id', '=', projectId))
    .$if(after !== null, (page) => page.where('memories.id', '<', after ?? ''))
    .orderBy('memories.id', 'desc')
    .limit(limit)
    .execute()
}

/** How many memories all pages of a list have together. */
export async function countMemories(
  db: Kysely<Tables>,
  { organizationId, memoryId, projectId }: MemoryScope & { projectId: string | null },
): Promise<number> {
  const { total } = await db
    .selectFrom('memories')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .$if(memoryId !== null, (all) => all.where('id', '=', memoryId ?? ''))
    .$if(projectId !== null, (all) => all.where('project_id', '=', projectId))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Adds a memory. */
export async function insertMemory(transaction: Transaction<Tables>, memory: Memory): Promise<void> {
  await transaction.insertInto('memories').values(memory).execute()
}

/** Removes the memory's own row and gives the files it had; `null` when the organization has none like it. Its languages go with it. */
export async function deleteMemoryRow(
  transaction: Transaction<Tables>,
  organizationId: string,
  memoryId: string,
): Promise<FilesOfMemory | null> {
  const deleted = await transaction
    .deleteFrom('memories')
    .where('id', '=', memoryId)
    .where('organization_id', '=', organizationId)
    .returning(FILES)
    .executeTakeFirst()
  return deleted ?? null
}

/** What the memories of an organization hold together; storage counts as the contract has it ("Storage used"). */
export async function sumMemories(
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

function visible(db: Kysely<Tables>, { organizationId, memoryId }: MemoryScope) {
  return db
    .selectFrom('memories')
    .leftJoin('projects', 'projects.id', 'memories.project_id')
    .selectAll('memories')
    .select('projects.name as project_name')
    .where('memories.organization_id', '=', organizationId)
    .$if(memoryId !== null, (all) => all.where('memories.id', '=', memoryId ?? ''))
}

/** The languages a memory's chunks are in (ISO 639-1), the most frequent first. */
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

/** The language of most of the memory's chunks; `null` while it has none. */
export async function getDominantLanguage(db: Kysely<Tables>, memoryId: string): Promise<string | null> {
  const [first] = await listLanguages(db, memoryId)
  return first ?? null
}
