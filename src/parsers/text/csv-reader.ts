import { ApiError } from '../../errors.ts'
import { areGroupHeader, isPeriod } from '../group-header.ts'
import type { Block } from '../parse-event.ts'
import { type BlockReader, cutText, type Emit, MAX_BLOCK_CHARACTERS } from './block-reader.ts'
import { createLineSplitter, type Line } from './line-splitter.ts'

/**
 * Reads values separated by comma, semicolon, tab or bar. Each row is a block with its raw text,
 * including line ends in quoted fields. Lines above the table are paragraphs. After an empty row
 * another table may start, with its own header.
 *
 * Throws `unprocessable_document` at the end of a table without letters or digits, which would not
 * be searchable.
 */
export function createCsvReader(emit: Emit, head: string): BlockReader {
  const { delimiter, rowsBefore, headerRows } = detectCsvDialect(head)
  let row = 0
  let brokenRow: number | null = null
  let hasText = false
  let hasRows = false
  let isParted = false
  /** A row after an empty row, held until the next row shows if it is a header. */
  let held: string | null = null

  function emitRow(text: string, kind: Block['kind'], isNew = false): void {
    let isFirst = isNew
    for (const piece of cutText(text, MAX_BLOCK_CHARACTERS)) {
      emit({ block: { text: piece, kind, ...(isFirst && { beginsTable: true }) } })
      isFirst = false
    }
  }

  function release(next: string | null): void {
    if (held === null) return
    const isHeader = next !== null && beginsTable(splitCells(held, delimiter), splitCells(next, delimiter))
    emitRow(held, isHeader ? 'table-header' : 'table-row', isHeader)
    held = null
  }

  const rows = createRowAssembler(delimiter, ({ text, isBroken }) => {
    row += 1
    if (isBroken) brokenRow ??= row
    const kind = getKind(text, row - rowsBefore, headerRows)
    if (kind !== 'blank') hasText = true
    release(text)
    if (kind === 'table-row' && isParted) held = text
    else emitRow(text, kind)
    hasRows ||= /^table/.test(kind)
    isParted = hasRows && kind === 'blank'
  })
  const lines = createLineSplitter(rows.add)
  return {
    write: lines.write,
    end() {
      lines.end()
      rows.end()
      release(null)
      if (!hasText) throw new ApiError('unprocessable_document', { message: 'The table has no text in its cells.' })
      if (brokenRow === null) return
      emit({
        warning: `A quote in row ${brokenRow} is not closed, or only far below. From there each line is read as a row.`,
      })
    },
  }
}

/** Returns the kind of a row; `place` is 1 for the first row of the table, 0 or less above. */
function getKind(text: string, place: number, headerRows: number): Block['kind'] {
  if (!/[\p{L}\p{N}]/u.test(text)) return 'blank'
  if (place < 1) return 'paragraph'
  return place <= headerRows ? 'table-header' : 'table-row'
}

/** Dialect of a CSV file. */
type CsvDialect = {
  delimiter: string
  /** Rows before the table itself: a title, an Excel `sep=` line. */
  rowsBefore: number
  /** Number of header rows; two if the upper row names groups of columns. */
  headerRows: 0 | 1 | 2
}

/** Delimiters in order of preference: the comma is also a decimal mark and frequent in prose. */
const DELIMITERS = ['\t', ';', '|', ','] as const
/** Number of rows sampled. */
const SAMPLE_ROWS = 60
/** Characters sampled per delimiter: 5 ms. */
const SAMPLE_CHARACTERS = 32 * 1024

/** Detects the dialect from the start of the text. A file with a single column gets `,`. */
function detectCsvDialect(head: string): CsvDialect {
  const [line = '', named] = /^"?sep=(.)"?\r?\n/i.exec(head) ?? []
  if (named === undefined) return detectTable(head, DELIMITERS)
  const table = detectTable(head.slice(line.length), [named])
  return { ...table, rowsBefore: table.rowsBefore + 1 }
}

