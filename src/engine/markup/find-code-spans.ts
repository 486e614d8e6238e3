import type { Span } from '../chunking/split-text.ts'
import { findCode } from './find-code.ts'

const BACKTICKS = /`+/g

/** The code in a Markdown text, in order: fenced blocks, and what stands between equal runs of backticks. Linear in the length of the text. */
export function findCodeSpans(text: string): Span[] {
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
