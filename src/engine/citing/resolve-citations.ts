import type { Span } from '../chunking/split-text.ts'
import { findCode } from '../markup.ts'

/** A source that an answer cites: its number, and where in the answer the mark stands. */
export type PlacedCitation = { index: number; answerStart: number; answerEnd: number }

/** An answer whose every citation has its source. */
type ResolvedAnswer = {
  answer: string
  /** In order of place; the sources of one mark share it. */
  citations: PlacedCitation[]
  /** Numbers that were cited and are no source, rising, each once. */
  dropped: number[]
}

const CLOSING = /^[\s.,;:!?)\]”’"'»。，；：！？、）]|^$/u

/**
 * Takes out of an answer what it cites beyond the `sources` it was given, numbered from 1, with the
 * white space and the brackets that would be left over; a mark that names others too keeps those.
 * Marks that resolve stay as they are.
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

/** A mark such as `[1]`, `[1, 2]` or `[1-3]` and the numbers it names, in order, each once. */
type CitationMark = Span & { numbers: number[] }

const MARK = /\[ ?\d{1,3}(?: ?[,;–-] ?\d{1,3}){0,31} ?\]/gu
/**
 * What a source's number never follows: an assignment, a call, another list's bracket, a link's
 * text.
 */
const LIST_BEFORE = /[=([{@#$]\s?$/u
const LINK_OR_CODE_AFTER = /^(?:\(|:\s|\.\p{L}|\s?[=+*/]=?\s)/u
/** A name that only code has: `items_2`, `rowOf`, `x1`; or no word at all, as in `)[1]`. */
const CODE_NAME = /(?:[_\d][\p{L}\p{N}_]*|\p{Ll}\p{Lu}\p{L}*|\))$/u
const REACH_CHARACTERS = 48

/**
 * The citations in an answer, in order. Brackets in code, in links, behind a code name, in a list
 * of a list, and with anything but small numbers in them are text. Linear in the length of the
 * answer.
 */
export function parseCitations(answer: string): CitationMark[] {
  const code = findCodeSpans(answer)
  const marks: CitationMark[] = []
  let place = 0
  for (const match of answer.matchAll(MARK)) {
    const start = match.index
    const end = start + match[0].length
    while ((code[place]?.end ?? Number.POSITIVE_INFINITY) <= start) place += 1
    const isCode = (code[place]?.start ?? Number.POSITIVE_INFINITY) < end
    const followsMark = marks.at(-1)?.end === start
    if (isCode || (!followsMark && isText(answer, start)) || LINK_OR_CODE_AFTER.test(answer.slice(end, end + 8)))
      continue
    const numbers = readNumbers(match[0])
    if (numbers.length > 0) marks.push({ start, end, numbers })
  }
  return marks
}

function isText(answer: string, start: number): boolean {
  const before = answer.slice(Math.max(0, start - REACH_CHARACTERS), start)
  return LIST_BEFORE.test(before) ? !/(?:^|\s)\($/.test(before) : CODE_NAME.test(before)
}

/** Empty for a range that falls. */
function readNumbers(mark: string): number[] {
  const numbers = new Set<number>()
  for (const part of mark.slice(1, -1).split(/[,;]/)) {
    const [first = 0, ...rest] = part.split(/[–-]/).map(Number)
    const last = rest.at(-1) ?? first
    if (rest.length > 1 || last < first) return []
    for (let number = first; number <= last; number++) numbers.add(number)
  }
  return [...numbers]
}

const BACKTICKS = /`+/g

/**
 * The code in a Markdown text, in order: fenced blocks, and what stands between equal runs of
 * backticks. Linear in the length of the text.
 */
function findCodeSpans(text: string): Span[] {
  const spans: Span[] = []
  let from = 0
  for (const fence of [...findCode(text), { start: text.length, end: text.length }]) {
    for (const { start, end } of findInline(text.slice(from, fence.start)))
      spans.push({ start: from + start, end: from + end })
    if (fence.end > fence.start) spans.push(fence)
    from = fence.end
  }
  return spans
}

function findInline(text: string): Span[] {
  const runs = [...text.matchAll(BACKTICKS)].map((match) => ({ start: match.index, length: match[0].length }))
  // Known beforehand, so that a run that is never closed is not looked for through the whole text.
  const lastOf = new Map(runs.map(({ length }, index) => [length, index]))
  const spans: Span[] = []
  for (let index = 0; index < runs.length; index++) {
    const open = runs[index]
    if (open === undefined || (lastOf.get(open.length) ?? 0) <= index) continue
    let close = index + 1
    while (runs[close]?.length !== open.length) close += 1
    const end = (runs[close]?.start ?? 0) + open.length
    spans.push({ start: open.start, end })
    index = close
  }
  return spans
}
