import { mapConcurrent } from '../../../concurrency/map-concurrent.ts'
import type { Analyzer } from '../../../engine/analysis/analyzer.ts'
import { decodeEscapes } from '../../../engine/analysis/escapes.ts'
import { type Chunk, splitWindows, withHeadings } from '../../../engine/chunking/chunk.ts'
import { DEFAULT_LANGUAGE } from '../../../engine/languages/languages.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import type { Embedder } from '../../../models/embedder.ts'
import type { IndexingThread } from './indexing-thread.ts'

/** What turns text into terms and vectors. */
export type Indexing = {
  embedder: Embedder
  analyzer: Analyzer
  /** Does it beside the event loop, where there is one for the embedder. */
  thread?: IndexingThread | null
  /** Called before each step of a large add, which goes on when it resolves. */
  giveWay?: () => Promise<void>
  /**
   * Asked again and again between blocks: a file may have tens of thousands of them in a few
   * pieces.
   */
  shareLoop?: () => Promise<void>
}

/**
 * Turns chunks into rows: the terms BM25 sees, the chunk's vector, the vectors of its windows as
 * signed bytes. What a thread cannot do is done here.
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
 * What finds each of the chunks: their terms, those of heading, section and table header included,
 * and their vectors.
 */
export async function indexChunks(
  { embedder, analyzer }: Indexing,
  chunks: readonly Chunk[],
  context: ChunkContext,
): Promise<ChunkIndex[]> {
  const { kind, heading, firstIndex } = context
  const passages = chunks.map((chunk, index) => ({ ...chunk, kind, heading, chunkIndex: firstIndex + index }))
  const vectors = await embedPassages(embedder, passages)
  return vectors.map((own, index) => {
    const chunk = chunks[index]
    return { ...own, terms: chunk === undefined ? '' : analyzeChunk(analyzer, chunk, context) }
  })
}

/** What is embedded of a chunk. */
type Passage = Pick<ChunkRow, 'text' | 'section' | 'header' | 'kind' | 'chunkIndex'> & {
  /** The title of its document, or a correction's topics. */
  heading: string
}

/** How a chunk is found by its meaning. */
type Vectors = Pick<ChunkRow, 'vector' | 'windows'>

/**
 * A title is near to many queries of its field: counted in full it went before passages that answer
 * (docs/relevance.md).
 */
const TITLE_WEIGHT = 0.9

/**
 * The vectors of passages, of one or of several documents: of each as a whole, under its heading,
 * section and table header; and, as signed bytes, of its windows, which are its own text alone, and
 * with a document's first passage its title. Texts are read without their escapes. Rejects as the
 * embedder does.
 */
async function embedPassages(embedder: Embedder, passages: readonly Passage[]): Promise<Vectors[]> {
  const size = embedder.windowCharacters
  const parts = passages.map((passage) => ({
    whole: decodeEscapes(withHeadings(passage, passage.heading)),
    windows: size === null ? [] : splitWindows(passage.text, size).map((text) => decodeEscapes(text, passage.text)),
    titles: size === null ? [] : titlesOf(passage),
  }))
  const texts = parts.flatMap(({ whole, windows, titles }) => [whole, ...windows, ...titles])
  const vectors = await embedder.embed(texts, 'passage')
  let next = 0
  return parts.map(({ windows, titles }) => {
    const vector = vectors[next] ?? new Float32Array()
    const own = vectors.slice(next + 1, next + 1 + windows.length)
    next += 1 + windows.length + titles.length
    return { vector, windows: asBytes([...own, ...vectors.slice(next - titles.length, next).map(weighTitle)]) }
  })
}

/**
 * The title, with the first of a document's chunks. `Untitled` and the name of a file say nothing,
 * and one word little that the chunk's own vector does not.
 */
function titlesOf({ kind, heading, chunkIndex }: Passage): string[] {
  return kind === 'document' && chunkIndex === 0 && /\S\s+\S/.test(heading) ? [decodeEscapes(heading)] : []
}

function weighTitle(vector: Float32Array): Float32Array {
  return vector.map((component) => TITLE_WEIGHT * component)
}

/**
 * Components are within -1..1; one signed byte each costs no measurable quality (docs/decisions,
 * embedded embedder).
 */
function asBytes(vectors: readonly Float32Array[]): Int8Array {
  const dimensions = vectors[0]?.length ?? 0
  const bytes = new Int8Array(vectors.length * dimensions)
  vectors.forEach((vector, row) => {
    for (let i = 0; i < dimensions; i += 1) bytes[row * dimensions + i] = Math.round((vector[i] ?? 0) * 127)
  })
  return bytes
}

/**
 * Slices that an embedder far away has at a time: the next travels while the last answers of one
 * are awaited.
 */
const SLICES_FAR_AWAY = 2

/** What rows are embedded with. */
type RowEmbedding = {
  embedder: Embedder
  /** The headings of their documents, by identifier. */
  headings: ReadonlyMap<string, string>
  /** Called before each slice, some seconds of work at most; what it throws ends the work. */
  requireGoing: () => void
  /** Told of each slice that is embedded, with the number of its chunks. */
  onEmbedded?: ((chunks: number) => void) | undefined
}

/**
 * The same chunks with the vectors of another model; terms, labels and texts stay. Rejects as the
 * embedder does.
 */
export async function embedRows(
  { embedder, headings, requireGoing, onEmbedded }: RowEmbedding,
  rows: readonly ChunkRow[],
): Promise<ChunkRow[]> {
  const slices: (readonly ChunkRow[])[] = []
  for (let start = 0; start < rows.length; start += embedder.chunksAtOnce) {
    slices.push(rows.slice(start, start + embedder.chunksAtOnce))
  }
  const embedded = await mapConcurrent(
    slices,
    embedder.windowCharacters === null ? SLICES_FAR_AWAY : 1,
    async (slice) => {
      requireGoing()
      const passages = slice.map((row) => ({ ...row, heading: headings.get(row.documentId) ?? '' }))
      const vectors = await embedPassages(embedder, passages)
      onEmbedded?.(slice.length)
      return slice.map((row, index) => ({ ...row, ...vectors[index] }))
    },
  )
  return embedded.flat()
}

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

/**
 * What the terms of a chunk rest on beside itself: what it stands under (`indexed-facts.ts`), and
 * the language of its document where that is known.
 */
type ChunkSurroundings = { heading: string; language: string | null }

/**
 * The terms by which BM25 finds a chunk, those of heading, section and table header included, with
 * a blank between them: what stands in the memory file.
 */
export function analyzeChunk(
  analyzer: Pick<Analyzer, 'terms'>,
  chunk: Pick<Chunk, 'text' | 'section' | 'header'>,
  { heading, language }: ChunkSurroundings,
): string {
  return analyzer.terms(withHeadings(chunk, heading), language ?? DEFAULT_LANGUAGE).join(' ')
}
