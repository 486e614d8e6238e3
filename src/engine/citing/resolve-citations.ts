import type { Span } from '../chunking/split-text.ts'
import { findCode } from '../markup.ts'

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
 * with other numbers keeps those. Valid marks stay unchanged.
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

/** A mark such as `[1]`, `[1, 2]` or `[1-3]`, with its distinct numbers in order. */
type CitationMark = Span & { numbers: number[] }

const MARK = /\[ ?\d{1,3}(?: ?[,;–-] ?\d{1,3}){0,31} ?\]/gu
/**
 * Contexts in which brackets are no citation: an assignment, a call, a nested list, a link text.
 */
const LIST_BEFORE = /[=([{@#$]\s?$/u
const LINK_OR_CODE_AFTER = /^(?:\(|:\s|\.\p{L}|\s?[=+*/]=?\s)/u
/** A name from code: `items_2`, `rowOf`, `x1`; or a closing bracket, as in `)[1]`. */
const CODE_NAME = /(?:[_\d][\p{L}\p{N}_]*|\p{Ll}\p{Lu}\p{L}*|\))$/u
const REACH_CHARACTERS = 48

/**
 * Parses the citations in an answer, in order. Ignores brackets in code, in links, after a code
 * name, in nested lists, and with anything but small numbers. Linear in the length of the answer.
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

/** Empty for a descending range. */
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
 * Returns code spans of a Markdown text, in order: fenced blocks and text between equal runs of
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
  // Precomputed, so that an unclosed run does not scan the whole text.
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
