import type { Kysely } from 'kysely'
import {
  type DocumentToCopy,
  deleteReplayedChanges,
  filterLiveDocuments,
  listChanges,
  recordChanges,
} from '../../database/memories/reembedding-table.ts'
import type { Tables } from '../../database/schema.ts'
import type { MemoryFile } from '../../memory-file/memory-file.ts'
import type { Embedder } from '../../models/embedder.ts'
import { embedRows } from '../ingest/indexing/embed-chunks.ts'
import { headingOfRow } from '../ingest/indexing/indexed-facts.ts'
import { createWriteBehind } from '../ingest/job/chunk-writers.ts'
import { type JobWork, removeChunksOfJob } from '../jobs/job-handler.ts'

const CHANGES_PER_BATCH = 200

/** The new file of a re-embedding, with its source and its job. */
export type ShadowFile = CopyDeps & { db: Kysely<Tables>; file: string; work: JobWork }

/** Replays all changes recorded so far: rewrites changed documents and deletes removed ones. */
export async function replayChanges(shadow: ShadowFile): Promise<void> {
  const { db, file, to, requireGoing } = shadow
  for (;;) {
    requireGoing()
    const changes = await listChanges(db, file, CHANGES_PER_BATCH)
    if (changes.length === 0) return
    const documentIds = changes.map(({ document_id }) => document_id)
    await removeChunksOfJob({ db, memoryFile: to }, shadow.work, documentIds)
    await copyDocuments(shadow, await filterLiveDocuments(db, documentIds), { areNew: true })
    // Later changes are recorded again, and so are not lost.
    await deleteReplayedChanges(db, file, changes)
    // With continuous adds, the list would never be empty.
    if (changes.length < CHANGES_PER_BATCH) return
  }
}

/**
 * Compares the number of chunks per document in both files and replays documents that differ.
 * Differences occur after a crash between a write and its record. Throws when differences remain.
 */
export async function reconcileFiles(shadow: ShadowFile): Promise<void> {
  const differing = await listDiffering(shadow)
  if (differing.length === 0) return
  await recordChanges(shadow.db, shadow.file, differing)
  await replayChanges(shadow)
  const still = new Set(await listDiffering(shadow))
  const left = differing.filter((id) => still.has(id))
  if (left.length > 0) throw new Error(`the new memory file differs from the old one in ${left.length} documents`)
}

/** Live documents with different numbers of chunks, and documents only in the new file. */
async function listDiffering({ db, memoryId, from, to }: ShadowFile): Promise<string[]> {
  const [had, has] = await Promise.all([from.count(memoryId), to.count(memoryId)])
  const differing = [...new Set([...had.keys(), ...has.keys()])].filter((id) => had.get(id) !== has.get(id))
  const live = new Set((await filterLiveDocuments(db, differing)).map(({ id }) => id))
  return differing.filter((id) => live.has(id) || has.has(id))
}

/** Source and target file, and the embedder of the target. */
type CopyDeps = {
  memoryId: string
  from: MemoryFile
  to: MemoryFile
  embedder: Embedder
  /** Throws after a stop signal. */
  requireGoing: () => void
}

/**
 * `areNew`: the target has none of the documents. `onEmbedded`: called with numbers of embedded
 * chunks, every few seconds.
 */
type CopyOptions = { areNew: boolean; onEmbedded?: (chunks: number) => void }

/**
 * Copies all chunks of documents to the new file and returns their number. Embedding and writing
 * overlap; memory use does not depend on the length of a document. Rejects as the embedder and the
 * memory file do.
 */
export async function copyDocuments(
  { memoryId, from, to, embedder, requireGoing }: CopyDeps,
  documents: readonly DocumentToCopy[],
  { areNew, onEmbedded }: CopyOptions,
): Promise<number> {
  if (documents.length === 0) return 0
  const known = new Map(
    documents.map((document) => [document.id, { heading: headingOfRow(document), language: document.language }]),
  )
  const writer = createWriteBehind(async (rows) => {
    requireGoing()
    await to.add(memoryId, rows, { areNew })
  })
  let chunks = 0
  for await (const rows of from.scan(memoryId, { documentIds: [...known.keys()], withVectors: false })) {
    await writer.add(await embedRows({ embedder, documents: known, requireGoing, onEmbedded }, rows))
    chunks += rows.length
  }
  await writer.finish()
  return chunks
}
