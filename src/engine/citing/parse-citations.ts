import type { Span } from '../chunking/split-text.ts'
import { findCodeSpans } from '../markup/find-code-spans.ts'

/** A mark such as `[1]`, `[1, 2]` or `[1-3]` and the numbers it names, in order, each once. */
export type CitationMark = Span & { numbers: number[] }

const MARK = /\[ ?\d{1,3}(?: ?[,;–-] ?\d{1,3}){0,31} ?\]/gu
/** What a source's number never follows: an assignment, a call, another list's bracket, a link's text. */
const LIST_BEFORE = /[=([{@#$]\s?$/u
const LINK_OR_CODE_AFTER = /^(?:\(|:\s|\.\p{L}|\s?[=+*/]=?\s)/u
/** A name that only code has: `items_2`, `rowOf`, `x1`; or no word at all, as in `)[1]`. */
const CODE_NAME = /(?:[_\d][\p{L}\p{N}_]*|\p{Ll}\p{Lu}\p{L}*|\))$/u
const REACH_CHARACTERS = 48

/**
 * The citations in an answer, in order. Brackets in code, in links, behind a code name, in a list of a list, and with
 * anything but small numbers in them are text. Linear in the length of the answer.
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
