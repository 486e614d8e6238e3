import { type CellSpan, createRowSpans, readSpan } from '../html/row-spans.ts'
import type { Block } from '../parse-event.ts'

/** The parts of tables as DocBook and DITA (CALS), JATS, TEI and OpenDocument name them. */
const TABLE = /^(?:\w+:)?(?:table|informaltable|tgroup)$/i
const HEAD = /^(?:\w+:)?(?:thead|table-header-rows)$/i
const ROW = /^(?:\w+:)?(?:tr|row|table-row)$/i
const CELL = /^(?:\w+:)?(?:td|th|entry|cell|table-cell|covered-table-cell)$/i
/** A part of a table, beyond which no cell goes on. */
const PART = /^(?:\w+:)?(?:t(?:head|body|foot|group)|table-header-rows)$/i
const HEAD_CELL = /^(?:\w+:)?th$/i
/** No row that a person reads has more. */
const MAX_CELLS = 1_000
/** What has more text is no row but the layout of a page: what follows in it stands for itself. */
const MAX_ROW_CHARACTERS = 8_000

/** A row that is open. `depth`: how many elements are open around it. */
type Row = {
  depth: number
  cells: { texts: string[]; span: CellSpan }[]
  characters: number
  isHead: boolean
  isOfHeadCells: boolean
}

/** The names of a table's columns, in order. */
const COLUMN = /^(?:\w+:)?colspec$/i

type Attributes = Readonly<Record<string, string>>

/** How far a cell reaches by its attributes: of HTML and JATS, or from which column to which, of CALS. */
function spanOf(attributes: Attributes, names: readonly string[]): CellSpan {
  const { colspan, namest = '', nameend = '' } = attributes
  if (colspan !== undefined || !names.includes(namest)) return readSpan(attributes)
  return readSpan({ ...attributes, colspan: String(names.indexOf(nameend) - names.indexOf(namest) + 1) })
}

/** Puts the cells of a table's row on one line; one over several rows stands in each. */
export type TableRows = {
  /** An element begins, with so many open around it. True for a row or a cell, whose attributes lay it out. */
  begin(name: string, depth: number, attributes: Attributes): boolean
  /** True where the text stands in a cell, of which it is then a part. */
  take(text: string): boolean
  end(name: string, depth: number): void
}

/** Makes those of one file. */
export function createTableRows(emit: (block: Block) => void): TableRows {
  let tables = 0
  let heads = 0
  let rows = 0
  let row: Row | null = null
  let spans = createRowSpans()
  let names: string[] = []

  function endRow({ cells, isHead, isOfHeadCells }: Row): void {
    const placed = spans.place(cells.map(({ texts, span }) => ({ text: texts.join(' '), isHeader: false, span })))
    const last = placed.findLastIndex(({ text }) => text !== '')
    if (last < 0 || cells.every(({ texts }) => texts.length === 0)) return
    const kind = isHead || isOfHeadCells ? 'table-header' : 'table-row'
    const shown = placed.slice(0, last + 1).map(({ text }) => text)
    const text = `${shown.join(' | ')}\n`
    emit(rows === 0 ? { text, kind, beginsTable: true } : { text, kind })
    rows += 1
  }

  function beginPart(name: string, attributes: Attributes): void {
    if (HEAD.test(name)) heads += 1
    if (TABLE.test(name)) tables += 1
    if (row !== null) return
    if (TABLE.test(name)) names = []
    else if (COLUMN.test(name) && names.length < MAX_CELLS) names.push(attributes['colname'] ?? '')
  }

  return {
    begin(name, depth, attributes) {
      beginPart(name, attributes)
      if (tables === 0) return false
      if (row === null && ROW.test(name))
        row = { depth, cells: [], characters: 0, isHead: heads > 0, isOfHeadCells: true }
      else if (row?.depth === depth - 1 && CELL.test(name)) {
        if (row.cells.length < MAX_CELLS) row.cells.push({ texts: [], span: spanOf(attributes, names) })
        row.isOfHeadCells &&= HEAD_CELL.test(name)
      } else return false
      return true
    },
    take(text) {
      const cell = row?.cells.at(-1)
      if (row === null || cell === undefined) return false
      cell.texts.push(text.replaceAll(/\s+/g, ' ').trim())
      row.characters += text.length
      if (row.characters > MAX_ROW_CHARACTERS) {
        endRow(row)
        row = null
      }
      return true
    },
    end(name, depth) {
      if (row?.depth === depth) {
        endRow(row)
        row = null
      }
      if (HEAD.test(name)) heads = Math.max(0, heads - 1)
      if (PART.test(name) && row === null) spans.end()
      if (!TABLE.test(name)) return
      tables = Math.max(0, tables - 1)
      if (tables > 0) return
      if (rows > 0) emit({ text: '\n', kind: 'blank' })
      rows = 0
      spans = createRowSpans()
    },
  }
}
