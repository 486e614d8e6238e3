import type { Analyzer } from '../../../engine/analysis/analyzer.ts'
import { DEFAULT_LANGUAGE } from '../../../engine/analysis/languages.ts'
import type { Chunk } from '../../../engine/chunking/chunk.ts'
import { withSurroundings } from '../../../engine/chunking/chunk.ts'

/** What the terms of a chunk rest on beside itself: what it stands under (`heading-of.ts`), and the language of its document where that is known. */
export type ChunkSurroundings = { heading: string; language: string | null }

/** The terms by which BM25 finds a chunk, those of heading, section and table header included, with a blank between them: what stands in the memory file. */
export function analyzeChunk(
  analyzer: Pick<Analyzer, 'terms'>,
  chunk: Pick<Chunk, 'text' | 'section' | 'header'>,
  { heading, language }: ChunkSurroundings,
): string {
  return analyzer.terms(withSurroundings(chunk, heading), language ?? DEFAULT_LANGUAGE).join(' ')
}
