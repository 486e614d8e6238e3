import type { Chunk } from '../../../src/engine/chunking/chunk.ts'
import { wordBorder } from '../../../src/engine/chunking/split-text.ts'

/** Windows of at most `characters`, each beginning `overlap` characters before the end of the one before it. */
export type FixedWindows = { characters: number; overlap: number }

/** Cuts a text into windows of one size, at borders of words and without a look at anything else: what is done where structure is not read. */
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
    // The first word that begins within the overlap; none where a word is longer.
    const border = text.slice(end - overlap, end).search(/\s\S/u)
    start = border < 0 ? end : Math.max(start + 1, end - overlap + border + 1)
  }
  return chunks
}
