import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { Chunk } from '../../engine/chunking/chunk.ts'
import { splitWindows } from '../../engine/chunking/windows.ts'
import { withSurroundings } from '../../engine/chunking/with-surroundings.ts'
import type { ChunkRow } from '../../memory-file/memory-file.ts'
import type { Embedder } from '../../providers/embedder.ts'

/** What turns text into terms and vectors. */
export type Indexing = { embedder: Embedder; analyzer: Analyzer }

/** What the chunks of one document have in common. */
export type ChunkContext = {
  documentId: string
  kind: 'document' | 'correction'
  /** Indexed and embedded with each chunk: the title, or a correction's topics. */
  heading: string
  language: string
  labels: readonly string[]
  /** Number of the first of the chunks. */
  firstIndex: number
}

/** A title is near to many queries of its field: counted in full it went before passages that answer (docs/relevance.md). */
const TITLE_WEIGHT = 0.9

/**
 * Turns chunks into rows: the terms BM25 sees, the chunk's vector, the vectors of its windows as signed bytes.
 * Heading, section and table header are indexed and embedded with the chunk; the windows are its own text alone, and with a document's first
 * chunk its title.
 */
export async function embedChunks(
  { embedder, analyzer }: Indexing,
  chunks: readonly Chunk[],
  context: ChunkContext,
): Promise<ChunkRow[]> {
  const windows = chunks.map((chunk) =>
    embedder.windowCharacters === null ? [] : splitWindows(chunk.text, embedder.windowCharacters),
  )
  const wholes = chunks.map((chunk) => withSurroundings(chunk, context.heading))
  const titles = embedder.windowCharacters === null ? [] : titlesOf(context)
  const vectors = await embedder.embed([...wholes, ...windows.flat(), ...titles], 'passage')
  const titleVectors = vectors.slice(vectors.length - titles.length).map(weighTitle)
  let next = chunks.length
  return chunks.map((chunk, index) => {
    const count = windows[index]?.length ?? 0
    const own = vectors.slice(next, next + count)
    next += count
    return {
      documentId: context.documentId,
      chunkIndex: context.firstIndex + index,
      kind: context.kind,
      text: chunk.text,
      terms: analyzer.terms(wholes[index] ?? '', context.language).join(' '),
      vector: vectors[index] ?? new Float32Array(),
      windows: asBytes(index === 0 ? [...own, ...titleVectors] : own),
      startOffset: chunk.startOffset,
      endOffset: chunk.endOffset,
      page: chunk.page,
      pageEnd: chunk.pageEnd,
      section: chunk.section,
      header: chunk.header,
      labels: context.labels,
    }
  })
}

/** The title, with the first of a document's chunks. `Untitled` and the name of a file say nothing, and one word little that the chunk's own vector does not. */
function titlesOf({ kind, heading, firstIndex }: ChunkContext): string[] {
  return kind === 'document' && firstIndex === 0 && /\S\s+\S/.test(heading) ? [heading] : []
}

function weighTitle(vector: Float32Array): Float32Array {
  return vector.map((component) => TITLE_WEIGHT * component)
}

/**
 * Texts that are to be indexed side by side: small ones are embedded together by an embedder far away only then. One where the embedder is of this
 * process, in which they would only be in each other's way.
 */
export function textsAtOnce({ embedder }: Indexing): number {
  return embedder.windowCharacters === null ? embedder.chunksAtOnce : 1
}

/** Components are within -1..1; one signed byte each costs no measurable quality (docs/decisions, embedded embedder). */
function asBytes(vectors: readonly Float32Array[]): Int8Array {
  const dimensions = vectors[0]?.length ?? 0
  const bytes = new Int8Array(vectors.length * dimensions)
  vectors.forEach((vector, row) => {
    for (let i = 0; i < dimensions; i += 1) bytes[row * dimensions + i] = Math.round((vector[i] ?? 0) * 127)
  })
  return bytes
}
