import type { CarriedDocument } from '../../database/documents/carried-documents.ts'
import type { Embedder } from '../../models/embedder.ts'
import { embedRows } from '../ingest/indexing/embed-rows.ts'
import { headingOfRow } from '../ingest/indexing/heading-of.ts'
import { createWriteBehind } from '../ingest/job/write-behind.ts'
import type { FileOfMemory } from '../memory-files.ts'

/** From one file of a memory to another, which has the vectors of this embedder. */
export type Carrying = {
  memoryId: string
  from: FileOfMemory
  to: FileOfMemory
  embedder: Embedder
  /** Throws when the work was told to stop. */
  requireGoing: () => void
}

/** `areNew`: nothing of the documents is there; `onEmbedded`: told of chunks as soon as they have their vectors, some seconds of work at most. */
export type CarryOptions = { areNew: boolean; onEmbedded?: (chunks: number) => void }

/**
 * Writes all chunks of these documents to the new file, and gives their number. The next are embedded while some are written; a document of any length takes
 * the same room. Rejects as the embedder and the memory file do.
 */
export async function carryDocuments(
  { memoryId, from, to, embedder, requireGoing }: Carrying,
  documents: readonly CarriedDocument[],
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
