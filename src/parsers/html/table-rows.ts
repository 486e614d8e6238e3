import { looksLikeHeader } from '../ooxml/office-block.ts'
import type { Block } from '../parse-event.ts'
import { type CellSpan, createRowSpans, type PlacedCell, type RowSpans } from './row-spans.ts'

/** Takes the blocks of a document whose tables are marked, and gives them out with each row of a table as one block. */
type TableRows = {
  /** A block of a cell, or of what stands outside tables; `isBold`: all its words are. */
  add(block: Block, isBold?: boolean): void
  beginTable(): void
  endTable(): void
  /** A part of the table begins, or what follows one; `isHead`: a `thead`. */
  beginPart(isHead: boolean): void
  beginRow(): void
  endRow(): void
  beginCell(isHeader: boolean, span: CellSpan): void
}

type Cell = { blocks: Block[]; isHeader: boolean; isBold: boolean; span: CellSpan }
type Row = { cells: Cell[]; isHead: boolean; characters: number; isLaidOut: boolean }
type Table = { row: Row | null; spans: RowSpans; isInHead: boolean; hasColumns: boolean; isEmpty: boolean }

/** A cell with more is not a field of a table but a part of a page that a table lays out. */
const MAX_CELL_BLOCKS = 6
const MAX_ROW_CHARACTERS = 6000

/**
 * Makes the gatherer of rows. Cells are joined by ` | `; one over several rows stands in each. Tables that lay out a page (a cell with headings, with
 * another table, with lines of code, with a page of text, or the only one of every row) come out as the blocks in them. Holds one row at a time.
 */
export function createTableRows(emit: (block: Block) => void): TableRows {
  const tables: Table[] = []
  /** Tables opened beyond those that are followed, which take their cells as paragraphs. */
  let deeper = 0

  /** The table that the parts belong to; `undefined` outside of one, and in one beyond those that are followed. */
  function openTable(): Table | undefined {
    return deeper > 0 ? undefined : tables.at(-1)
  }

  return {
    add(block, isBold = false) {
      const row = tables.at(-1)?.row
      const cell = row?.cells.at(-1)
      if (row === null || row === undefined || cell === undefined || row.isLaidOut) return emit(block)
      cell.blocks.push(block)
      cell.isBold &&= isBold
      row.characters += block.text.length
      if (block.kind === 'heading' || isListing(block) || row.characters > MAX_ROW_CHARACTERS) layOut(row, emit)
    },
    beginTable() {
      const row = tables.at(-1)?.row
      if (row !== null && row !== undefined && !row.isLaidOut) layOut(row, emit)
      if (tables.length < MAX_TABLE_DEPTH) tables.push(emptyTable())
      else deeper += 1
    },
    endTable() {
      if (deeper > 0) {
        deeper -= 1
        return
      }
      const table = tables.pop()
      if (table === undefined) return
      endRow(table, emit)
      if (!table.isEmpty) emit({ text: '\n', kind: 'blank' })
    },
    beginPart(isHead) {
      const table = openTable()
      if (table === undefined) return
      endRow(table, emit)
      table.spans.end()
      table.isInHead = isHead
    },
    beginRow() {
      const table = openTable()
      if (table === undefined) return
      endRow(table, emit)
      table.row = rowOf(table)
    },
    endRow() {
      const table = openTable()
      if (table !== undefined) endRow(table, emit)
    },
    beginCell(isHeader, span) {
      const table = openTable()
      if (table === undefined) return
      table.row ??= rowOf(table)
      if (table.row.cells.length < MAX_CELLS) table.row.cells.push({ blocks: [], isHeader, isBold: true, span })
    },
  }
}

function endRow(table: Table, emit: (block: Block) => void): void {
  const row = table.row
  table.row = null
  if (row === null) return
  const cells = table.spans.place(row.cells.map((cell) => ({ ...cell, text: textOf(cell) })))
  if (row.isLaidOut) return
  if (row.cells.length > 1) table.hasColumns = true
  if (!row.cells.some((cell) => cell.blocks.length > 0)) return
  if (!table.hasColumns || row.cells.some((cell) => cell.blocks.length > MAX_CELL_BLOCKS)) layOut(row, emit)
  else {
    emit(blockOf(cells, row.isHead || (table.isEmpty && isBoldHead(row.cells)), table.isEmpty))
    table.isEmpty = false
  }
}

function layOut(row: Row, emit: (block: Block) => void): void {
  row.isLaidOut = true
  for (const cell of row.cells) {
    for (const block of cell.blocks.splice(0)) emit(block)
  }
}

/** A first row of names in bold, as programs that write letters and mails mark the head of a table. */
function isBoldHead(cells: readonly Cell[]): boolean {
  return cells.every(({ isBold }) => isBold) && looksLikeHeader(cells.map(textOf))
}

/** Lines of code, which mean nothing in one line. */
function isListing({ kind, text }: Block): boolean {
  return kind === 'code' && text.trim().includes('\n')
}

/** Tables in tables in tables; and columns: what is beyond goes into the last one. */
const MAX_TABLE_DEPTH = 50
const MAX_CELLS = 2000

function emptyTable(): Table {
  return { row: null, spans: createRowSpans(), isInHead: false, hasColumns: false, isEmpty: true }
}

function rowOf({ isInHead }: Table): Row {
  return { cells: [], isHead: isInHead, characters: 0, isLaidOut: false }
}

function textOf({ blocks }: Cell): string {
  return blocks
    .map((block) => block.text.trim())
    .filter((text) => text !== '')
    .join(' ')
    .replaceAll(/\s*\n\s*/g, ' ')
}

function blockOf(cells: readonly PlacedCell[], isHead: boolean, beginsTable: boolean): Block {
  const isHeader = isHead || cells.every((cell) => cell.isHeader)
  const texts = cells.map(({ text }) => text)
  // A name without values is a row still.
  const shown = texts.slice(0, Math.max(2, texts.findLastIndex((one) => one !== '') + 1))
  const text = `${shown.join(' | ').trimEnd()}\n`
  return { text, kind: isHeader ? 'table-header' : 'table-row', ...(beginsTable && { beginsTable }) }
}
