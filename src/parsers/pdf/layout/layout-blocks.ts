import { isPeriod } from '../../group-header.ts'
import { alignCells } from './align-cells.ts'
import { buildRows } from './build-rows.ts'
import { BULLET, type Cell, differsInStyle, type Line, SECTION_NUMBER } from './cell.ts'
import { linesToText } from './lines-to-text.ts'
import type { Rule } from './rule.ts'
import type { Span } from './span.ts'

/** Start of a list item with text. */
const ITEM = /^(?:[•◦▪▫■□●○‣⁃∙➢✓✔]\s*|[–—*-]\s+|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s+)\S/u

/** Tolerance of a column's shared left or right edge. */
const EDGE_TOLERANCE_POINTS = 3

/** A paragraph, list item or table row of the page. */
export type LayoutBlock = {
  kind: 'paragraph' | 'list-item' | 'table-header' | 'table-row'
  text: string
  size: number
  isBold: boolean
  lines: number
}

/** `hyphenated`: the hyphenated words of the page; `rules`: its drawn lines. */
export type PageFacts = { hyphenated: ReadonlySet<string>; rules: readonly Rule[] }

/** Builds the blocks of a region. */
export function buildBlocks(spans: readonly Span[], { hyphenated, rules }: PageFacts): LayoutBlock[] {
  const blocks: LayoutBlock[] = []
  let table: Cell[][] = []
  const endTable = () => {
    blocks.push(...splitTables(table).flatMap((rows) => buildTableBlocks(alignCells(rows), hyphenated)))
    table = []
  }
  const rows = buildRows(spans, rules)
  const levels = rules.filter(({ isLevel }) => isLevel)
  for (const [index, row] of rows.entries()) {
    if (isHeadingRow(row, { above: table.at(-1) ?? [], below: rows[index + 1] ?? [] })) {
      endTable()
      blocks.push(headingBlock(row, hyphenated))
    } else if (
      isTableRow(row) ||
      isGroupRow(row, table, rows.slice(index + 1, index + 4)) ||
      isRuledRow(row, table, levels)
    )
      table.push(row)
    else {
      endTable()
      blocks.push(
        ...(isItem(row) ? itemBlocks(row, hyphenated) : row.flatMap((cell) => buildCellBlocks(cell, hyphenated))),
      )
    }
  }
  endTable()
  return blocks
}

/** Limit on the rules compared with a row. */
const MAX_RULES = 1_000

/** True for a single cell between two rules that also run under the other rows of the table. */
function isRuledRow([cell]: readonly Cell[], table: readonly Cell[][], levels: readonly Rule[]): boolean {
  const above = table.at(-1) ?? []
  const [first, last] = [above[0], above.at(-1)]
  if (cell === undefined || first === undefined || last === undefined || levels.length > MAX_RULES) return false
  const wide = levels.filter(({ from, to }) => from <= first.left && to >= last.right)
  const over = wide.filter(
    ({ at }) => at < first.bottom + EDGE_TOLERANCE_POINTS && at > cell.top - EDGE_TOLERANCE_POINTS,
  )
  const under = wide.filter(
    ({ at }) => at < cell.bottom + EDGE_TOLERANCE_POINTS && cell.bottom - at < cell.top - cell.bottom,
  )
  return over.length === 1 && under.length > 0
}

/** Short cells side by side form a row; long cells are parallel paragraphs. */
function isTableRow(row: readonly Cell[]): boolean {
  return row.length > 1 && !isItem(row) && row.every((cell) => cell.lines.length <= 12)
}

/**
 * True for a section number and a distant heading that differ in style from the rows above and
 * below. A bold row aligned with the columns above is a table row instead.
 */
function isHeadingRow(row: readonly Cell[], { above, below }: Record<'above' | 'below', readonly Cell[]>): boolean {
  const [number, words] = row
  if (row.length !== 2 || number?.lines.length !== 1 || words === undefined) return false
  if (!SECTION_NUMBER.test(number.lines[0]?.text ?? '') || !words.lines.some(isHeadingText)) return false
  const look = measureStyle(row.flatMap(({ lines }) => lines))
  const others = [...above, ...below].flatMap(({ lines }) => lines)
  return (
    !sharesColumns(above, row) &&
    others.every((line) => (look.isBold || look.size > line.size) && differsInStyle(look, line))
  )
}

/** True for equally many cells with a shared left or right edge each. */
function sharesColumns(above: readonly Cell[], row: readonly Cell[]): boolean {
  const isAt = (a = Number.NaN, b = Number.NaN) => Math.abs(a - b) < EDGE_TOLERANCE_POINTS
  return (
    above.length === row.length &&
    row.every(({ left, right }, index) => isAt(above[index]?.left, left) || isAt(above[index]?.right, right))
  )
}

/** False for an entry of a table of contents, with dot leaders before its page number. */
function isHeadingText({ text }: Line): boolean {
  return /\p{L}/u.test(text) && !/(?:\.\s?){4}/.test(text)
}

