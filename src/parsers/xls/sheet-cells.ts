import type { CellFormats, CellStrings } from '../ooxml/xlsx/cell-formats.ts'
import { type CellReference, formatNumber, removeBlankLines, type SheetRow } from '../ooxml/xlsx/sheet-handler.ts'
import { tooLargeUnpacked } from '../parse-event.ts'
import { type BiffRecord, listBodies, listSheetRecords, RECORDS } from './biff-records.ts'
import { BodyReader, type TextForm } from './biff-strings.ts'
import { type FormulaContext, formatFormula } from './formula-text.ts'
import type { Workbook, XlsSheet } from './workbook.ts'

/** A cell. `isPending`: its text follows in a STRING record. */
type PlacedCell = CellReference & { text: string; isText: boolean; isPending?: true }

/** Lookup tables; `null` for the stored data of charts, which has none. */
type CellContext = {
  form: TextForm
  strings: CellStrings | null
  formats: CellFormats | null
  formulas: FormulaContext | null
}

/** Bytes before the value: row, column, style. */
const PLACE_BYTES = 6
const RK_BYTES = 6
/** Bytes of a formula with its value. */
const FORMULA_VALUE_END = 14

/** Returns the cells of a record, from row and column 1; `null` for a record that has no cells. */
export function readCells(
  { type, body }: Pick<BiffRecord, 'type' | 'body'>,
  context: CellContext,
): PlacedCell[] | null {
  if (!CELL_RECORDS.has(type)) return null
  if (body.length < PLACE_BYTES + 2) return []
  const row = body.readUInt16LE(0) + 1
  const column = body.readUInt16LE(2) + 1
  if (type === RECORDS.multipleRk) return readMultipleRk(body, { row, column }, context)
  const shown = readValue(type, body, context)
  return shown === null ? [] : [{ row, column, ...shown }]
}

const CELL_RECORDS: ReadonlySet<number> = new Set([
  RECORDS.sharedStringCell,
  RECORDS.label,
  RECORDS.richString,
  RECORDS.number,
  RECORDS.rk,
  RECORDS.multipleRk,
  RECORDS.booleanOrError,
  RECORDS.formula,
])

/** True for a record that has cells. */
export function isCell({ type }: BiffRecord): boolean {
  return CELL_RECORDS.has(type)
}

type CellValue = Omit<PlacedCell, 'row' | 'column'>

function readValue(type: number, body: Buffer, context: CellContext): CellValue | null {
  const style = body.readUInt16LE(4)
  switch (type) {
    case RECORDS.sharedStringCell:
      if (body.length < PLACE_BYTES + 4) return null
      return toText(context.strings?.get(body.readUInt32LE(PLACE_BYTES)) ?? '')
    case RECORDS.label:
    case RECORDS.richString:
      return toText(new BodyReader([body.subarray(PLACE_BYTES)]).string(2, context.form))
    case RECORDS.number:
      return body.length < PLACE_BYTES + 8 ? null : toNumber(body.readDoubleLE(PLACE_BYTES), style, context)
    case RECORDS.rk:
      return body.length < PLACE_BYTES + 4 ? null : toNumber(decodeRk(body.readInt32LE(PLACE_BYTES)), style, context)
    case RECORDS.booleanOrError:
      return toBooleanOrError(body[PLACE_BYTES] ?? 0, body[PLACE_BYTES + 1] === 1)
    default:
      return body.length < FORMULA_VALUE_END ? null : readFormulaValue(body, style, context)
  }
}

function toText(text: string): CellValue {
  return { text: removeBlankLines(text), isText: true }
}

function toNumber(number: number, style: number, { formats }: CellContext): CellValue {
  return { text: formatNumber(number, formats?.get(style) ?? null), isText: false }
}

/** Error values. MS-XLS 2.5.10. */
const ERRORS: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
  [0x2b, '#GETTING_DATA'],
])

function toBooleanOrError(value: number, isError: boolean): CellValue {
  const text = isError ? (ERRORS.get(value) ?? '') : value === 0 ? 'FALSE' : 'TRUE'
  return { text, isText: false }
}

/** A number in four bytes: an integer or the upper half of a double, maybe times 100. */
function decodeRk(rk: number): number {
  let value = rk >> 2
  if ((rk & 2) === 0) {
    const double = Buffer.alloc(8)
    double.writeInt32LE(rk & ~3, 4)
    value = double.readDoubleLE(0)
  }
  return (rk & 1) === 0 ? value : value / 100
}

