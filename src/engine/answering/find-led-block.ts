import type { Span } from '../chunking/split-text.ts'
import { findCode } from './find-code.ts'

/** What a sentence says that leads in what stands below it: `You need:`, `**As root:**` */
const LEADS_IN = /[:：]["'”’»)*_]{0,3}$/
/** An item of a list, or a row of a table. */
const ITEM = /^[ \t]*(?:[-*+•–◦‣]\s|\(?\d{1,3}[.)]\s|\|)/
const INDENTED = /^[ \t]+\S/
/** More than that is no answer any more but a page: of a list as many whole lines, of code all or nothing. */
const MOST_CHARACTERS = 600

/** What stands below an offset: where it begins and ends; nothing where both are the same. */
export type LedBlock = Span & { isCode: boolean }

/** The code, list or table that a sentence leads in: "As root:" alone says nothing. Offsets in UTF-16 code units; linear in the length of the text. */
export function findLedBlock(text: string, { start, end }: Span): LedBlock {
  return LEADS_IN.test(text.slice(start, end)) ? findBlockBelow(text, end) : { start: end, end, isCode: false }
}

/** The code, list or table right below an offset, which is the end of a line, with an empty line between at most. */
export function findBlockBelow(text: string, end: number): LedBlock {
  const start = end + (/^[ \t]*\n(?:[ \t]*\n)?/.exec(text.slice(end))?.[0].length ?? 0)
  const nothing = { start: end, end, isCode: false }
  if (start === end) return nothing
  const code = findCode(text).find((span) => span.start === start)
  if (code !== undefined) return code.end - end <= MOST_CHARACTERS ? { ...code, isCode: true } : nothing
  let last = end
  for (let at = start; at < text.length; ) {
    const next = text.indexOf('\n', at)
    const lineEnd = next === -1 ? text.length : next
    const line = text.slice(at, lineEnd)
    const belongs = ITEM.test(line) || (last > end && INDENTED.test(line))
    if (!belongs || lineEnd - end > MOST_CHARACTERS) break
    last = at + line.trimEnd().length
    at = lineEnd + 1
  }
  return last === end ? nothing : { start, end: last, isCode: false }
}
