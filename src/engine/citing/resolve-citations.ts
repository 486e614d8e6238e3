import { type CitationMark, parseCitations } from './parse-citations.ts'

/** A cited source number, and the offset of its mark in the answer. */
export type PlacedCitation = { index: number; answerStart: number; answerEnd: number }

/** An answer in which every citation has a source. */
type ResolvedAnswer = {
  answer: string
  /** In order; sources of one mark share its offset. */
  citations: PlacedCitation[]
  /** Distinct cited numbers without a source, ascending. */
  dropped: number[]
}

const CLOSING = /^[\s.,;:!?)\]”’"'»。，；：！？、）]|^$/u

/**
 * Removes citations beyond `sources` from an answer, with leftover white space and brackets. A mark
 * with other numbers keeps those. Marks in other forms become `[1]` or `[1, 2]`. For `isQuoted` see
 * {@link parseCitations}.
 */
export function resolveCitations(text: string, sources: number, isQuoted?: (words: string) => boolean): ResolvedAnswer {
  const marks = parseCitations(text, isQuoted)
  const citations: PlacedCitation[] = []
  const dropped = new Set<number>()
  let answer = ''
  let position = 0
  for (const mark of marks) {
    const known = mark.numbers.filter((number) => number >= 1 && number <= sources)
    for (const number of mark.numbers) if (!known.includes(number)) dropped.add(number)
    answer += text.slice(position, mark.start)
    if (known.length > 0) {
      const written = writeMark(text, mark, known)
      const place = { answerStart: answer.length, answerEnd: answer.length + written.length }
      for (const index of known) citations.push({ index, ...place })
      answer += written
      position = mark.end
    } else {
      const rest = text.slice(mark.end, mark.end + 2)
      const closed = closeGap(answer, rest)
      answer = closed.before
      position = mark.end + closed.skip
    }
  }
  return { answer: answer + text.slice(position), citations, dropped: [...dropped].sort((a, b) => a - b) }
}

/** Maximum number of looked up words of one answer; few answers quote code at all. */
const MAX_QUOTED_WORDS = 100

/** Creates a test that is true for words that a source contains verbatim. */
export function createQuotedTest(sources: readonly string[]): (words: string) => boolean {
  const known = new Map<string, boolean>()
  return (words) => {
    const found = known.get(words) ?? (known.size < MAX_QUOTED_WORDS && sources.some((text) => text.includes(words)))
    if (known.size < MAX_QUOTED_WORDS) known.set(words, found)
    return found
  }
}

function writeMark(text: string, mark: CitationMark, known: readonly number[]): string {
  const isKept = mark.isPlain && known.length === mark.numbers.length
  return isKept ? text.slice(mark.start, mark.end) : `[${known.join(', ')}]`
}

/** Returns the text before a removed mark, and the number of characters to skip after it. */
function closeGap(before: string, rest: string): { before: string; skip: number } {
  const inBrackets = /[(（]$/u.test(before) && /^[)）]/u.test(rest)
  const left = inBrackets ? before.slice(0, -1) : before
  const skipped = inBrackets ? 1 : 0
  const next = rest.slice(skipped)
  const bare = left.replace(/[ \t\u00a0]{1,16}$/u, '')
  if (bare === '' || bare.endsWith('\n')) return { before: bare, skip: skipped + (/^[ \t]/.test(next) ? 1 : 0) }
  return { before: CLOSING.test(next) ? bare : left, skip: skipped }
}
