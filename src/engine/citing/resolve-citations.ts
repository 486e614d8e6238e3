import { type CitationMark, parseCitations } from './parse-citations.ts'

/** A source that an answer cites: its number, and where in the answer the mark stands. */
export type PlacedCitation = { index: number; answerStart: number; answerEnd: number }

/** An answer whose every citation has its source. */
export type ResolvedAnswer = {
  answer: string
  /** In order of place; the sources of one mark share it. */
  citations: PlacedCitation[]
  /** Numbers that were cited and are no source, rising, each once. */
  dropped: number[]
}

const CLOSING = /^[\s.,;:!?)\]”’"'»。，；：！？、）]|^$/u

/**
 * Takes out of an answer what it cites beyond the `sources` it was given, numbered from 1, with the white space and
 * the brackets that would be left over; a mark that names others too keeps those. Marks that resolve stay as they are.
 */
export function resolveCitations(text: string, sources: number): ResolvedAnswer {
  const marks = parseCitations(text)
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

function writeMark(text: string, mark: CitationMark, known: readonly number[]): string {
  return known.length === mark.numbers.length ? text.slice(mark.start, mark.end) : `[${known.join(', ')}]`
}

/** What is left of the text before a mark that goes, and how many characters behind it go too. */
function closeGap(before: string, rest: string): { before: string; skip: number } {
  const inBrackets = /[(（]$/u.test(before) && /^[)）]/u.test(rest)
  const left = inBrackets ? before.slice(0, -1) : before
  const skipped = inBrackets ? 1 : 0
  const next = rest.slice(skipped)
  const bare = left.replace(/[ \t\u00a0]{1,16}$/u, '')
  if (bare === '' || bare.endsWith('\n')) return { before: bare, skip: skipped + (/^[ \t]/.test(next) ? 1 : 0) }
  return { before: CLOSING.test(next) ? bare : left, skip: skipped }
}
