import type { Entry, Span } from './entry.ts'
import { labelOf } from './read-pairs.ts'
import { BOX, type Line } from './split-cells.ts'

const TRUST = { row: 0.97, cell: 0.95, column: 0.92, block: 0.85 } as const
/** Of several columns of values the first is the one meant, where the label does not say: the current year stands first. */
const LATER_COLUMN = 0.03
const MOST_BEHIND = 5
/** A row that names a number begins with no label. */
const LONG_NUMBER = /\d{4}/
/** `| | |` above a Markdown table that needs none. */
const EMPTY_HEADER = /^\s*\|(?:\s*\|){2,}\s*$/
/** Chunks of a table that is cut are longer. */
const MOST_WHOLE_CHARACTERS = 600
/** Cells that may name their row. */
const MOST_NAMES = 4
const MOST_NAME_CHARACTERS = 80
/** Headers over blocks of lines, not over rows. */
const PARTY = new RegExp(
  String.raw`^(?:sold|ship(?:ped)?|bill(?:ed|ing)?|deliver(?:ed)?|invoiced?)[\s-]?to$|^(?:buyer|seller|customer|` +
    'supplier|vendor|client|from|to|consignee|remit to|(?:billing|invoice|shipping|delivery) address|' +
    '(?:rechnung|lieferung) an|(?:rechnungs|liefer)(?:adresse|anschrift)|adresse de (?:facturation|' +
    'livraison)|dirección de (?:facturación|envío|entrega))$',
  'iu',
)

/**
 * The entries of tables: rows of a label and a value, and cells below a header. `header` is that of an earlier passage. A
 * column alone names a value only where the whole table has one row, or where the column is the address of a party.
 */
export function readTables(lines: readonly Line[], header: Line | null): Entry[] {
  const last = lines.findLast((line) => line.text.trim() !== '')
  const isLong = (last?.end ?? 0) > MOST_WHOLE_CHARACTERS
  return groupsOf(lines).flatMap((rows, index) => {
    // What ends with its passage may go on in the next one.
    const isWhole = !(isLong && rows.at(-1) === last)
    return readTable(rows, index === 0 ? header : null, { isWhole })
  })
}

/** The entries of one table; its columns are lists where it `isWhole`. */
export function readTable(rows: readonly Line[], above: Line | null, { isWhole = false } = {}): Entry[] {
  const [first, ...rest] = rows
  if (first !== undefined && EMPTY_HEADER.test(first.text)) return rest.flatMap((row) => rowEntries(row, null))
  const isHeaded = above === null && first !== undefined && rest.length > 0 && looksLikeHeader(first, rest)
  const header = above ?? (isHeaded ? first : null)
  const data = isHeaded ? rest : rows
  const parties = header !== null && nameParties(header)
  const columns = isHeaded && isWhole && !parties ? listColumns(first, data) : []
  const cells = data.flatMap((row, place) => [
    ...(parties ? [] : rowEntries(row, header)),
    ...(header !== null && above === null && (data.length === 1 || (parties && place === 0))
      ? columnEntries(row, header, parties ? data : [])
      : []),
  ])
  return [...cells, ...columns]
}

/** Lines of several cells that stand together, as lines of colons do not. */
function groupsOf(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = [[]]
  for (const line of lines) {
    if (line.cells.length === 0 && line.text.trim() !== '') {
      if (EMPTY_HEADER.test(line.text)) groups.push([line])
      continue
    }
    if (areBareLabels(line)) groups.push([line])
    else if (line.cells.length > 1 && line.cells.every((cell) => labelOf(cell) === null)) groups.at(-1)?.push(line)
    else if ((groups.at(-1)?.length ?? 0) > 0) groups.push([])
  }
  return groups.filter(([first, second]) => first !== undefined && (second !== undefined || !areBareLabels(first)))
}

/** `Bill to:      Ship to:` above what belongs to each. */
function areBareLabels({ cells }: Line): boolean {
  return cells.length > 1 && cells.every((cell) => labelOf(cell)?.end === cell.end)
}

