import { mapAtOnce } from '../../../concurrency/map-at-once.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import type { Embedder } from '../../../models/embedder.ts'
import { embedPassages } from './embed-passages.ts'

/** Slices that an embedder far away has at a time: the next travels while the last answers of one are awaited. */
const SLICES_FAR_AWAY = 2

/** What rows are embedded with. */
export type RowEmbedding = {
  embedder: Embedder
  /** The headings of their documents, by identifier. */
  headings: ReadonlyMap<string, string>
  /** Called before each slice, some seconds of work at most; what it throws ends the work. */
  requireGoing: () => void
  /** Told of each slice that is embedded, with the number of its chunks. */
  onEmbedded?: ((chunks: number) => void) | undefined
}

/** The same chunks with the vectors of another model; terms, labels and texts stay. Rejects as the embedder does. */
export async function embedRows(
  { embedder, headings, requireGoing, onEmbedded }: RowEmbedding,
  rows: readonly ChunkRow[],
): Promise<ChunkRow[]> {
  const slices: (readonly ChunkRow[])[] = []
  for (let start = 0; start < rows.length; start += embedder.chunksAtOnce) {
    slices.push(rows.slice(start, start + embedder.chunksAtOnce))
  }
  const embedded = await mapAtOnce(slices, embedder.windowCharacters === null ? SLICES_FAR_AWAY : 1, async (slice) => {
    requireGoing()
    const passages = slice.map((row) => ({ ...row, heading: headings.get(row.documentId) ?? '' }))
    const vectors = await embedPassages(embedder, passages)
    onEmbedded?.(slice.length)
    return slice.map((row, index) => ({ ...row, ...vectors[index] }))
  })
  return embedded.flat()
}
