import type { Block } from '../../parse-event.ts'
import type { OfficeEvent } from '../office-block.ts'
import { looksLikeHeader, toParagraph, toTable, toTableRow } from '../office-block.ts'

/** A cell of an open row. */
export type Cell = {
  /** Content of the cell, in order. */
  events: OfficeEvent[]
  /** Number of columns spanned. */
  span: number
  /** `begin`: first row of a vertically merged cell; `continue`: a further row. */
  merge: 'begin' | 'continue' | null
}

/** Builds a table row by row. */
export type TableBuilder = {
  /** Adds a row and returns the events determined so far. */
  addRow(cells: readonly Cell[], isHeader: boolean): OfficeEvent[]
  /** Returns the held row. */
  end(): OfficeEvent[]
}

/**
 * A cell merged over rows is repeated in each, so that every row makes sense alone. Long texts are
 * not repeated.
 */
const MAX_REPEATED_CHARACTERS = 200
/** Longer rows are page layout, not tables. */
const MAX_ROW_CHARACTERS = 2_000
const MAX_LINE_CHARACTERS = 500
const MAX_COLUMNS = 200

/**
 * Creates the builder of a table. The first row is a header if the file marks one or its cells look
 * like names. A title over all columns may precede the header.
 */
export function createTableBuilder(): TableBuilder {
  let rows = 0
  /** The file marks a header row, so long rows are data and never page layout. */
  let hasColumns = false
  let isBegun = false
  let first: string[] | null = null
  const merged = new Map<number, string>()

  function releaseHeldRow(isFollowed: boolean): OfficeEvent[] {
    if (first === null) return []
    const block = toTableRow(first, isFollowed && looksLikeHeader(first) ? 'table-header' : 'table-row')
    first = null
    return emitRow(block)
  }

  function emitRow(row: Block | null): OfficeEvent[] {
    if (row === null) return []
    const blocks = isBegun ? [row] : toTable([row])
    isBegun = true
    return blocks.map((block) => ({ block }))
  }

  function addTextRow(texts: string[], isHeader: boolean): OfficeEvent[] {
    const before = releaseHeldRow(true)
    if (rows === 1 && !isHeader) {
      first = texts
      return before
    }
    return [...before, ...emitRow(toTableRow(texts, isHeader && rows < 10 ? 'table-header' : 'table-row'))]
  }

  return {
    addRow(cells, isHeader) {
      if (rows > 0 || isHeader || !isTitleRow(cells)) rows += 1
      const objects = cells.flatMap(({ events }) => events.filter((event) => 'object' in event))
      if (cells.some(containsTable) || (!hasColumns && isLayoutRow(cells))) {
        return [...releaseHeldRow(false), ...cells.flatMap(({ events }) => separateBoxes(events))]
      }
      hasColumns ||= isHeader && cells.length > 1
      return [...addTextRow(toCellTexts(cells, merged), isHeader), ...objects]
    },
    end: () => releaseHeldRow(false),
  }
}

/** A single cell over several columns. */
function isTitleRow(cells: readonly Cell[]): boolean {
  return cells.length === 1 && (cells[0]?.span ?? 1) > 1
}

/** A nested table with several rows. A single line of text would merge its rows. */
function containsTable({ events }: Cell): boolean {
  return events.filter((event) => 'block' in event && event.block.kind.startsWith('table')).length > 1
}

/** A single cell with several paragraphs, or cells with many: boxes of a page layout. */
function isLayoutRow(cells: readonly Cell[]): boolean {
  const filled = cells.filter(({ events }) => events.length > 0)
  const longest = Math.max(0, ...filled.map(({ events }) => events.length))
  if (filled.length === 1 && cells.length === 1) return longest > 1 || countCharacters(filled) > MAX_LINE_CHARACTERS
  return longest > 2 && countCharacters(filled) > MAX_ROW_CHARACTERS
}

function countCharacters(cells: readonly Cell[]): number {
  return cells.flatMap(({ events }) => events).reduce((sum, event) => sum + toCellText(event).length, 0)
}

/**
 * Rows nested in a layout box stay rows. A blank line after the last row separates the next box.
 */
function separateBoxes(events: readonly OfficeEvent[]): OfficeEvent[] {
  const last = events.at(-1)
  if (last === undefined || !('block' in last) || last.block.kind === 'paragraph') return [...events]
  return events.map((event) => (event === last ? { block: endWithBlankLine(last.block) } : event))
}

function endWithBlankLine(block: Block): Block {
  return { ...block, text: `${block.text.trimEnd()}\n\n` }
}

function toCellTexts(cells: readonly Cell[], merged: Map<number, string>): string[] {
  const texts: string[] = []
  for (const cell of cells) {
    const column = texts.length
    if (column >= MAX_COLUMNS) break
    const own = cell.events
      .map(toCellText)
      .filter((text) => text !== '')
      .join(' ')
    if (cell.merge === 'begin' && own.length <= MAX_REPEATED_CHARACTERS) merged.set(column, own)
    else if (cell.merge !== 'continue') merged.delete(column)
    texts.push(cell.merge === 'continue' && own === '' ? (merged.get(column) ?? '') : own)
    for (let more = 1; more < Math.min(cell.span, MAX_COLUMNS); more += 1) texts.push('')
  }
  return texts
}

function toCellText(event: OfficeEvent): string {
  return 'block' in event ? (toParagraph(event.block.text)?.text.trim() ?? '') : ''
}
