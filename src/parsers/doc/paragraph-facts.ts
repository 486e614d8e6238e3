import { findRun } from './formatted-pages.ts'
import { CHANGES, OLD_CHANGES, readChanges, readOldChanges } from './property-changes.ts'
import type { WordFile } from './word-file.ts'

/** What the properties of a paragraph say. */
export type ParagraphFacts = {
  isInTable: boolean
  isRowEnd: boolean
  /** Ends a cell, or a row, of a table inside a cell. */
  isInnerEnd: boolean
  isHeaderRow: boolean
  headingLevel: number | null
  /** Number of its list from 1; 0 or `null`: none. */
  list: number | null
  listLevel: number
}

/** The facts of the paragraph whose end mark lies at `place`; those of plain text where nothing is known. */
export function getParagraphFacts(word: WordFile, place: number): ParagraphFacts {
  const properties = findRun(word.paragraphs, place)?.properties ?? Buffer.alloc(0)
  const style = properties.length < 2 ? null : (word.styles[properties.readUInt16LE(0)] ?? null)
  const facts: ParagraphFacts = {
    isInTable: false,
    isRowEnd: false,
    isInnerEnd: false,
    isHeaderRow: false,
    headingLevel: style?.headingLevel ?? null,
    list: style?.list ?? null,
    listLevel: style?.listLevel ?? 0,
  }
  if (properties.length <= 2) return facts
  const changes = properties.subarray(2)
  if (word.header.version === 97) readChanges(changes, (code, operand) => apply(facts, code, operand))
  else readOldChanges(changes, (code, operand) => applyOld(facts, code, operand))
  return facts
}

function apply(facts: ParagraphFacts, code: number, operand: number): void {
  if (code === CHANGES.inTable) facts.isInTable = operand === 1
  else if (code === CHANGES.rowEnd) facts.isRowEnd = operand === 1
  else if (code === CHANGES.innerCellEnd || code === CHANGES.innerRowEnd) facts.isInnerEnd = operand === 1
  else if (code === CHANGES.headerRow) facts.isHeaderRow = operand === 1
  else if (code === CHANGES.list) facts.list = operand
  else if (code === CHANGES.listLevel) facts.listLevel = operand
  else if (code === CHANGES.outlineLevel) facts.headingLevel = operand < 9 ? operand + 1 : facts.headingLevel
}

function applyOld(facts: ParagraphFacts, code: number, operand: number): void {
  if (code === OLD_CHANGES.inTable) facts.isInTable = operand === 1
  else if (code === OLD_CHANGES.rowEnd) facts.isRowEnd = operand === 1
}