function headingBlock(row: readonly Cell[], hyphenated: ReadonlySet<string>): LayoutBlock {
  const text = row.map((cell) => cellText(cell, hyphenated)).join(' ')
  return { ...measureStyle(row.flatMap(({ lines }) => lines)), kind: 'paragraph', text }
}

/** A bullet or list number and, at some distance, its text. */
function isItem([first, ...others]: readonly Cell[]): boolean {
  return others.length === 1 && first?.lines.length === 1 && BULLET.test(first.lines[0]?.text ?? '')
}

function itemBlocks(row: readonly Cell[], hyphenated: ReadonlySet<string>): LayoutBlock[] {
  const blocks = row.slice(1).flatMap((cell) => buildCellBlocks(cell, hyphenated))
  const [first] = blocks
  if (first !== undefined) Object.assign(first, { kind: 'list-item', text: `${row[0]?.lines[0]?.text} ${first.text}` })
  return blocks
}

/** Builds the blocks of a table. `aligned`: its rows with a cell or `null` for each column. */
export function buildTableBlocks(aligned: readonly (Cell | null)[][], hyphenated: ReadonlySet<string>): LayoutBlock[] {
  const blocks = aligned.map((row): LayoutBlock => {
    const cells = row.map((cell) => (cell === null ? '' : cellText(cell, hyphenated)))
    return { ...measureStyle(row.flatMap((cell) => cell?.lines ?? [])), kind: 'table-row', text: cells.join('\t') }
  })
  const [first, second] = blocks
  if (first === undefined) return blocks
  // A single row is a line with wide gaps, such as a page header.
  if (second === undefined) return [{ ...first, kind: 'paragraph' }]
  const heads = hasGroupHeader(aligned) && namesColumns(second.text.split('\t')) ? 2 : 1
  const body = blocks.slice(heads)
  const values = body.find(({ text }) => text.includes('\t')) ?? body[0]
  if (values !== undefined && isHeader(first, values))
    for (const head of blocks.slice(0, heads)) head.kind = 'table-header'
  return blocks
}

/**
 * True when the first row has cells over several columns and the second row names each of those
 * columns.
 */
function hasGroupHeader([first = [], second = []]: readonly (readonly (Cell | null)[])[]): boolean {
  const columns = [...first.keys()].filter((column) => column > 0 && first[column] === null)
  return columns.length > 0 && columns.every((column) => second[column] !== null && second[column] !== undefined)
}

function cellText({ lines, right }: Cell, hyphenated: ReadonlySet<string>): string {
  return linesToText(lines, right, hyphenated).replaceAll('\n', ' ')
}

function isHeader(first: LayoutBlock, second: LayoutBlock): boolean {
  if (first.isBold !== second.isBold) return first.isBold
  return namesColumns(first.text.split('\t')) && /\d/.test(second.text)
}

/** True for words only, or for several periods that each name a column of figures. */
function namesColumns(cells: readonly string[]): boolean {
  const periods = cells.filter(isPeriod).length
  return cells.every((cell) => !/\d/.test(cell) || (periods > 1 && isPeriod(cell)))
}

/** Builds the paragraphs of a cell. */
export function buildCellBlocks(cell: Cell, hyphenated: ReadonlySet<string>): LayoutBlock[] {
  return splitParagraphs(cell).map((lines) => {
    const text = linesToText(lines, cell.right, hyphenated)
    return { ...measureStyle(lines), kind: ITEM.test(text) ? 'list-item' : 'paragraph', text }
  })
}

function splitParagraphs({ lines, left }: Cell): Line[][] {
  const leadings = lines.slice(1).map((line, index) => (lines[index]?.baseline ?? 0) - line.baseline)
  const usual = leadings.sort((a, b) => a - b)[(leadings.length - 1) >> 1] ?? 0
  const paragraphs: Line[][] = []
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1]
    const first = paragraphs.at(-1)?.[0]
    const begins = above === undefined || first === undefined || beginsParagraph(above, line, { usual, left })
    if (begins || endsItem(first, above, line)) paragraphs.push([line])
    else paragraphs.at(-1)?.push(line)
  }
  return paragraphs
}

function beginsParagraph(above: Line, line: Line, { usual, left }: { usual: number; left: number }): boolean {
  const size = Math.max(above.size, line.size)
  if (Math.abs(above.size - line.size) > 0.1 * size || above.isBold !== line.isBold) return true
  if (above.baseline - line.baseline > 1.25 * usual) return true
  if (ITEM.test(line.text)) return true
  // Further lines of an item are indented like the first line of a paragraph.
  if (ITEM.test(above.text)) return false
  const isIndented = line.left - left > 0.8 * size && line.left - left < 5 * size
  return isIndented && above.left - left < 0.4 * size
}

