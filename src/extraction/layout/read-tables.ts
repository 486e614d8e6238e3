import type { Entry, Span } from './entry.ts'
import { readLabel } from './read-pairs.ts'
import { CHECK_BOX, type Line } from './split-cells.ts'

const TRUST = { row: 0.97, cell: 0.95, column: 0.92, block: 0.85 } as const
/**
 * Trust lost per column after the first. If the label does not decide, the first column is meant:
 * current years come first.
 */
const LATER_COLUMN_PENALTY = 0.03
const MAX_PENALIZED_COLUMNS = 5
/** A cell with a long number is not a label. */
const LONG_NUMBER = /\d{4}/
/** The empty header `| | |` of a Markdown table. */
const EMPTY_HEADER = /^\s*\|(?:\s*\|){2,}\s*$/
/** A header that begins with an empty cell, over the names of the rows. */
const EMPTY_FIRST_CELL = /^\s*\|\s*\||^\t|^ {3,}/
/** Passages with more text may contain only part of a table. */
const MAX_WHOLE_TABLE_CHARACTERS = 600
/** Maximum number of cells per row that may act as row name. */
const MAX_ROW_NAMES = 4
const MAX_NAME_CHARACTERS = 80
/** Headers over blocks of lines, not over rows. */
const PARTY_LABEL = new RegExp(
  String.raw`^(?:sold|ship(?:ped)?|bill(?:ed|ing)?|deliver(?:ed)?|invoiced?)[\s-]?to$|^(?:buyer|seller|customer|` +
    'supplier|vendor|client|from|to|consignee|remit to|(?:billing|invoice|shipping|delivery) address|' +
    '(?:rechnung|lieferung) an|(?:rechnungs|liefer)(?:adresse|anschrift)|adresse de (?:facturation|' +
    'livraison)|dirección de (?:facturación|envío|entrega))$',
  'iu',
)

/**
 * Reads tables: rows with a label and values, and cells below a header. `header` comes from an
 * earlier passage.
 *
 * A column header alone names a value only in a table with a single row, or if the header names a
 * party's address.
 */
export function readTables(lines: readonly Line[], header: Line | null): Entry[] {
  const last = lines.findLast((line) => line.text.trim() !== '')
  const isLong = (last?.end ?? 0) > MAX_WHOLE_TABLE_CHARACTERS
  return groupTableLines(lines).flatMap((rows, index) => {
    // A table at the end of a passage may continue in the next passage.
    const isWhole = !(isLong && rows.at(-1) === last)
    return readTable(rows, index === 0 ? header : null, { isWhole })
  })
}

/** Reads a table. If `isWhole`, columns are also returned as lists. */
export function readTable(rows: readonly Line[], above: Line | null, { isWhole = false } = {}): Entry[] {
  const [first, ...rest] = rows
  if (first !== undefined && EMPTY_HEADER.test(first.text)) return rest.flatMap((row) => readRow(row, null))
  const isHeaded = above === null && first !== undefined && rest.length > 0 && looksLikeHeader(first, rest)
  const header = above ?? (isHeaded ? first : null)
  const data = isHeaded ? rest : rows
  const parties = header !== null && isPartyHeader(header)
  const columns = isHeaded && isWhole && !parties ? listColumns(first, data) : []
  const cells = data.flatMap((row, place) => [
    ...(parties ? [] : readRow(row, header)),
    ...(header !== null && above === null && (data.length === 1 || (parties && place === 0))
      ? readColumns(row, header, parties ? data : [])
      : []),
  ])
  return [...cells, ...columns]
}

/** Groups adjacent lines with several cells; `label: value` lines are excluded. */
function groupTableLines(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = [[]]
  for (const line of lines) {
    if (line.cells.length === 0 && line.text.trim() !== '') {
      if (EMPTY_HEADER.test(line.text)) groups.push([line])
      continue
    }
    if (areBareLabels(line)) groups.push([line])
    else if (line.cells.length > 1 && line.cells.every((cell) => readLabel(cell) === null)) groups.at(-1)?.push(line)
    else if ((groups.at(-1)?.length ?? 0) > 0) groups.push([])
  }
  return groups.filter(([first, second]) => first !== undefined && (second !== undefined || !areBareLabels(first)))
}

/** A row of labels such as `Bill to:      Ship to:`. */
function areBareLabels({ cells }: Line): boolean {
  return cells.length > 1 && cells.every((cell) => readLabel(cell)?.end === cell.end)
}

