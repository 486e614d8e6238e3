import type { Chunk } from '../../../src/engine/chunking/chunk.ts'
import { wordBorder } from '../../../src/engine/chunking/split-text.ts'

/**
 * Windows of at most `characters`, each starting `overlap` characters before the end of the
 * previous window.
 */
export type FixedWindows = { characters: number; overlap: number }

/** Cuts a text into windows of one size at word borders, without regard to structure. */
export function cutFixed(text: string, { characters, overlap }: FixedWindows): Chunk[] {
  const chunks: Chunk[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + wordBorder(text.slice(start, start + characters + 2), characters)
    const raw = text.slice(start, end)
    const startOffset = start + raw.length - raw.trimStart().length
    const own = raw.trim()
    const place = { startOffset, endOffset: startOffset + own.length, page: null, pageEnd: null }
    if (own !== '') chunks.push({ text: own, ...place, section: null, header: null })
    if (end >= text.length) break
    // The first word that starts within the overlap; missing where a word is longer.
    const border = text.slice(end - overlap, end).search(/\s\S/u)
    start = border < 0 ? end : Math.max(start + 1, end - overlap + border + 1)
  }
  return chunks
}
