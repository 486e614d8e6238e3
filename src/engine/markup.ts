import type { Span } from './chunking/split-text.ts'

/**
 * A Markdown fence and the text after its mark; `code` in three backticks within a line is none
 * (CommonMark 0.31).
 */
const FENCE = /^[ \t]{0,12}(?:(`{3,})(?=[^`\n]*$)|(~{3,}))(.*)$/gm
const BLANK_ABOVE = /(?:^|\n)[ \t]*\n$/
const BLANK_BELOW = /^(?:\n[ \t]*(?:\n|$)|$)/
/** Enough characters to see whether the next line is blank. */
const REACH_CHARACTERS = 100

type Fence = Span & { mark: string; info: string }

/**
 * Returns the fenced code of a text with its fences, in order; unclosed code extends to the end.
 * Linear in the length of the text.
 */
export function findCode(text: string): Span[] {
  return pairFences(text, listFences(text), null)
}

/** Same for a passage, which may begin within code. */
export function findCodeOfPassage(text: string): Span[] {
  const fences = listFences(text)
  return pairFences(text, fences, findFenceBefore(text, fences))
}

function listFences(text: string): Fence[] {
  return [...text.matchAll(FENCE)].map(({ 0: line, 1: backticks, 2: tildes, 3: info = '', index }) => {
    return { start: index, end: index + line.length, mark: backticks ?? tildes ?? '', info: info.trim() }
  })
}

/** A block ends at a bare fence of the same mark that is at least as long. */
function pairFences(text: string, fences: readonly Fence[], before: Pick<Fence, 'start' | 'mark'> | null): Span[] {
  const spans: Span[] = []
  let open = before
  for (const fence of fences) {
    if (open === null) open = fence
    else if (fence.info === '' && fence.mark.startsWith(open.mark)) {
      spans.push({ start: open.start, end: fence.end })
      open = null
    }
  }
  return open === null ? spans : [...spans, { start: open.start, end: text.length }]
}

/**
 * Returns the missing opening fence of a passage that begins within code. The first fence is then
 * bare, with a blank line only below, or a second opening fence follows. Without such evidence, an
 * odd number of fences decides.
 */
function findFenceBefore(text: string, [first, ...rest]: readonly Fence[]): Pick<Fence, 'start' | 'mark'> | null {
  if (first === undefined || first.info !== '' || first.start === 0) return null
  const isAbove = BLANK_ABOVE.test(text.slice(Math.max(0, first.start - REACH_CHARACTERS), first.start))
  const isBelow = BLANK_BELOW.test(text.slice(first.end, first.end + REACH_CHARACTERS))
  const [next] = rest
  const opensNext = next?.info !== '' && next?.mark.startsWith(first.mark) === true
  const isEnd = opensNext || (isAbove === isBelow ? rest.length % 2 === 0 : isBelow)
  return isEnd ? { start: 0, mark: first.mark } : null
}

/**
 * Mark of a list item, for a pattern with the flag `u`; white space follows. Excludes `z. B.` and
 * `i. e.`.
 */
export const ITEM_MARK = String.raw`(?:[-*+•‣◦▪·–—]|\(?(?:\d{1,3}|\p{Ll})\)|\d{1,3}\.|\p{Ll}\.(?! ?\p{L}\.))`

/** Start of a code fence. */
export const FENCE_MARK = '(?:`{3}|~{3})'
