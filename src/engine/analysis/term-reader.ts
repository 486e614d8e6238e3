import { createSegmentTable } from './segment-table.ts'

/** The terms of a text, in order. */
export type TermReader = (text: string) => string[]

/** Space and all controls before it: no word has one in it. */
const SPACE = 0x20
const SMALL = 0x20
const PLUS = 0x2b
const NUMBER_SIGN = 0x23

/**
 * A reader over `readSegment`, which gives the terms of a piece of text. A text of words and spaces repeats its pieces between spaces, so that
 * most are looked up. Same terms as those of the whole text: no word reaches over white space, and none begins or ends with a mark
 * but for those of `C++` and `C#`.
 */
export function createTermReader(readSegment: (segment: string) => readonly string[]): TermReader {
  const table = createSegmentTable(readSegment)

  function addTerms(terms: string[], text: string, from: number, to: number): void {
    let start = from
    let end = to
    while (start < end && isMark(text.charCodeAt(start))) start += 1
    while (start < end && isEndMark(text.charCodeAt(end - 1))) end -= 1
    if (start === end) return
    for (const term of table.find(text, start, end)) terms.push(term)
  }

  return (text) => {
    const terms: string[] = []
    let start = 0
    for (let at = 0; at < text.length; at += 1) {
      if (text.charCodeAt(at) > SPACE) continue
      addTerms(terms, text, start, at)
      start = at + 1
    }
    addTerms(terms, text, start, text.length)
    return terms
  }
}

/** An ASCII character that is neither a letter nor a digit. */
function isMark(code: number): boolean {
  const small = code | SMALL
  return code < 0x80 && !(small >= 0x61 && small <= 0x7a) && !(code >= 0x30 && code <= 0x39)
}

function isEndMark(code: number): boolean {
  return isMark(code) && code !== PLUS && code !== NUMBER_SIGN
}
