import type { Transaction } from 'kysely'
import { insertRemoval } from '../../database/deletion/removals-table.ts'
import {
  compareCounters,
  getStoredDocument,
  listForgottenDocuments,
  listForgottenMemories,
  listNamedFiles,
  setCounters,
  setTagRows,
} from '../../database/memories/inventory.ts'
import type { Tables } from '../../database/schema.ts'
import type { MemoryFiles } from '../memory-files.ts'
import type { Damage } from './damage.ts'
import { type RemakingDeps, remakeChunks, remakeFingerprint, remakeMemoryFile, rewriteTerms } from './remake-chunks.ts'

/** Dependencies of the repair. */
type MendingDeps = RemakingDeps & {
  memoryFile: Pick<MemoryFiles, 'rebuildIndexes' | 'scan'>
  /** Rebuilds the indexes of the database; true if the database is then whole. */
  renewDatabaseIndexes(): Promise<boolean>
}

/**
 * Repairs an issue if no referenced data is lost; `false` leaves the issue. Deletions are first
 * written to the deletion outbox, so that the service's sweep can finish an interrupted repair.
 */
export async function mendStorage(parts: MendingDeps, damage: Damage): Promise<boolean> {
  if (damage.kind === 'damaged_database_index') return parts.renewDatabaseIndexes()
  const { memoryId } = damage
  if (memoryId === null) return false
  const made = await remake(parts, { ...damage, memoryId })
  if (made !== null) return made
  const noted = await parts.db
    .transaction()
    .execute((transaction) => note(transaction, { ...damage, memoryId }, parts.now()))
  if (typeof noted === 'boolean') return noted
  await parts.removals.carryOut([noted])
  return true
}

type Placed = Damage & { memoryId: string }

/** Rebuilds missing or wrong data; `null` for other kinds of issues. */
async function remake(parts: MendingDeps, { kind, memoryId, documentId }: Placed): Promise<boolean | null> {
  switch (kind) {
    case 'missing_chunks':
    case 'surplus_chunks':
    case 'wrong_chunks':
    case 'wrong_vectors':
      return documentId !== null && remakeChunks(parts, memoryId, documentId)
    case 'wrong_terms':
      return documentId !== null && rewriteTerms(parts, memoryId, documentId)
    case 'wrong_fingerprint':
      return documentId !== null && remakeFingerprint(parts, documentId)
    case 'missing_memory_file':
    case 'broken_memory_file':
      return remakeMemoryFile(parts, memoryId)
    case 'missing_index':
    case 'broken_index':
      await parts.memoryFile.rebuildIndexes(memoryId)
      return true
    default:
      return null
  }
}

/**
 * Writes the deletion that repairs the issue and returns its id; otherwise returns whether the
 * issue is repaired.
 */
async function note(
  transaction: Transaction<Tables>,
  { kind, memoryId, documentId, detail }: Placed,
  now: Date,
): Promise<string | boolean> {
  if (kind === 'wrong_counters') {
    const compared = await compareCounters(transaction, memoryId)
    if (compared !== null) await setCounters(transaction, memoryId, compared.counted)
    return true
  }
  if (kind === 'forgotten_memory') {
    const isForgotten = (await listForgottenMemories(transaction, [memoryId])).length > 0
    return isForgotten ? insertRemoval(transaction, { kind: 'memory', memoryId, now }) : false
  }
  if (kind === 'forgotten_memory_file') {
    const isNamed = (await listNamedFiles(transaction)).has(detail)
    return isNamed ? false : insertRemoval(transaction, { kind: 'unfinished', memoryId, file: detail, now })
  }
  if (documentId === null) return false
  if (kind === 'wrong_tags') {
    const row = await getStoredDocument(transaction, documentId)
    if (row !== null) await setTagRows(transaction, { memoryId, documentId, tags: JSON.parse(row.tags) as string[] })
    return true
  }
  if (kind === 'forgotten_document') {
    const isForgotten = (await listForgottenDocuments(transaction, [documentId])).length > 0
    return isForgotten ? insertRemoval(transaction, { kind: 'document', memoryId, documentId, now }) : false
  }
  if (kind === 'leftover_upload') return insertRemoval(transaction, { kind: 'upload', memoryId, documentId, now })
  return false
}