/** Minimum number of rows of a table without file type. */
const MIN_ROWS = 4
/** Commas are excluded: they separate words in prose. */
const TEXT_DELIMITERS = ['\t', '|', ';'] as const

/**
 * True for plain text that is a table, as Excel exports. All lines have the same number of cells,
 * at least three; the first line names columns, and most lines below have numbers under one name.
 */
export function isTable(head: string): boolean {
  return TEXT_DELIMITERS.some((delimiter) => {
    if (!head.slice(0, SAMPLE_CHARACTERS).includes(delimiter)) return false
    const { rows, rowsBefore, fit } = sampleTable(head, delimiter)
    const [header = [], ...below] = rows
    if (fit < 1 || rowsBefore > 0 || rows.length < MIN_ROWS || header.length < 3 || !header.every(isLabel)) return false
    return header.some(
      (_, column) => below.filter((cells) => NUMBER.test(cells[column] ?? '')).length > 0.8 * below.length,
    )
  })
}

/** Minimum share of rows with the same number of cells in a text named as a spreadsheet. */
const MIN_FIT = 0.6

/**
 * Returns the format of a table named as a spreadsheet. `null` for a text of a single row, or of
 * rows with different numbers of cells.
 */
export function detectTableFormat(head: string): 'csv' | 'tsv' | null {
  const { delimiter } = detectCsvDialect(head)
  const { rows, fit } = sampleTable(head, delimiter)
  if (fit < MIN_FIT || rows.length < 2) return null
  return delimiter === '\t' ? 'tsv' : 'csv'
}

function detectTable(head: string, candidates: readonly string[]): CsvDialect {
  const tables = candidates.map((delimiter) => sampleTable(head, delimiter))
  const best = tables.reduce((one, other) => (other.fit > one.fit + 0.05 ? other : one))
  const table = best.fit > 0 ? best : sampleTable(head, ',')
  const { delimiter } = table
  const rowsBefore = table.rowsBefore + countRowsAbove(table.rows.slice(table.rowsBefore))
  const rows = table.rows.slice(rowsBefore)
  if (hasGroupHeader(rows)) return { delimiter, rowsBefore, headerRows: 2 }
  if (hasHeader(rows)) return { delimiter, rowsBefore, headerRows: 1 }
  const narrow = widenHeader(table.rows[rowsBefore - 1] ?? [], rows)
  if (narrow !== null && hasHeader([narrow, ...rows])) return { delimiter, rowsBefore: rowsBefore - 1, headerRows: 1 }
  return { delimiter, rowsBefore, headerRows: 0 }
}

/**
 * Returns the number of title rows above the header in tables with padded rows, as Excel writes.
 * Title rows fill only the first two cells, and one of them at most one. The header names every
 * column and has numbers below; 0 without such a header.
 */
function countRowsAbove(rows: readonly string[][]): number {
  const most = Math.min(1, (rows[0]?.length ?? 0) - 2)
  const first = rows.findIndex((cells) => cells.findLastIndex((cell) => cell !== '') > most)
  const hasTitle = rows.slice(0, Math.max(0, first)).some((cells) => cells.filter((cell) => cell !== '').length < 2)
  if (!hasTitle) return 0
  const [header = [], next = []] = rows.slice(first).filter((cells) => cells.some((cell) => cell !== ''))
  const isFull = header.every((cell, column) => (cell === '' ? (next[column] ?? '') === '' : isLabel(cell)))
  return (isFull && next.some((cell) => NUMBER.test(cell))) || hasGroupHeader(rows.slice(first)) ? first : 0
}

/** True for a two-row header with numbers below. */
function hasGroupHeader([upper = [], lower = [], ...below]: readonly string[][]): boolean {
  if (!areGroupHeader(upper, lower)) return false
  const isValue = lower.some((name, column) => name !== '' && below.some((cells) => cells[column] === name))
  return !isValue && (below[0] ?? []).some((cell) => NUMBER.test(cell))
}

