import { withoutEscapes } from '../../../engine/analysis/escapes.ts'
import { splitWindows, withSurroundings } from '../../../engine/chunking/chunk.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import type { Embedder } from '../../../models/embedder.ts'

/** What is embedded of a chunk. */
export type Passage = Pick<ChunkRow, 'text' | 'section' | 'header' | 'kind' | 'chunkIndex'> & {
  /** The title of its document, or a correction's topics. */
  heading: string
}

/** How a chunk is found by its meaning. */
export type Vectors = Pick<ChunkRow, 'vector' | 'windows'>

/** A title is near to many queries of its field: counted in full it went before passages that answer (docs/relevance.md). */
const TITLE_WEIGHT = 0.9

/**
 * The vectors of passages, of one or of several documents: of each as a whole, under its heading, section and table header; and, as signed bytes, of its
 * windows, which are its own text alone, and with a document's first passage its title. Texts are read without their escapes. Rejects as the embedder does.
 */
export async function embedPassages(embedder: Embedder, passages: readonly Passage[]): Promise<Vectors[]> {
  const size = embedder.windowCharacters
  const parts = passages.map((passage) => ({
    whole: withoutEscapes(withSurroundings(passage, passage.heading)),
    windows: size === null ? [] : splitWindows(passage.text, size).map((text) => withoutEscapes(text, passage.text)),
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

/** The title, with the first of a document's chunks. `Untitled` and the name of a file say nothing, and one word little that the chunk's own vector does not. */
function titlesOf({ kind, heading, chunkIndex }: Passage): string[] {
  return kind === 'document' && chunkIndex === 0 && /\S\s+\S/.test(heading) ? [withoutEscapes(heading)] : []
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
