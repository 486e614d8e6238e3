import type { Transaction } from 'kysely'
import { enqueueDeletion } from '../../database/deletion/removals-table.ts'
import {
  compareCounters,
  filterOrphanedDocuments,
  filterOrphanedMemories,
  getStoredDocument,
  listReferencedFiles,
  replaceTagRows,
  setCounters,
} from '../../database/memories/inventory.ts'
import type { Tables } from '../../database/schema.ts'
import type { MemoryFiles } from '../memory-files.ts'
import type { IntegrityIssue } from './integrity-issues.ts'
import {
  type RebuildDeps,
  rebuildChunks,
  rebuildFingerprint,
  rebuildMemoryFile,
  rebuildTerms,
} from './rebuild-chunks.ts'

/** Dependencies of the repair. */
type RepairDeps = RebuildDeps & {
  memoryFile: Pick<MemoryFiles, 'rebuildIndexes' | 'scan'>
  /** Rebuilds the indexes of the database; true if the database is then whole. */
  renewDatabaseIndexes(): Promise<boolean>
}

/**
 * Repairs an issue if no referenced data is lost; `false` leaves the issue. Deletions are first
 * written to the deletion outbox, so that the service's sweep can finish an interrupted repair.
 */
export async function repairIssue(deps: RepairDeps, damage: IntegrityIssue): Promise<boolean> {
  if (damage.kind === 'damaged_database_index') return deps.renewDatabaseIndexes()
  const { memoryId } = damage
  if (memoryId === null) return false
  const made = await rebuild(deps, { ...damage, memoryId })
  if (made !== null) return made
  const noted = await deps.db
    .transaction()
    .execute((transaction) => enqueueRepair(transaction, { ...damage, memoryId }, deps.now()))
  if (typeof noted === 'boolean') return noted
  await deps.removals.process([noted])
  return true
}

type MemoryIssue = IntegrityIssue & { memoryId: string }

/** Rebuilds missing or wrong data; `null` for other kinds of issues. */
async function rebuild(deps: RepairDeps, { kind, memoryId, documentId }: MemoryIssue): Promise<boolean | null> {
  switch (kind) {
    case 'missing_chunks':
    case 'surplus_chunks':
    case 'wrong_chunks':
    case 'wrong_vectors':
      return documentId !== null && rebuildChunks(deps, memoryId, documentId)
    case 'wrong_terms':
      return documentId !== null && rebuildTerms(deps, memoryId, documentId)
    case 'wrong_fingerprint':
      return documentId !== null && rebuildFingerprint(deps, documentId)
    case 'missing_memory_file':
    case 'broken_memory_file':
      return rebuildMemoryFile(deps, memoryId)
    case 'missing_index':
    case 'broken_index':
      await deps.memoryFile.rebuildIndexes(memoryId)
      return true
    default:
      return null
  }
}

/**
 * Writes the deletion that repairs the issue and returns its id; otherwise returns whether the
 * issue is repaired.
 */
async function enqueueRepair(
  transaction: Transaction<Tables>,
  { kind, memoryId, documentId, detail }: MemoryIssue,
  now: Date,
): Promise<string | boolean> {
  if (kind === 'wrong_counters') {
    const compared = await compareCounters(transaction, memoryId)
    if (compared !== null) await setCounters(transaction, memoryId, compared.counted)
    return true
  }
  if (kind === 'forgotten_memory') {
    const isForgotten = (await filterOrphanedMemories(transaction, [memoryId])).length > 0
    return isForgotten ? enqueueDeletion(transaction, { kind: 'memory', memoryId, now }) : false
  }
  if (kind === 'forgotten_memory_file') {
    const isNamed = (await listReferencedFiles(transaction)).has(detail)
    return isNamed ? false : enqueueDeletion(transaction, { kind: 'unfinished', memoryId, file: detail, now })
  }
  if (documentId === null) return false
  if (kind === 'wrong_tags') {
    const row = await getStoredDocument(transaction, documentId)
    if (row !== null)
      await replaceTagRows(transaction, { memoryId, documentId, tags: JSON.parse(row.tags) as string[] })
    return true
  }
  if (kind === 'forgotten_document') {
    const isForgotten = (await filterOrphanedDocuments(transaction, [documentId])).length > 0
    return isForgotten ? enqueueDeletion(transaction, { kind: 'document', memoryId, documentId, now }) : false
  }
  if (kind === 'leftover_upload') return enqueueDeletion(transaction, { kind: 'upload', memoryId, documentId, now })
  return false
}
