import type { RecognizedBlock } from '../recognizer.ts'

/** Words as two readers of the same page can be compared by: without case, marks and forms of letters. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** A multiset of words. */
type WordCounts = Map<string, number>

/** How often each word stands there. */
export function countWords(words: readonly string[]): WordCounts {
  const counts: WordCounts = new Map()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** How many of the words are among `counts`, each of which serves once; takes what it finds out of `counts`. */
export function takeMatches(words: readonly string[], counts: WordCounts): number {
  let common = 0
  for (const word of words) {
    const left = counts.get(word) ?? 0
    if (left === 0) continue
    counts.set(word, left - 1)
    common += 1
  }
  return common
}

type Box = RecognizedBlock['bbox']

/** What a transcript that no second reader confirms is worth: as often wrong as right, for all that anybody knows. */
const UNCONFIRMED = 0.5
/** A block belongs to the paragraph that has most of its words, and at least this share. */
const MIN_SHARE = 0.5

/**
 * The paragraphs of a transcript as blocks. A model says neither where a text stands nor how sure it is. The boxes are those of the embedded
 * engine's blocks with the same words, or the whole picture where it has none. The confidence is 0.5 and half the share of words that the engine
 * read as well: two readers that know nothing of each other agree on what is there.
 */
export function placeParagraphs(
  text: string,
  { blocks, width, height }: { blocks: readonly RecognizedBlock[]; width: number; height: number },
): RecognizedBlock[] {
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.trim())
  const written = paragraphs.filter((paragraph) => paragraph !== '')
  const words = written.map(wordsOf)
  const boxes = words.map((): Box | null => null)
  for (const block of blocks) {
    const at = indexOfOwner(wordsOf(block.text), words)
    if (at !== null) boxes[at] = union(boxes[at] ?? null, block.bbox)
  }
  const read = countWords(blocks.flatMap((block) => wordsOf(block.text)))
  return written.map((paragraph, at) => {
    const own = words[at] ?? []
    const share = own.length === 0 ? 0 : takeMatches(own, read) / own.length
    const confidence = Math.round((UNCONFIRMED + (1 - UNCONFIRMED) * share) * 1000) / 1000
    return { text: paragraph, confidence, bbox: boxes[at] ?? [0, 0, width, height] }
  })
}

function indexOfOwner(words: readonly string[], paragraphs: readonly (readonly string[])[]): number | null {
  let best: { at: number; common: number } | null = null
  for (const [at, paragraph] of paragraphs.entries()) {
    const common = takeMatches(words, countWords(paragraph))
    if (common >= words.length * MIN_SHARE && common > (best?.common ?? 0)) best = { at, common }
  }
  return best?.at ?? null
}

function union(one: Box | null, other: Box): Box {
  if (one === null) return other
  const [left, top] = [Math.min(one[0], other[0]), Math.min(one[1], other[1])]
  const right = Math.max(one[0] + one[2], other[0] + other[2])
  const bottom = Math.max(one[1] + one[3], other[1] + other[3])
  return [left, top, right - left, bottom - top]
}
