import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { enqueueDeletion } from '../../database/deletion/removals-table.ts'
import { listStale, unmarkStale } from '../../database/memories/document-changes.ts'
import { getStoredDocument, isBeingReprocessed } from '../../database/memories/inventory.ts'
import { currentFileOf, getFilesOfMemory, lockMemory } from '../../database/memories/memories-table.ts'
import { recordChanges } from '../../database/memories/reembedding-table.ts'
import { type Document, LIVE_STATUSES, type Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { ChunkRow, MemoryFile } from '../../memory-file/memory-file.ts'
import type { Embedders } from '../../models/embedders.ts'
import type { Log } from '../../observability/log.ts'
import type { DeletionOutbox } from '../deletion/deletion-outbox.ts'
import { analyzeChunk, embedRows } from '../ingest/indexing/embed-chunks.ts'
import { headingOfRow } from '../ingest/indexing/indexed-facts.ts'
import type { MemoryFiles } from '../memory-files.ts'

/** Chunks per turn of the event loop, some milliseconds. */
const CHUNKS_PER_TURN = 64
/** Documents per statement of the sweep. */
const DOCUMENTS_PER_SWEEP = 100

/** Brings chunks in line with the changed rows of their documents. */
export type ChunkRefresh = {
  /**
   * Rewrites words and vectors of the chunks of a document with a changed heading. Nothing is read
   * or chunked again. False if a job is writing the chunks, which leaves the rest to a later sweep.
   * Rejects if a store or the embedder fails; the mark stays then.
   */
  refresh(documentId: string): Promise<boolean>
  /** Refreshes all marked documents; logs failures and leaves them for the next sweep. */
  sweep(): Promise<void>
}

type RefreshDeps = {
  /** Rebuilds the chunks of a correction from the stored statement; false if not possible. */
  rebuild: (memoryId: string, documentId: string) => Promise<boolean>
  db: Kysely<Tables>
  memoryFile: Pick<MemoryFiles, 'named'>
  embedders: Pick<Embedders, 'get'>
  analyzer: Analyzer
  removals: Pick<DeletionOutbox, 'process'>
  log: Pick<Log, 'warn'>
  now: () => Date
}

/** Creates the refresh of a process; all state is in the database. */
export function createChunkRefresh(deps: RefreshDeps): ChunkRefresh {
  const refreshing = createKeyedMutex()
  const refresh = (documentId: string) => refreshing.run(documentId, () => refreshDocument(deps, documentId))
  return {
    refresh,
    async sweep() {
      let ids: string[] = []
      do {
        ids = await listStale(deps.db, { after: ids.at(-1) ?? '', limit: DOCUMENTS_PER_SWEEP })
        for (const documentId of ids) {
          await refresh(documentId).catch((err: unknown) => {
            deps.log.warn({ err, documentId }, 'the chunks of a changed document could not be rewritten')
          })
        }
      } while (ids.length === DOCUMENTS_PER_SWEEP)
    },
  }
}

async function refreshDocument(deps: RefreshDeps, documentId: string): Promise<boolean> {
  const { db, memoryFile } = deps
  for (;;) {
    const row = await getStoredDocument(db, documentId)
    // A document that is not live yet is compared when its job publishes it.
    if (row === null || !LIVE_STATUSES.includes(row.status)) {
      await unmarkStale(db, documentId)
      return true
    }
    // A job's start and its first chunk are further apart than this check and the write.
    if (await isBeingReprocessed(db, row)) return false
    const memory = await getFilesOfMemory(db, row.memory_id)
    if (memory === null) return true
    const file = currentFileOf(memory)
    if (row.source_type !== 'correction')
      await rewriteChunks(deps, row, { file: memoryFile.named(file), model: memory.embedding_model })
    else if (!(await deps.rebuild(row.memory_id, row.id))) return false
    if (await finish(deps, row, file)) return true
  }
}

/** False if row or file have changed meanwhile. */
async function finish({ db, removals, now }: RefreshDeps, row: Document, file: string): Promise<boolean> {
  const { id: documentId, memory_id: memoryId } = row
  const outcome = await db.transaction().execute(async (transaction) => {
    const memory = await lockMemory(transaction, memoryId)
    const present = memory === null ? null : await getStoredDocument(transaction, documentId)
    if (memory !== null && present !== null) {
      const isSame = headingOfRow(present) === headingOfRow(row) && present.statement === row.statement
      if (currentFileOf(memory) !== file || !isSame) return { isCurrent: false, removalId: null }
      if (memory.next_file !== null) await recordChanges(transaction, memory.next_file, [documentId])
    }
    await unmarkStale(transaction, documentId)
    // The document was deleted meanwhile, so the written chunks are orphaned.
    const orphan = { kind: 'document', memoryId, documentId, now: now() } as const
    return { isCurrent: true, removalId: present === null ? await enqueueDeletion(transaction, orphan) : null }
  })
  if (outcome.removalId !== null) await removals.process([outcome.removalId])
  return outcome.isCurrent
}

async function rewriteChunks(
  deps: RefreshDeps,
  row: Document,
  { file, model }: { file: MemoryFile; model: string | null },
): Promise<void> {
  for await (const chunks of file.scan(row.memory_id, { documentIds: [row.id] })) {
    const changed: ChunkRow[] = []
    for (let start = 0; start < chunks.length; start += CHUNKS_PER_TURN) {
      changed.push(...(await refreshChunks(deps, row, { model, chunks: chunks.slice(start, start + CHUNKS_PER_TURN) })))
      await nextTurn()
    }
    if (changed.length > 0) await file.add(row.memory_id, changed)
  }
}

/** The chunks whose words differ from those of the row, with new words and vectors. */
async function refreshChunks(
  { analyzer, embedders }: RefreshDeps,
  row: Document,
  { model, chunks }: { model: string | null; chunks: readonly ChunkRow[] },
): Promise<ChunkRow[]> {
  const context = { heading: headingOfRow(row), language: row.language }
  const changed = chunks.flatMap((chunk) => {
    const terms = analyzeChunk(analyzer, chunk, context)
    return terms === chunk.terms ? [] : [{ ...chunk, terms }]
  })
  const embedder = model === null ? null : embedders.get(model)
  // Without the embedder of the memory, searches compare words alone.
  if (embedder === null || changed.length === 0) return changed
  const documents = new Map([[row.id, context]])
  return embedRows({ embedder, documents, requireGoing: () => undefined }, changed)
}
