import { mapConcurrent } from '../../../concurrency/map-concurrent.ts'
import type { Analyzer } from '../../../engine/analysis/analyzer.ts'
import { decodeEscapes } from '../../../engine/analysis/escapes.ts'
import { type Chunk, splitWindows, withHeadings } from '../../../engine/chunking/chunk.ts'
import { DEFAULT_LANGUAGE } from '../../../engine/languages/languages.ts'
import { packWindows } from '../../../engine/windows.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import type { Embedder } from '../../../models/embedder.ts'
import type { IndexingThread } from './indexing-thread.ts'

/** Computes terms and vectors. */
export type IndexingTools = {
  embedder: Embedder
  analyzer: Analyzer
  /** Thread for indexing outside the event loop, if one exists for the embedder. */
  thread?: IndexingThread | null
  /** Called before each step of a large add; resolves when the add may continue. */
  yieldToForeground?: () => Promise<void>
  /** Called between blocks: a file may have tens of thousands of blocks in few pieces. */
  yieldToEventLoop?: () => Promise<void>
}

/**
 * Converts chunks to rows: terms for BM25, the chunk's vector, and vectors of its windows as signed
 * bytes. Falls back to this thread when the indexing thread fails.
 */
export async function embedChunks(
  indexing: IndexingTools,
  chunks: readonly Chunk[],
  context: ChunkContext,
): Promise<ChunkRow[]> {
  const indexed = (await indexing.thread?.index(chunks, context)) ?? (await indexChunks(indexing, chunks, context))
  const { documentId, kind, firstIndex, labels } = context
  return chunks.map((chunk, index) => {
    const { terms = '', vector = new Float32Array(), windows = new Uint8Array() } = indexed[index] ?? {}
    return { documentId, chunkIndex: firstIndex + index, kind, ...chunk, terms, vector, windows, labels }
  })
}

/** Terms (including heading, section and table header) and vectors of each chunk. */
export async function indexChunks(
  { embedder, analyzer }: IndexingTools,
  chunks: readonly Chunk[],
  context: ChunkContext,
): Promise<ChunkIndex[]> {
  const { kind, heading, language, firstIndex } = context
  const passages = chunks.map((chunk, index) => ({ ...chunk, kind, heading, language, chunkIndex: firstIndex + index }))
  const vectors = await embedPassages(embedder, passages)
  return vectors.map((own, index) => {
    const chunk = chunks[index]
    return { ...own, terms: chunk === undefined ? '' : analyzeChunk(analyzer, chunk, context) }
  })
}

/** Input for embedding a chunk. */
type Passage = Pick<ChunkRow, 'text' | 'section' | 'header' | 'kind' | 'chunkIndex'> & {
  /** Title of the document, or topics of a correction. */
  heading: string
  /** Language of the document: short windows do not show it. `null` if unknown. */
  language: string | null
}

type Vectors = Pick<ChunkRow, 'vector' | 'windows'>

/**
 * Titles are similar to many queries of their field; at full weight they outranked answering
 * passages (docs/relevance.md).
 */
const TITLE_WEIGHT = 0.9

/**
 * Vectors of passages: of the whole passage with heading, section and table header, and of its
 * windows as signed bytes. Windows contain only the passage's own text; the first passage of a
 * document also has its title as a window. Escapes are removed first. Rejects as the embedder does.
 */
async function embedPassages(embedder: Embedder, passages: readonly Passage[]): Promise<Vectors[]> {
  const size = embedder.windowCharacters
  const parts = passages.map((passage) => ({
    whole: decodeEscapes(withHeadings(passage, passage.heading)),
    windows: size === null ? [] : splitWindows(passage.text, size).map((text) => decodeEscapes(text, passage.text)),
    titles: size === null ? [] : titlesOf(passage),
  }))
  const texts = parts.flatMap(({ whole, windows, titles }) => [whole, ...windows, ...titles])
  const languages = parts.flatMap(({ windows, titles }, index) =>
    Array<string | null>(1 + windows.length + titles.length).fill(passages[index]?.language ?? null),
  )
  const vectors = await embedder.embed(texts, 'passage', { languages })
  let next = 0
  return parts.map(({ windows, titles }) => {
    const vector = vectors[next] ?? new Float32Array()
    const own = vectors.slice(next + 1, next + 1 + windows.length)
    next += 1 + windows.length + titles.length
    return { vector, windows: quantize([...own, ...vectors.slice(next - titles.length, next).map(weighTitle)]) }
  })
}

