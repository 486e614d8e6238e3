import { type CellSpan, createRowSpans, readSpan } from '../html/row-spans.ts'
import type { Block } from '../parse-event.ts'
import { cutText, MAX_BLOCK_CHARACTERS } from '../text/block-reader.ts'

type BlockFacts = Omit<Block, 'text'>

/** Where the text of an XML file goes: a record, the row of a table, or a block of its own. */
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
      add(place: keyof RecordParts, line: string, isName: boolean): void {
        if (line !== '' && (isName || !rows.take(line))) record.add(place, { line, isName })
      },
      addField(text: string, label: FieldLabel | null): void {
        record.add('fields', { line: text, label })
      },
    },
  }
}

/** What a field is called; `isOwn`: by an attribute of its own. */
export type FieldLabel = { words: string; isOwn: boolean }

/** A line of a record, or a field of one; `isName`: of the element around it no more than its name. */
type RecordLine = { line: string; label?: FieldLabel | null; isName?: boolean }

/** Lines of a record: what the elements around it say, its fields, and what their attributes say, which would part them. */
export type RecordParts = { head: RecordLine[]; fields: RecordLine[]; facts: RecordLine[] }

/** With more words a text is a sentence rather than a value. */
const MAX_VALUE_WORDS = 12

function createRecord(emitText: (text: string, facts: BlockFacts) => void) {
  let parts: RecordParts = { head: [], fields: [], facts: [] }
  let characters = 0

  /** `leads`: what follows is about it. */
  function end(leads = false): void {
    const { head, fields, facts } = parts
    const all = [...head, ...fields, ...facts]
    // Names alone say nothing, nor do they of prose.
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
    add(place: keyof RecordParts, line: RecordLine): void {
      const length = line.line.length + (line.label?.words.length ?? 0) + 6
      if (characters + length >= MAX_BLOCK_CHARACTERS) end()
      parts[place].push(line)
      characters += length
    },
    end,
    /** Ends it unless it has only begun: a heading goes before what the elements around it say. */
    endFields(): void {
      if (parts.fields.length + parts.facts.length > 0) end()
    },
  }
}

/** The words of all fields one behind the other, as the file has them, and behind them once more those that are values, each with its name. */
function toLines(fields: readonly RecordLine[]): string[] {
  if (fields.length < 2) return fields.map(toLine)
  const plain = fields.map((field) => (field.label?.isOwn ? toLine(field) : field.line))
  return [...plain, ...fields.filter((field) => isData(field) && field.label?.isOwn === false).map(toLine)]
}

/** True for a field with a name: a value. */
function isData({ line, label, isName }: RecordLine): boolean {
  return isName !== true && label != null && (label.isOwn || isValue(line))
}

function toLine(line: RecordLine): string {
  return isData(line) ? `${line.label?.words}: ${line.line}` : line.line
}

function isValue(text: string): boolean {
  return !/[.!?…。！？]["'”’»)\]]*$/.test(text) || text.split(/\s+/, MAX_VALUE_WORDS + 1).length <= MAX_VALUE_WORDS
}

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
type TableRows = {
  /** An element begins, with so many open around it. True for a row or a cell, whose attributes lay it out. */
  begin(name: string, depth: number, attributes: Attributes): boolean
  /** True where the text stands in a cell, of which it is then a part. */
  take(text: string): boolean
  end(name: string, depth: number): void
}

/** Makes those of one file. */
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