/** A header has words alone, and something below it has none, or it has more cells than a label and a value. */
function looksLikeHeader(first: Line, rest: readonly Line[]): boolean {
  if (!first.cells.every((cell) => /\p{L}|#/u.test(cell.text) && cell.text.length <= 40)) return false
  if (first.cells.some((cell) => /^[^\p{L}\p{N}]*\d/u.test(cell.text) || BOX.test(cell.text))) return false
  if (areBareLabels(first)) return true
  const isMarked = first.text.trim().startsWith('|')
  return (
    first.cells.length > 2 ||
    isMarked ||
    nameParties(first) ||
    (rest.length > 1 && hasDigits(rest) && !/\d/.test(first.text))
  )
}

function nameParties({ cells }: Line): boolean {
  return cells.every(({ text }) => PARTY.test(withoutColon(text)))
}

/** Without the colon at its end and the white space around that; a pattern of both would go over a long run of white space again and again. */
function withoutColon(text: string): string {
  const trimmed = text.trimEnd()
  return /[:：]$/u.test(trimmed) ? trimmed.slice(0, -1).trimEnd() : trimmed
}

function hasDigits(rows: readonly Line[]): boolean {
  return rows.every((row) => /\d/.test(row.cells.at(-1)?.text ?? ''))
}

/** What names the other cells of its row: the first cell, and below a header whichever of the first ones has words, as behind the number of an article. */
function rowEntries(row: Line, header: Line | null): Entry[] {
  const [label, ...values] = row.cells
  const [first] = values
  const isChoice = first !== undefined && BOX.test(first.text)
  if (!isChoice && header !== null && header.cells.length > 2) return cellEntries(row, header)
  if (label === undefined || !/\p{L}{2}/u.test(label.text) || LONG_NUMBER.test(label.text)) return []
  if (isChoice) return [choiceEntry(label, first, values.at(-1) ?? first)]
  return values.flatMap((value, index): Entry[] => {
    if (value.text === '') return []
    const besides = header === null ? '' : (columnOf(row, header, index + 1)?.text ?? '')
    const trust = values.length === 1 ? TRUST.row : TRUST.cell - LATER_COLUMN * index
    return [{ label: label.text, besides, start: value.start, end: value.end, blockEnd: value.end, trust }]
  })
}

/** The cells of a row below a header, each by every cell that may name the row. */
function cellEntries(row: Line, header: Line): Entry[] {
  const columns = row.cells.map((_, index) => columnOf(row, header, index)?.text ?? '')
  const names = row.cells.flatMap((cell, index) => (isName(cell.text) ? [{ ...cell, index }] : []))
  return names.slice(0, MOST_NAMES).flatMap((name) =>
    row.cells.flatMap(({ text, start, end }, index): Entry[] => {
      const behind = Math.min(index > name.index ? index - name.index - 1 : index, MOST_BEHIND)
      const trust = TRUST.cell - LATER_COLUMN * behind
      if (index === name.index || text === '') return []
      return [{ label: name.text, besides: columns[index] ?? '', start, end, blockEnd: end, trust, isCell: true }]
    }),
  )
}

function isName(text: string): boolean {
  return /\p{L}{2}|\p{Lo}|\p{L}\P{L}*\d/u.test(text) && text.length <= MOST_NAME_CHARACTERS && !BOX.test(text)
}

function choiceEntry(label: Span, first: Span, last: Span): Entry {
  const { start } = first
  return { label: label.text, besides: '', start, end: last.end, blockEnd: last.end, trust: TRUST.row }
}

/** What the header above a cell names. */
function columnEntries(row: Line, header: Line, block: readonly Line[]): Entry[] {
  return row.cells.flatMap((cell, index): Entry[] => {
    const column = columnOf(row, header, index)
    if (column === undefined || cell.text === '') return []
    const trust = block.length > 0 ? TRUST.block : TRUST.column
    return [{ label: column.text, besides: '', start: cell.start, end: cell.end, blockEnd: cell.end, trust }]
  })
}

/** The header of a cell: by its number where none is missing, else by where it stands on the line. */
function columnOf(row: Line, header: Line, index: number): Span | undefined {
  const cell = row.cells[index]
  if (cell === undefined || row.cells.length === header.cells.length) return header.cells[index]
  const [left, right] = [cell.start - row.start, cell.end - row.start]
  const distanceTo = ({ start, end }: Span): number =>
    Math.min(Math.abs(left - (start - header.start)), Math.abs(right - (end - header.start)))
  return header.cells.toSorted((a, b) => distanceTo(a) - distanceTo(b))[0]
}

const COLUMN_TRUST = { words: 0.95, numbers: 0.85 } as const
/** Fewer rows are a label and a value, more are no answer but a file. */
const ROWS = { least: 2, most: 50 } as const
/** A row of a sum is no item; `Taxi` and `Ivan` are none. */
const SUM = new RegExp(
  '^(?:(?:(?:sub|sous)-?)?tota(?:ls?|les?|ux|al)|sum|vat|tax(?:es)?|summen?|zwischensumme|(?:gesamt|' +
    'netto|brutto|end)(?:summe|betrag|preis|wert|kosten)?|mwst|ust|tva|iva|base imponible|montants?|' +
    String.raw`importe total|итого|razem)(?!\p{L})|^(?:合計|小計|合计|小计|总计)`,
  'iu',
)

/** The columns of a table as lists, each named by its header. None where a row has other cells than the header, sums at the end left out. */
function listColumns(header: Line, rows: readonly Line[]): Entry[] {
  const end = rows.findIndex(({ cells }) => SUM.test(cells[0]?.text ?? ''))
  const items = end < 0 ? rows : rows.slice(0, end)
  const areWhole = items.every(({ cells }) => cells.length === header.cells.length)
  if (!areWhole || items.length < ROWS.least || items.length > ROWS.most) return []
  return header.cells.flatMap(({ text: label }, column): Entry[] => {
    const cells = items.flatMap(({ cells }) => cells[column] ?? [])
    const [first, last] = [cells[0], cells.at(-1)]
    if (first === undefined || last === undefined || cells.some(({ text }) => text === '')) return []
    const trust = cells.every(({ text }) => /\p{L}{2}/u.test(text)) ? COLUMN_TRUST.words : COLUMN_TRUST.numbers
    const place = { start: first.start, end: last.end, blockEnd: last.end }
    return [{ label, besides: '', ...place, trust, items: cells.map(({ text }) => text) }]
  })
}