/**
 * Widens a header that lacks a cell. If all rows end in a delimiter, the last cell is missing; else
 * the first, as R writes no name for row names. `null` for other rows.
 */
function widenHeader(cells: readonly string[], below: readonly string[][]): string[] | null {
  if (cells.length < 2 || cells.length + 1 !== below[0]?.length) return null
  const endsEmpty = below.every((row) => (row[cells.length] ?? '') === '')
  return endsEmpty ? [...cells, ''] : ['', ...cells]
}

type Table = { delimiter: string; rows: string[][]; rowsBefore: number; fit: number }

/**
 * Splits the sample by a delimiter; `fit` is the share of rows with the most frequent number of
 * cells.
 */
function sampleTable(head: string, delimiter: string): Table {
  const rows: string[][] = []
  const assembler = createRowAssembler(delimiter, ({ text }) => {
    if (rows.length < SAMPLE_ROWS) rows.push(splitCells(text, delimiter))
  })
  const lines = createLineSplitter(assembler.add)
  lines.write(head.slice(0, SAMPLE_CHARACTERS))
  // The last sampled row may be cut, so it counts only if there is no other data row.
  const whole = rows.length
  if (whole < 2) {
    lines.end()
    assembler.end()
  }
  if (whole === 1) rows.splice(2)
  const filled = rows.filter((cells) => cells.some((cell) => cell !== ''))
  const width = getMostFrequent(filled.map((cells) => cells.length).filter((count) => count > 1))
  if (width === null) return { delimiter, rows, rowsBefore: 0, fit: 0 }
  const fitting = filled.filter((cells) => cells.length === width).length
  const first = rows.findIndex((cells) => cells.length === width)
  return { delimiter, rows, rowsBefore: Math.max(0, first), fit: fitting / filled.length }
}

function getMostFrequent(counts: readonly number[]): number | null {
  const times = new Map<number, number>()
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1)
  return [...times].sort((one, other) => other[1] - one[1])[0]?.[0] ?? null
}

/** True if the first row has distinct labels without values, and rows follow. */
function hasHeader(rows: readonly string[][]): boolean {
  const [header, ...below] = rows
  if (header === undefined || below.length === 0) return false
  const labels = header.filter((cell) => cell !== '')
  if (labels.length === 0 || labels.length < header.length * 0.6) return false
  if (new Set(labels).size < Math.min(2, labels.length)) return false
  const names = labels.filter(isLabel)
  if (names.length < labels.length && (names.length === 0 || !hasPeriodLabels(header, below))) return false
  // A word repeated in its column is a value, not a column name.
  const repeated = header.filter((label, column) => label !== '' && below.some((cells) => cells[column] === label))
  return repeated.length * 2 < labels.length
}

/**
 * True for a row after an empty row that names the columns of another table: only labels, with
 * numbers in the `next` row.
 */
function beginsTable(row: readonly string[], next: readonly string[]): boolean {
  const isHeader = row.length > 1 && row.length === next.length && new Set(row).size === row.length
  return isHeader && row.every((cell) => isLabel(cell) && !/\d/.test(cell)) && next.some((cell) => NUMBER.test(cell))
}

function isLabel(cell: string): boolean {
  return (
    cell.length <= 100 && /\p{L}/u.test(cell) && !SENTENCE_END.test(cell) && !/@|:\/\/|\d{4}-\d{2}-\d{2}/u.test(cell)
  )
}

/** Questions and abbreviations (`Qty.`) may name columns. */
const SENTENCE_END = /[!;]$|\p{L}{5,}\.$/u
const NUMBER = /^[-+]?[\d.,\s]*\d\s*%?$/