function readMultipleRk(body: Buffer, { row, column }: CellReference, context: CellContext): PlacedCell[] {
  const count = Math.floor((body.length - PLACE_BYTES) / RK_BYTES)
  return Array.from({ length: count }, (_, index) => {
    const at = 4 + index * RK_BYTES
    return {
      row,
      column: column + index,
      ...toNumber(decodeRk(body.readInt32LE(at + 2)), body.readUInt16LE(at), context),
    }
  })
}

/** Kinds of values that are no numbers. MS-XLS 2.5.133. */
const TEXT_VALUE = 0
const BOOLEAN_VALUE = 1
const ERROR_VALUE = 2
/** An empty text, or no value in files of programs that do not calculate. */
const EMPTY_VALUE = 3

/** Shown for a formula without a value that has unknown functions. */
const UNKNOWN_FORMULA = '=(formula)'

/** True for a formula that has an empty text as its value, or no value. */
export function isEmptyFormula(body: Buffer): boolean {
  return body.length < FORMULA_VALUE_END || (body[PLACE_BYTES] === EMPTY_VALUE && isSpecialValue(body))
}

function isSpecialValue(body: Buffer): boolean {
  return body.readUInt16LE(PLACE_BYTES + 6) === 0xffff
}

function readFormulaValue(body: Buffer, style: number, context: CellContext): CellValue | null {
  if (!isSpecialValue(body)) return toNumber(body.readDoubleLE(PLACE_BYTES), style, context)
  const kind = body[PLACE_BYTES]
  const value = body[PLACE_BYTES + 2] ?? 0
  if (kind === TEXT_VALUE) return { text: '', isText: true, isPending: true }
  if (kind === EMPTY_VALUE && context.formulas !== null)
    return { text: formatFormula(body, context.formulas) ?? UNKNOWN_FORMULA, isText: false }
  return kind === BOOLEAN_VALUE || kind === ERROR_VALUE ? toBooleanOrError(value, kind === ERROR_VALUE) : null
}

/** Sheets with cells out of order are held in memory. */
const MAX_UNORDERED_CELLS = 1_000_000

/** Yields the rows of a sheet with its cells in order, without empty cells. */
export function listRows(workbook: Workbook, sheet: XlsSheet): Generator<SheetRow> {
  return groupRows(listCells(workbook, sheet))
}

/** The same for a sheet with cells out of order. */
export function* listUnorderedRows(workbook: Workbook, sheet: XlsSheet): Generator<SheetRow> {
  const cells: PlacedCell[] = []
  for (const cell of listCells(workbook, sheet)) {
    cells.push(cell)
    if (cells.length > MAX_UNORDERED_CELLS) throw tooLargeUnpacked('a sheet has a million cells out of order')
  }
  cells.sort((a, b) => a.row - b.row || a.column - b.column)
  // Of several values of a cell the last counts.
  const isLast = (cell: PlacedCell, index: number) =>
    cells[index + 1]?.row !== cell.row || cells[index + 1]?.column !== cell.column
  yield* groupRows(cells.filter(isLast))
}

function* listCells(workbook: Workbook, { at }: XlsSheet): Generator<PlacedCell> {
  const { stream, form } = workbook
  let pending: PlacedCell | null = null
  for (const [record, isOfChart] of listSheetRecords(stream, at)) {
    if (isOfChart) continue
    if (record.type === RECORDS.string && pending !== null) {
      yield { ...pending, ...toText(new BodyReader(listBodies(stream, record)).string(2, form)) }
      pending = null
    }
    for (const cell of readCells(record, workbook) ?? []) {
      if (cell.isPending === true) pending = cell
      else yield cell
    }
  }
}

function* groupRows(cells: Iterable<PlacedCell>): Generator<SheetRow> {
  let current: SheetRow = { row: 0, cells: [] }
  for (const { row, column, text, isText } of cells) {
    if (text === '') continue
    if (current.row !== row) {
      if (current.cells.length > 0) yield current
      current = { row, cells: [] }
    }
    current.cells.push({ column, text, isText })
  }
  if (current.cells.length > 0) yield current
}