/** A new sentence further left than the list item above: the text after a list. */
function endsItem(first: Line, above: Line, line: Line): boolean {
  const isOutside = first.left - line.left > 0.8 * line.size && ITEM.test(first.text)
  return isOutside && /[.;:!?]$/.test(above.text) && /^\p{Lu}/u.test(line.text)
}

function measureStyle(lines: readonly Line[]): Pick<LayoutBlock, 'size' | 'isBold' | 'lines'> {
  return {
    size: lines.reduce((max, line) => Math.max(max, line.size), 0),
    isBold: lines.every((line) => line.isBold),
    lines: lines.length,
  }
}

/** Tables with fewer columns are labels and values; their groups have headings. */
const MIN_COLUMNS = 3
/** Maximum indent of the rows in a group, in font sizes. */
const MAX_INDENT_SIZES = 3
/** Tolerance of the row spacing, in font sizes. */
const GAP_TOLERANCE_SIZES = 0.5

/**
 * True for a line in the first column that names the rows below, such as `Assets` in a balance
 * sheet. The line is a table row and does not end the table. `table`: the rows above; `below`: the
 * following rows.
 */
function isGroupRow([cell, ...others]: readonly Cell[], table: readonly Cell[][], below: readonly Cell[][]): boolean {
  const above = table.at(-1)
  const next = below.find((row) => row.length > 1)
  if (cell === undefined || above === undefined || next === undefined || others.length > 0) return false
  if (cell.lines.length > 1 || next.length < MIN_COLUMNS) return false
  return isInFirstColumn(cell, next) && hasUsualSpacing(cell, table.slice(-2), below)
}

function isInFirstColumn(cell: Cell, [first, second]: readonly Cell[]): boolean {
  if (first === undefined || second === undefined || cell.right > second.left) return false
  const size = cell.lines[0]?.size ?? 0
  return Math.abs(first.left - cell.left) < MAX_INDENT_SIZES * size
}

function hasUsualSpacing(
  cell: Cell,
  above: readonly (readonly Cell[])[],
  below: readonly (readonly Cell[])[],
): boolean {
  const usual =
    Math.min(...measureRowGaps(above), ...measureRowGaps(below)) + GAP_TOLERANCE_SIZES * (cell.lines[0]?.size ?? 0)
  return measureRowGaps([...above.slice(-1), [cell], ...below.slice(0, 1)]).every((gap) => gap <= usual)
}

/** Distances between consecutive rows. */
function measureRowGaps(rows: readonly (readonly Cell[])[]): number[] {
  return rows.slice(1).map((row, index) => measureGap(rows[index] ?? [], row))
}

/** Vertical distance between two rows in points; negative when they overlap. */
function measureGap(above: readonly Cell[], below: readonly Cell[]): number {
  const bottom = above.reduce((min, cell) => Math.min(min, cell.bottom), Number.POSITIVE_INFINITY)
  return bottom - below.reduce((max, { top }) => Math.max(max, top), Number.NEGATIVE_INFINITY)
}

/**
 * Two tables are further apart than the rows of the lower one: by this factor, and by this many
 * font sizes.
 */
const MIN_GAP_RATIO = 1.5
const MIN_EXTRA_GAP_SIZES = 0.5

/**
 * Splits stacked rows into tables, such as the head of an invoice and its items. A new table starts
 * after a gap with a row of column names.
 */
function splitTables(rows: readonly Cell[][]): Cell[][][] {
  const tables: Cell[][][] = []
  for (const [index, row] of rows.entries()) {
    const [above, below] = [rows[index - 1], rows[index + 1]]
    const begins = above === undefined || (below !== undefined && beginsTable(above, row, below))
    if (begins) tables.push([row])
    else tables.at(-1)?.push(row)
  }
  return tables
}

function beginsTable(above: readonly Cell[], row: readonly Cell[], below: readonly Cell[]): boolean {
  const [gapAbove, gapBelow] = [measureGap(above, row), measureGap(row, below)]
  const size = row[0]?.lines[0]?.size ?? 0
  const isApart = gapAbove > MIN_GAP_RATIO * gapBelow && gapAbove - gapBelow > MIN_EXTRA_GAP_SIZES * size
  const looksOther = row.length !== above.length || (isBoldRow(row) && !isBoldRow(above))
  return isApart && looksOther && isHeaderFor(row, below)
}

/** True when `row` names the columns of `below`: bold above regular, or words above figures. */
function isHeaderFor(row: readonly Cell[], below: readonly Cell[]): boolean {
  return isBoldRow(row) !== isBoldRow(below) ? isBoldRow(row) : !hasFigures(row) && hasFigures(below)
}

function isBoldRow(row: readonly Cell[]): boolean {
  return row.every(({ lines }) => lines.every((line) => line.isBold))
}

function hasFigures(row: readonly Cell[]): boolean {
  return row.some(({ lines }) => lines.some(({ text }) => /\d/.test(text)))
}
