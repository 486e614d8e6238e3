import { insertRemoval } from '../../database/deletion/removals.ts'
import { LIVE } from '../../database/documents/documents.ts'
import { getStoredDocument, isBeingReadAgain } from '../../database/documents/inventory.ts'
import { analyzeChunk } from '../ingest/indexing/analyze-chunk.ts'
import { headingOfRow } from '../ingest/indexing/heading-of.ts'
import type { MemoryFiles } from '../memory-files.ts'
import type { RemakingParts } from './remake-chunks.ts'

/** What terms are made again with. */
export type RewritingParts = Pick<RemakingParts, 'db' | 'analyzer' | 'removals' | 'now'> & {
  memoryFile: Pick<MemoryFiles, 'scan' | 'add'>
}

/**
 * Makes the terms of a document's chunks again from the words of these. All else of them stays: chunks that were made again from the text alone would
 * lose the sections and headers of the original's format, for no more than words that an earlier version read otherwise. `false`, with chunks left as they are,
 * where a job is going to write over them.
 */
export async function rewriteTerms(parts: RewritingParts, memoryId: string, documentId: string): Promise<boolean> {
  const { db, analyzer, memoryFile, removals, now } = parts
  const row = await getStoredDocument(db, documentId)
  if (row === null || !LIVE.includes(row.status)) return true
  const surroundings = { heading: headingOfRow(row), language: row.language }
  for await (const chunks of memoryFile.scan(memoryId, { documentIds: [documentId] })) {
    const changed = chunks
      .map((chunk) => ({ chunk, terms: analyzeChunk(analyzer, chunk, surroundings) }))
      .filter(({ chunk, terms }) => chunk.terms !== terms)
    // Between the job's start and its first chunk there is more time than between this look and the write.
    if (changed.length > 0 && (await isBeingReadAgain(db, row))) return false
    if (changed.length > 0)
      await memoryFile.add(
        memoryId,
        changed.map(({ chunk, terms }) => ({ ...chunk, terms })),
      )
  }
  if ((await getStoredDocument(db, documentId)) !== null) return true
  // Deleted meanwhile: what was just written belongs to nothing.
  const removalId = await db
    .transaction()
    .execute((transaction) => insertRemoval(transaction, { kind: 'document', memoryId, documentId, now: now() }))
  await removals.carryOut([removalId])
  return true
}
