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

const CHANGES_AT_ONCE = 200

/** A file and what it has to be told of. */
export type ToldFile = Carrying & { db: Kysely<Tables>; file: string; work: JobWork }

/**
 * Tells the new file of all that has changed until now: what shows now is written in place of what
 * was there, what was removed is removed.
 */
export async function tellChanges(told: ToldFile): Promise<void> {
  const { db, file, to, requireGoing } = told
  for (;;) {
    requireGoing()
    const changes = await listChanges(db, file, CHANGES_AT_ONCE)
    if (changes.length === 0) return
    const documentIds = changes.map(({ document_id }) => document_id)
    await removeChunksOfJob({ db, memoryFile: to }, told.work, documentIds)
    await carryDocuments(told, await filterLiveDocuments(db, documentIds), { areNew: true })
    // What changes from here on is noted once more, and so is not forgotten.
    await deleteReplayedChanges(db, file, changes)
    // Where adds go on, the list would never be empty.
    if (changes.length < CHANGES_AT_ONCE) return
  }
}

/**
 * Sees to it that the new file has as many chunks of each document as the old one, and tells it of
 * those of which it has not, as after a kill between a write and the note of it. Throws when that
 * does not help.
 */
export async function settleDifferences(told: ToldFile): Promise<void> {
  const differing = await listDiffering(told)
  if (differing.length === 0) return
  await recordChanges(told.db, told.file, differing)
  await tellChanges(told)
  const still = new Set(await listDiffering(told))
  const left = differing.filter((id) => still.has(id))
  if (left.length > 0) throw new Error(`the new memory file differs from the old one in ${left.length} documents`)
}

/**
 * Documents that show and of which the files have different numbers of chunks, and those of which
 * only the new one has any.
 */
async function listDiffering({ db, memoryId, from, to }: ToldFile): Promise<string[]> {
  const [had, has] = await Promise.all([from.count(memoryId), to.count(memoryId)])
  const differing = [...new Set([...had.keys(), ...has.keys()])].filter((id) => had.get(id) !== has.get(id))
  const live = new Set((await filterLiveDocuments(db, differing)).map(({ id }) => id))
  return differing.filter((id) => live.has(id) || has.has(id))
}

/** From one file of a memory to another, which has the vectors of this embedder. */
type Carrying = {
  memoryId: string
  from: MemoryFile
  to: MemoryFile
  embedder: Embedder
  /** Throws when the work was told to stop. */
  requireGoing: () => void
}

/**
 * `areNew`: nothing of the documents is there; `onEmbedded`: told of chunks as soon as they have
 * their vectors, some seconds of work at most.
 */
type CarryOptions = { areNew: boolean; onEmbedded?: (chunks: number) => void }

/**
 * Writes all chunks of these documents to the new file, and gives their number. The next are
 * embedded while some are written; a document of any length takes the same room. Rejects as the
 * embedder and the memory file do.
 */
export async function carryDocuments(
  { memoryId, from, to, embedder, requireGoing }: Carrying,
  documents: readonly DocumentToCopy[],
  { areNew, onEmbedded }: CarryOptions,
): Promise<number> {
  if (documents.length === 0) return 0
  const headings = new Map(documents.map((document) => [document.id, headingOfRow(document)]))
  const writer = createWriteBehind(async (rows) => {
    requireGoing()
    await to.add(memoryId, rows, { areNew })
  })
  let chunks = 0
  for await (const rows of from.scan(memoryId, { documentIds: [...headings.keys()], withVectors: false })) {
    await writer.add(await embedRows({ embedder, headings, requireGoing, onEmbedded }, rows))
    chunks += rows.length
  }
  await writer.finish()
  return chunks
}
