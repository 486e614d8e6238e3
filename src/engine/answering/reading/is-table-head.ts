import { type Passage, sentenceAt } from '../passage.ts'

/** A row of a Markdown table. */
export const ROW = /^\s*\|/
/** The line of dashes below the head of a Markdown table. */
export const TABLE_RULE = /^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?$/

/** True for the row that names the columns of a Markdown table. */
export function isTableHead(passage: Passage, place: number): boolean {
  return sentenceAt(passage, place).includes('|') && TABLE_RULE.test(sentenceAt(passage, place + 1))
}
