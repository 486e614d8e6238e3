import type { Span } from '../../chunking/split-text.ts'
import { ITEM_MARK, LIST_ITEM } from '../../markup.ts'
import { CONTINUING_ITEM, introducesList, NAMED_STEP, readStepNumber } from '../parent-lines.ts'
import { type Passage, sentenceAt } from '../passage.ts'
import { ROW, ROW_START } from '../table-rows.ts'

/** End of an introduction: `You need:`, `**As root:**` */
const INTRODUCTION = /[:：]["'”’»)*_]{0,3}$/
/** A list item or a table row. */
const ITEM = new RegExp(String.raw`^[ \t]*(?:${ITEM_MARK}\s|${NAMED_STEP})|^(?:${ROW_START})`, 'u')
const INDENTED = /^[ \t]+\S/
/** End of a complete sentence. */
export const COMPLETE_SENTENCE = /[.!?…。！？]["'”’»)]*$/u
/**
 * Maximum length of a quoted block. A longer list is cut after whole lines; longer code is omitted.
 */
const MAX_CHARACTERS = 600
const MAX_MARK_CHARACTERS = 40

/** Span of a block; empty if start and end are equal. */
export type IntroducedBlock = Span & { isCode: boolean }
type CodePassage = Pick<Passage, 'text' | 'code'>

/**
 * Finds the code, list or table that a sentence introduces: "As root:" has no meaning alone, nor
 * has `Do not take it` above a list of conditions. Offsets are UTF-16 code units. Linear in the
 * length of the text.
 */
export function findIntroducedBlock(passage: CodePassage, { start, end }: Span): IntroducedBlock {
  const sentence = passage.text.slice(start, end)
  if (INTRODUCTION.test(sentence)) return findBlockBelow(passage, end)
  const isOpen = !COMPLETE_SENTENCE.test(sentence) && !LIST_ITEM.test(sentence)
  const below = isOpen && CONTINUING_ITEM.test(passage.text.slice(end + 1, end + 1 + MAX_MARK_CHARACTERS).trimStart())
  return below ? findBlockBelow(passage, end) : { start: end, end, isCode: false }
}

/** True for a list item or a table row. */
export function isItem(sentence: string): boolean {
  return ITEM.test(sentence)
}

/**
 * Finds the line without which an item is misleading: `Do not take it if` above `- you are
 * allergic`. Returns `null` for items without such a line, or below a heading.
 */
export function findIntroductionOfItem(passage: Passage, place: number): Span | null {
  if (!CONTINUING_ITEM.test(sentenceAt(passage, place))) return null
  for (let above = place - 1; above >= 0; above--) {
    const sentence = sentenceAt(passage, above)
    if (LIST_ITEM.test(sentence)) continue
    return COMPLETE_SENTENCE.test(sentence) || introducesList(passage, above)
      ? null
      : (passage.sentences[above] ?? null)
  }
  return null
}

/**
 * Returns the list of steps around a sentence. Returns `null` if its first step is missing or the
 * list is too long.
 */
export function findStepsAround(passage: Passage, place: number): Span | null {
  let first = place
  while (first > 0 && readStepNumber(sentenceAt(passage, first)) !== 1) first -= 1
  const start = passage.sentences[first]?.start
  const step = passage.sentences[place]
  if (start === undefined || step === undefined) return null
  const end = findEndOfItems(passage.text, start)
  return step.end <= end ? { start, end } : null
}

/**
 * Returns the fenced code around a sentence, with its fences. Returns `null` outside of code or if
 * the code is too long.
 */
export function findCodeAround({ code }: CodePassage, { start, end }: Span): Span | null {
  const around = code.find((span) => span.start <= start && end <= span.end)
  return around === undefined || around.end - around.start > MAX_CHARACTERS ? null : around
}

/**
 * Returns the sentences on the same line, after the sentence with index `after`. Returns `null` if
 * the line is too long.
 */
export function findLineAround({ text, sentences }: Passage, place: number, after: number): Span | null {
  const isSameLine = (at: number) => !text.slice(sentences[at]?.end, sentences[at + 1]?.start).includes('\n')
  let [first, last] = [place, place]
  while (first - 1 > after && isSameLine(first - 1)) first -= 1
  while (last + 1 < sentences.length && isSameLine(last)) last += 1
  const [start, end] = [sentences[first]?.start ?? 0, sentences[last]?.end ?? 0]
  return end - start > MAX_CHARACTERS ? null : { start, end }
}

/** Finds the code, list or table directly below a line end, after at most one empty line. */
export function findBlockBelow({ text, code }: CodePassage, end: number): IntroducedBlock {
  const start = end + (/^[ \t]*\n(?:[ \t]*\n)?/.exec(text.slice(end))?.[0].length ?? 0)
  const nothing = { start: end, end, isCode: false }
  if (start === end) return nothing
  const block = code.find((span) => span.start === start)
  if (block !== undefined) return block.end - end <= MAX_CHARACTERS ? { ...block, isCode: true } : nothing
  const last = findEndOfItems(text, start)
  return last === start ? nothing : { start, end: last, isCode: false }
}

/** A short line, such as `Jonas: churn numbers`, that is neither a sentence nor a heading. */
const SHORT_LINE = /^[ \t]*[\p{L}\p{N}"“„«*_(][^\n]{0,100}(?<![.!?…。！？])$/u

/** Finds at least two short lines directly below a heading, up to an empty line. */
export function findLinesBelow({ text }: CodePassage, end: number): IntroducedBlock {
  const start = end + (/^[ \t]*\n(?:[ \t]*\n)?/.exec(text.slice(end))?.[0].length ?? 0)
  const rest = text.slice(start, start + MAX_CHARACTERS)
  const lines = rest.split('\n')
  const last = lines.findIndex((line) => line.trim() === '')
  const block = last < 0 ? lines : lines.slice(0, last)
  const isList = start > end && block.length > 1 && block.every((line) => SHORT_LINE.test(line.trimEnd()))
  const isCut = last < 0 && start + rest.length < text.length
  const length = (isCut ? block.slice(0, -1) : block).join('\n').trimEnd().length
  return isList ? { start, end: start + length, isCode: false } : { start: end, end, isCode: false }
}

/**
 * Returns the end of the list or table at `start`, including items after an empty line; `start` if
 * there is none.
 */
function findEndOfItems(text: string, start: number): number {
  let last = start
  for (let at = start, isApart = false; at < text.length; ) {
    const next = text.indexOf('\n', at)
    const lineEnd = next === -1 ? text.length : next
    const line = text.slice(at, lineEnd)
    const isEmpty = line.trim() === ''
    const belongs = isApart ? continuesList(line) : ITEM.test(line) || (last > start && INDENTED.test(line))
    if ((isEmpty && (isApart || last === start)) || (!isEmpty && !belongs) || lineEnd - start > MAX_CHARACTERS) break
    if (!isEmpty) last = at + line.trimEnd().length
    isApart = isEmpty
    at = lineEnd + 1
  }
  return last
}

/**
 * True if a line after an empty line continues the list: the next item, or more of the last one. A
 * first step starts a new list.
 */
function continuesList(line: string): boolean {
  return INDENTED.test(line) || (ITEM.test(line) && !ROW.test(line) && readStepNumber(line) !== 1)
}
