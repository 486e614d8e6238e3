import { looksLikeHeader } from '../ooxml/office-block.ts'
import type { Block } from '../parse-event.ts'
import { type CellSpan, createRowSpans, type PlacedCell, type RowSpans } from './row-spans.ts'

/** Takes the blocks of a document with table markup and emits each table row as a single block. */
type TableRows = {
  /** Adds a block of a cell or outside of tables; `isBold`: the whole block is bold. */
  add(block: Block, isBold?: boolean): void
  beginTable(): void
  endTable(): void
  /** Starts or ends a table part; `isHead`: a `thead`. */
  beginPart(isHead: boolean): void
  beginRow(): void
  endRow(): void
  beginCell(isHeader: boolean, span: CellSpan): void
}

type Cell = { blocks: Block[]; isHeader: boolean; isBold: boolean; span: CellSpan }
type Row = { cells: Cell[]; isHead: boolean; characters: number; isLaidOut: boolean }
type Table = { row: Row | null; spans: RowSpans; isInHead: boolean; hasColumns: boolean; isEmpty: boolean }

/** A larger cell is page layout, not data. */
const MAX_CELL_BLOCKS = 6
const MAX_ROW_CHARACTERS = 6000

/**
 * Creates the row builder. Cells are joined by ` | `; a cell that spans rows is repeated in each.
 *
 * Layout tables are emitted as their blocks. A layout table has headings, a nested table, a code
 * listing or long text in a cell, or a single cell in every row. Holds one row in memory.
 */
export function createTableRows(emit: (block: Block) => void): TableRows {
  const tables: Table[] = []
  /** Open tables beyond the depth limit; their cells become paragraphs. */
  let deeper = 0

  /** Returns the current table; `undefined` outside of tables and beyond the depth limit. */
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
      if (block.kind === 'heading' || isListing(block) || row.characters > MAX_ROW_CHARACTERS) emitAsLayout(row, emit)
    },
    beginTable() {
      const row = tables.at(-1)?.row
      if (row !== null && row !== undefined && !row.isLaidOut) emitAsLayout(row, emit)
      if (tables.length < MAX_TABLE_DEPTH) tables.push(createTable())
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
      table.row = createRow(table)
    },
    endRow() {
      const table = openTable()
      if (table !== undefined) endRow(table, emit)
    },
    beginCell(isHeader, span) {
      const table = openTable()
      if (table === undefined) return
      table.row ??= createRow(table)
      if (table.row.cells.length < MAX_CELLS) table.row.cells.push({ blocks: [], isHeader, isBold: true, span })
    },
  }
}

function endRow(table: Table, emit: (block: Block) => void): void {
  const row = table.row
  table.row = null
  if (row === null) return
  const cells = table.spans.place(row.cells.map((cell) => ({ ...cell, text: joinText(cell) })))
  if (row.isLaidOut) return
  if (row.cells.length > 1) table.hasColumns = true
  if (!row.cells.some((cell) => cell.blocks.length > 0)) return
  if (!table.hasColumns || row.cells.some((cell) => cell.blocks.length > MAX_CELL_BLOCKS)) emitAsLayout(row, emit)
  else {
    emit(createBlock(cells, row.isHead || (table.isEmpty && isBoldHead(row.cells)), table.isEmpty))
    table.isEmpty = false
  }
}

function emitAsLayout(row: Row, emit: (block: Block) => void): void {
  row.isLaidOut = true
  for (const cell of row.cells) {
    for (const block of cell.blocks.splice(0)) emit(block)
  }
}

/** A first row of bold names, the table header in letters and mails. */
function isBoldHead(cells: readonly Cell[]): boolean {
  return cells.every(({ isBold }) => isBold) && looksLikeHeader(cells.map(joinText))
}

/** A code listing, which is meaningless on a single line. */
function isListing({ kind, text }: Block): boolean {
  return kind === 'code' && text.trim().includes('\n')
}

/** Limits of nesting and of cells per row; further content goes into the last cell. */
const MAX_TABLE_DEPTH = 50
const MAX_CELLS = 2000

function createTable(): Table {
  return { row: null, spans: createRowSpans(), isInHead: false, hasColumns: false, isEmpty: true }
}

function createRow({ isInHead }: Table): Row {
  return { cells: [], isHead: isInHead, characters: 0, isLaidOut: false }
}

function joinText({ blocks }: Cell): string {
  return blocks
    .map((block) => block.text.trim())
    .filter((text) => text !== '')
    .join(' ')
    .replaceAll(/\s*\n\s*/g, ' ')
}

function createBlock(cells: readonly PlacedCell[], isHead: boolean, beginsTable: boolean): Block {
  const isHeader = isHead || cells.every((cell) => cell.isHeader)
  const texts = cells.map(({ text }) => text)
  // A name without values is a row still.
  const shown = texts.slice(0, Math.max(2, texts.findLastIndex((one) => one !== '') + 1))
  const text = `${shown.join(' | ').trimEnd()}\n`
  return { text, kind: isHeader ? 'table-header' : 'table-row', ...(beginsTable && { beginsTable }) }
}