/** A header has only words, and the rows below have digits, or there are more than two columns. */
function looksLikeHeader(first: Line, rest: readonly Line[]): boolean {
  if (!first.cells.every((cell) => /\p{L}|#/u.test(cell.text) && cell.text.length <= 40)) return false
  if (first.cells.some((cell) => /^[^\p{L}\p{N}]*\d/u.test(cell.text) || CHECK_BOX.test(cell.text))) return false
  if (areBareLabels(first)) return true
  const isMarked = first.text.trim().startsWith('|')
  return (
    first.cells.length > 2 ||
    isMarked ||
    isPartyHeader(first) ||
    (rest.length > 1 && hasDigits(rest) && !/\d/.test(first.text))
  )
}

function isPartyHeader({ cells }: Line): boolean {
  return cells.every(({ text }) => PARTY_LABEL.test(withoutColon(text)))
}

/**
 * Removes a trailing colon. A single pattern for colon and white space would take quadratic time.
 */
function withoutColon(text: string): string {
  const trimmed = text.trimEnd()
  return /[:：]$/u.test(trimmed) ? trimmed.slice(0, -1).trimEnd() : trimmed
}

function hasDigits(rows: readonly Line[]): boolean {
  return rows.every((row) => /\d/.test(row.cells.at(-1)?.text ?? ''))
}

/**
 * Reads a row. Its name is the first cell; below a header any of the first cells with words, such
 * as the text after an article number.
 */
function readRow(row: Line, header: Line | null): Entry[] {
  const [label, ...values] = row.cells
  const [first] = values
  const isChoice = first !== undefined && CHECK_BOX.test(first.text)
  if (!isChoice && header !== null && header.cells.length > 2) return readCells(row, header)
  if (label === undefined || !/\p{L}{2}/u.test(label.text) || LONG_NUMBER.test(label.text)) return []
  if (isChoice) return [createChoiceEntry(label, first, values.at(-1) ?? first)]
  return values.flatMap((value, index): Entry[] => {
    if (value.text === '') return []
    const contextLabel = header === null ? '' : (findColumnHeader(row, header, index + 1)?.text ?? '')
    const trust = values.length === 1 ? TRUST.row : TRUST.cell - LATER_COLUMN_PENALTY * index
    return [{ label: label.text, contextLabel, start: value.start, end: value.end, blockEnd: value.end, trust }]
  })
}

/** Pairs each cell below a header with every cell that may name the row. */
function readCells(row: Line, header: Line): Entry[] {
  const columns = row.cells.map((_, index) => findColumnHeader(row, header, index)?.text ?? '')
  const names = row.cells.flatMap((cell, index) => (isName(cell.text) ? [{ ...cell, index }] : []))
  return names.slice(0, MAX_ROW_NAMES).flatMap((name) =>
    row.cells.flatMap(({ text, start, end }, index): Entry[] => {
      const behind = Math.min(index > name.index ? index - name.index - 1 : index, MAX_PENALIZED_COLUMNS)
      const trust = TRUST.cell - LATER_COLUMN_PENALTY * behind
      if (index === name.index || text === '') return []
      const place = { start, end, blockEnd: end, isBeforeLabel: index < name.index }
      return [{ label: name.text, contextLabel: columns[index] ?? '', ...place, trust, isCell: true }]
    }),
  )
}

function isName(text: string): boolean {
  return /\p{L}{2}|\p{Lo}|\p{L}\P{L}*\d/u.test(text) && text.length <= MAX_NAME_CHARACTERS && !CHECK_BOX.test(text)
}

function createChoiceEntry(label: Span, first: Span, last: Span): Entry {
  const { start } = first
  return { label: label.text, contextLabel: '', start, end: last.end, blockEnd: last.end, trust: TRUST.row }
}

/** Pairs each cell with its column header. */
function readColumns(row: Line, header: Line, block: readonly Line[]): Entry[] {
  return row.cells.flatMap((cell, index): Entry[] => {
    const column = findColumnHeader(row, header, index)
    if (column === undefined || cell.text === '') return []
    const trust = block.length > 0 ? TRUST.block : TRUST.column
    return [{ label: column.text, contextLabel: '', start: cell.start, end: cell.end, blockEnd: cell.end, trust }]
  })
}

/** Returns the header of a cell: by index if the counts are equal, else by position on the line. */
function findColumnHeader(row: Line, header: Line, index: number): Span | undefined {
  const cell = row.cells[index]
  if (cell === undefined || row.cells.length === header.cells.length) return header.cells[index]
  // The column of the row names often has no header.
  if (row.cells.length === header.cells.length + 1 && EMPTY_FIRST_CELL.test(header.text))
    return index === 0 ? undefined : header.cells[index - 1]
  const [left, right] = [cell.start - row.start, cell.end - row.start]
  const distanceTo = ({ start, end }: Span): number =>
    Math.min(Math.abs(left - (start - header.start)), Math.abs(right - (end - header.start)))
  return header.cells.toSorted((a, b) => distanceTo(a) - distanceTo(b))[0]
}

const COLUMN_TRUST = { words: 0.95, numbers: 0.85 } as const
/** Fewer rows are a label and a value, more are no answer but a file. */
const LIST_ROWS = { least: 2, most: 50 } as const
/** Label of a total row, which is not an item. Must not match `Taxi` or `Ivan`. */
const TOTAL_LABEL = new RegExp(
  '^(?:(?:(?:sub|sous)-?)?tota(?:ls?|les?|ux|al)|sum|vat|tax(?:es)?|summen?|zwischensumme|(?:gesamt|' +
    'netto|brutto|end)(?:summe|betrag|preis|wert|kosten)?|mwst|ust|tva|iva|base imponible|montants?|' +
    String.raw`importe total|итого|razem)(?!\p{L})|^(?:合計|小計|合计|小计|总计)`,
  'iu',
)

/**
 * Returns columns as lists, each named by its header. Returns none if a row has a different number
 * of cells; total rows at the end are dropped.
 */
function listColumns(header: Line, rows: readonly Line[]): Entry[] {
  const end = rows.findIndex(({ cells }) => TOTAL_LABEL.test(cells[0]?.text ?? ''))
  const items = end < 0 ? rows : rows.slice(0, end)
  const areWhole = items.every(({ cells }) => cells.length === header.cells.length)
  if (!areWhole || items.length < LIST_ROWS.least || items.length > LIST_ROWS.most) return []
  return header.cells.flatMap(({ text: label }, column): Entry[] => {
    const cells = items.flatMap(({ cells }) => cells[column] ?? [])
    const [first, last] = [cells[0], cells.at(-1)]
    if (first === undefined || last === undefined || cells.some(({ text }) => text === '')) return []
    const trust = cells.every(({ text }) => /\p{L}{2}/u.test(text)) ? COLUMN_TRUST.words : COLUMN_TRUST.numbers
    const place = { start: first.start, end: last.end, blockEnd: last.end }
    return [{ label, contextLabel: '', ...place, trust, items: cells.map(({ text }) => text) }]
  })
}
