import { type CellSpan, createRowSpans, readSpan } from '../html/row-spans.ts'
import type { Block } from '../parse-event.ts'
import { cutText, MAX_BLOCK_CHARACTERS } from '../text/block-reader.ts'

type BlockFacts = Omit<Block, 'text'>

/** Collects the text of an XML file: records, table rows and separate blocks. */
export function createOutput(emit: (block: Block) => void) {
  function emitText(text: string, { beginsTable, ...facts }: BlockFacts): void {
    let isFirst = beginsTable === true
    for (const piece of cutText(text, MAX_BLOCK_CHARACTERS)) {
      emit({ ...facts, text: piece, ...(isFirst && { beginsTable }) })
      isFirst = false
    }
  }

  const record = createRecord(emitText)
  const rows = createTableRows(({ text, ...facts }) => {
    record.end()
    emitText(text, facts)
  })
  return {
    emit: emitText,
    rows,
    record: {
      ...record,
      add(place: keyof RecordLines, line: string, isName: boolean): void {
        if (line !== '' && (isName || !rows.take(line))) record.add(place, { line, isName })
      },
      addField(text: string, label: FieldLabel | null): void {
        record.add('fields', { line: text, label })
      },
    },
  }
}

/** Name of a field; `isOwn`: from an attribute. */
export type FieldLabel = { words: string; isOwn: boolean }

/** A line or field of a record; `isName`: only the name of an enclosing element. */
type RecordLine = { line: string; label?: FieldLabel | null; isName?: boolean }

/**
 * Lines of a record: data of the enclosing elements, fields, and attributes of fields, which would
 * separate the fields.
 */
export type RecordLines = { head: RecordLine[]; fields: RecordLine[]; facts: RecordLine[] }

/** A text with more words is a sentence rather than a value. */
const MAX_VALUE_WORDS = 12

function createRecord(emitText: (text: string, facts: BlockFacts) => void) {
  let parts: RecordLines = { head: [], fields: [], facts: [] }
  let characters = 0

  /** `leads`: the record introduces the following text. */
  function end(leads = false): void {
    const { head, fields, facts } = parts
    const all = [...head, ...fields, ...facts]
    // Names alone carry no information.
    const isRecord = all.some(isData)
    const heads = head.filter(({ isName }) => isName !== true || isRecord).map(({ line }) => line)
    const lines = [...heads, ...toLines(fields), ...facts.map(({ line }) => line)]
    const kind = lines.length > 1 ? 'record' : 'paragraph'
    if (all.some(({ isName }) => isName !== true))
      emitText(`${lines.join('\n')}\n\n`, { kind, ...(leads && { leads }) })
    parts = { head: [], fields: [], facts: [] }
    characters = 0
  }

  return {
    add(place: keyof RecordLines, line: RecordLine): void {
      const length = line.line.length + (line.label?.words.length ?? 0) + 6
      if (characters + length >= MAX_BLOCK_CHARACTERS) end()
      parts[place].push(line)
      characters += length
    },
    end,
    /** Ends a record that has fields: a heading precedes the data of the enclosing elements. */
    endFields(): void {
      if (parts.fields.length + parts.facts.length > 0) end()
    },
  }
}

/** Returns the text of all fields in file order, followed by the values with their names. */
function toLines(fields: readonly RecordLine[]): string[] {
  if (fields.length < 2) return fields.map(toLine)
  const plain = fields.map((field) => (field.label?.isOwn ? toLine(field) : field.line))
  return [...plain, ...fields.filter((field) => isData(field) && field.label?.isOwn === false).map(toLine)]
}

/** True for a named field: a value. */
function isData({ line, label, isName }: RecordLine): boolean {
  return isName !== true && label != null && (label.isOwn || isValue(line))
}

function toLine(line: RecordLine): string {
  return isData(line) ? `${line.label?.words}: ${line.line}` : line.line
}

function isValue(text: string): boolean {
  return !/[.!?…。！？]["'”’»)\]]*$/.test(text) || text.split(/\s+/, MAX_VALUE_WORDS + 1).length <= MAX_VALUE_WORDS
}

/** Table parts in DocBook and DITA (CALS), JATS, TEI and OpenDocument. */
const TABLE = /^(?:\w+:)?(?:table|informaltable|tgroup)$/i
const HEAD = /^(?:\w+:)?(?:thead|table-header-rows)$/i
const ROW = /^(?:\w+:)?(?:tr|row|table-row)$/i
const CELL = /^(?:\w+:)?(?:td|th|entry|cell|table-cell|covered-table-cell)$/i
/** Table parts that limit row spans. */
const PART = /^(?:\w+:)?(?:t(?:head|body|foot|group)|table-header-rows)$/i
const HEAD_CELL = /^(?:\w+:)?th$/i
/** Human-readable rows are not longer. */
const MAX_CELLS = 1_000
/** A row with more text is page layout; the rest is emitted as separate text. */
const MAX_ROW_CHARACTERS = 8_000

/** An open row. `depth`: number of enclosing elements. */
type Row = {
  depth: number
  cells: { texts: string[]; span: CellSpan }[]
  characters: number
  isHead: boolean
  isOfHeadCells: boolean
}

/** Column names of a table, in order. */
const COLUMN = /^(?:\w+:)?colspec$/i

type Attributes = Readonly<Record<string, string>>

/**
 * Returns the span of a cell: HTML and JATS attributes, or from one named column to another (CALS).
 */
function spanOf(attributes: Attributes, names: readonly string[]): CellSpan {
  const { colspan, namest = '', nameend = '' } = attributes
  if (colspan !== undefined || !names.includes(namest)) return readSpan(attributes)
  return readSpan({ ...attributes, colspan: String(names.indexOf(nameend) - names.indexOf(namest) + 1) })
}

/** Joins the cells of a row into a line; cells that span rows are repeated. */
type TableRows = {
  /**
   * Starts an element with `depth` enclosing elements. True for rows and cells, whose attributes
   * are layout.
   */
  begin(name: string, depth: number, attributes: Attributes): boolean
  /** True if the text belongs to a cell. */
  take(text: string): boolean
  end(name: string, depth: number): void
}

/** Creates the row state of a file. */
function createTableRows(emit: (block: Block) => void): TableRows {
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
