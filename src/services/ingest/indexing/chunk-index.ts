import type { ChunkRow } from '../../../memory-file/memory-file.ts'

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