/**
 * The title, for the first chunk of a document. Skips single words, which cover `Untitled` and file
 * names and add little to the chunk's vector.
 */
function titlesOf({ kind, heading, chunkIndex }: Passage): string[] {
  return kind === 'document' && chunkIndex === 0 && /\S\s+\S/.test(heading) ? [decodeEscapes(heading)] : []
}

function weighTitle(vector: Float32Array): Float32Array {
  return vector.map((component) => TITLE_WEIGHT * component)
}

/**
 * Components are within -1..1; quantizing to a signed byte costs no measurable quality
 * (docs/decisions, embedded embedder).
 */
function quantize(vectors: readonly Float32Array[]): Uint8Array {
  const dimensions = vectors[0]?.length ?? 0
  const bytes = new Int8Array(vectors.length * dimensions)
  vectors.forEach((vector, row) => {
    for (let i = 0; i < dimensions; i += 1) bytes[row * dimensions + i] = Math.round((vector[i] ?? 0) * 127)
  })
  return packWindows(bytes)
}

/**
 * Concurrent batches for a remote embedder: the next batch is sent while the last responses are
 * awaited.
 */
const REMOTE_BATCHES_IN_FLIGHT = 2

const UNKNOWN = { heading: '', language: null } as const

type RowEmbedding = {
  embedder: Embedder
  /** Headings and languages of the documents, by id. */
  documents: ReadonlyMap<string, Pick<Passage, 'heading' | 'language'>>
  /** Called before each batch, at most some seconds of work; an exception stops the work. */
  requireGoing: () => void
  /** Called after each batch with its number of chunks. */
  onEmbedded?: ((chunks: number) => void) | undefined
}

/** Replaces the vectors of chunks; terms, labels and texts stay. Rejects as the embedder does. */
export async function embedRows(
  { embedder, documents, requireGoing, onEmbedded }: RowEmbedding,
  rows: readonly ChunkRow[],
): Promise<ChunkRow[]> {
  const slices: (readonly ChunkRow[])[] = []
  for (let start = 0; start < rows.length; start += embedder.chunksAtOnce) {
    slices.push(rows.slice(start, start + embedder.chunksAtOnce))
  }
  const embedded = await mapConcurrent(
    slices,
    embedder.windowCharacters === null ? REMOTE_BATCHES_IN_FLIGHT : 1,
    async (slice) => {
      requireGoing()
      const passages = slice.map((row) => ({ ...row, ...(documents.get(row.documentId) ?? UNKNOWN) }))
      const vectors = await embedPassages(embedder, passages)
      onEmbedded?.(slice.length)
      return slice.map((row, index) => ({ ...row, ...vectors[index] }))
    },
  )
  return embedded.flat()
}

/** Facts shared by all chunks of a document. */
export type ChunkContext = {
  documentId: string
  kind: 'document' | 'correction'
  /** Indexed and embedded with each chunk: the title, or topics of a correction. */
  heading: string
  language: string
  labels: readonly string[]
  /** Index of the first chunk. */
  firstIndex: number
}

/** Search data of a chunk. */
export type ChunkIndex = Pick<ChunkRow, 'terms' | 'vector' | 'windows'>

/**
 * Context of a chunk's terms: its heading (`indexed-facts.ts`), and the document's language if
 * known.
 */
type TermContext = { heading: string; language: string | null }

/**
 * Terms of a chunk for BM25, separated by spaces, including heading, section and table header, as
 * stored in the memory file.
 */
export function analyzeChunk(
  analyzer: Pick<Analyzer, 'terms'>,
  chunk: Pick<Chunk, 'text' | 'section' | 'header'>,
  { heading, language }: TermContext,
): string {
  return analyzer.terms(withHeadings(chunk, heading), language ?? DEFAULT_LANGUAGE).join(' ')
}
