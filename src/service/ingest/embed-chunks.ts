import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { Chunk } from '../../engine/chunking/chunk.ts'
import { splitWindows } from '../../engine/chunking/windows.ts'
import { withSurroundings } from '../../engine/chunking/with-surroundings.ts'
import type { ChunkRow } from '../../memory-file/memory-file.ts'
import type { Embedder } from '../../providers/embedder.ts'
import type { IndexingThread } from './indexing-thread.ts'

/** What turns text into terms and vectors. `thread`: a thread that does it beside the event loop, where there is one for the embedder. */
export type Indexing = { embedder: Embedder; analyzer: Analyzer; thread?: IndexingThread | null }

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

/** What finds a chunk. */
export type ChunkIndex = Pick<ChunkRow, 'terms' | 'vector' | 'windows'>

/** A title is near to many queries of its field: counted in full it went before passages that answer (docs/relevance.md). */
const TITLE_WEIGHT = 0.9

/**
 * Turns chunks into rows: the terms BM25 sees, the chunk's vector, the vectors of its windows as signed bytes. What a thread cannot do is done
 * here.
 */
export async function embedChunks(
  indexing: Indexing,
  chunks: readonly Chunk[],
  context: ChunkContext,
): Promise<ChunkRow[]> {
  const indexed = (await indexing.thread?.index(chunks, context)) ?? (await indexChunks(indexing, chunks, context))
  const { documentId, kind, firstIndex, labels } = context
  return chunks.map((chunk, index) => {
    const { terms = '', vector = new Float32Array(), windows = new Int8Array() } = indexed[index] ?? {}
    return { documentId, chunkIndex: firstIndex + index, kind, ...chunk, terms, vector, windows, labels }
  })
}

/**
 * What finds each of the chunks. Heading, section and table header are indexed and embedded with the chunk; the windows are its own text alone, and
 * with a document's first chunk its title.
 */
export async function indexChunks(
  { embedder, analyzer }: Indexing,
  chunks: readonly Chunk[],
  context: ChunkContext,
): Promise<ChunkIndex[]> {
  const windows = chunks.map((chunk) =>
    embedder.windowCharacters === null ? [] : splitWindows(chunk.text, embedder.windowCharacters),
  )
  const wholes = chunks.map((chunk) => withSurroundings(chunk, context.heading))
  const titles = embedder.windowCharacters === null ? [] : titlesOf(context)
  const vectors = await embedder.embed([...wholes, ...windows.flat(), ...titles], 'passage')
  const titleVectors = vectors.slice(vectors.length - titles.length).map(weighTitle)
  let next = chunks.length
  return chunks.map((_, index) => {
    const count = windows[index]?.length ?? 0
    const own = vectors.slice(next, next + count)
    next += count
    return {
      terms: analyzer.terms(wholes[index] ?? '', context.language).join(' '),
      vector: vectors[index] ?? new Float32Array(),
      windows: asBytes(index === 0 ? [...own, ...titleVectors] : own),
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

/** Components are within -1..1; one signed byte each costs no measurable quality (docs/decisions, embedded embedder). */
function asBytes(vectors: readonly Float32Array[]): Int8Array {
  const dimensions = vectors[0]?.length ?? 0
  const bytes = new Int8Array(vectors.length * dimensions)
  vectors.forEach((vector, row) => {
    for (let i = 0; i < dimensions; i += 1) bytes[row * dimensions + i] = Math.round((vector[i] ?? 0) * 127)
  })
  return bytes
}