/** True if all other labels are distinct years or dates, with numbers below that are not dates. */
function hasPeriodLabels(header: readonly string[], below: readonly string[][]): boolean {
  const columns = [...header.keys()].filter((column) => header[column] !== '' && !isLabel(header[column] ?? ''))
  const periods = new Set(columns.map((column) => header[column]))
  if (periods.size < Math.max(2, columns.length) || !columns.every((column) => isPeriod(header[column] ?? '')))
    return false
  const values = below.flatMap((cells) => columns.map((column) => cells[column] ?? '').filter((cell) => cell !== ''))
  return values.every((value) => NUMBER.test(value)) && values.filter(isPeriod).length * 2 < values.length
}

/** A table row: its raw lines, joined. */
type Row = {
  text: string
  /** True if a quote was never closed; the lines are then returned singly. */
  isBroken: boolean
}

/** A longer quoted field lacks its closing quote: an Excel cell holds 32,767 characters. */
const MAX_ROW_CHARACTERS = 100_000

/**
 * Joins lines into rows: a line end inside a quoted field does not end the row. Quotes count only
 * at the start of a field, so inches and feet in unquoted fields are safe. A longer line part is a
 * row.
 */
function createRowAssembler(delimiter: string, onRow: (row: Row) => void): RowAssembler {
  let lines: string[] = []
  let characters = 0
  let quotes: QuoteState = 'field-start'

  function emitLines(isBroken: boolean): void {
    const texts = isBroken ? lines : [lines.join('')]
    lines = []
    characters = 0
    quotes = 'field-start'
    for (const text of texts) onRow({ text, isBroken })
  }

  return {
    add({ text, isEnd }) {
      lines.push(text)
      characters += text.length
      quotes = trackQuotes(text, quotes, delimiter)
      const isOpen = quotes === 'quoted'
      if (isEnd && !isOpen) emitLines(false)
      else if (characters > MAX_ROW_CHARACTERS) emitLines(isOpen)
    },
    end() {
      if (lines.length > 0) emitLines(quotes === 'quoted' && lines.length > 1)
    },
  }
}

/** Takes lines in order; `end` returns the remaining rows. */
type RowAssembler = { add(line: Line): void; end(): void }

/**
 * Parser state within a row; `quote` is after a quote inside a quoted field: its end, or the first
 * of an escaped pair.
 */
type QuoteState = 'field-start' | 'plain' | 'quoted' | 'quote'

function trackQuotes(text: string, before: QuoteState, delimiter: string): QuoteState {
  // Fast path: most lines have no quotes. The final state matters only if the line continues.
  if (before !== 'quoted' && before !== 'quote' && !text.includes('"'))
    return text.endsWith(delimiter) ? 'field-start' : 'plain'
  let now = before
  for (const character of text) now = trackCharacter(character, now, delimiter)
  return now
}

function trackCharacter(character: string, before: QuoteState, delimiter: string): QuoteState {
  if (before === 'quoted') return character === '"' ? 'quote' : 'quoted'
  if (character === delimiter) return 'field-start'
  if (character === '"') return before === 'plain' ? 'plain' : 'quoted'
  return before === 'field-start' && character === ' ' ? 'field-start' : 'plain'
}

/** Splits a row into cells, without quotes, line end and surrounding white space. */
function splitCells(row: string, delimiter: string): string[] {
  const text = row.replace(/[\r\n]+$/, '')
  const cells: string[] = []
  let start = 0
  let quotes: QuoteState = 'field-start'
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    quotes = trackCharacter(character, quotes, delimiter)
    if (character !== delimiter || quotes === 'quoted') continue
    cells.push(unquote(text.slice(start, at)))
    start = at + 1
  }
  cells.push(unquote(text.slice(start)))
  return cells
}

function unquote(cell: string): string {
  const trimmed = cell.trim()
  const inner = /^"([\s\S]*)"$/.exec(trimmed)?.[1]
  return inner === undefined ? trimmed : inner.replaceAll('""', '"').trim()
}
