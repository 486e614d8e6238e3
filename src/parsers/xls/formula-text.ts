import { formatCellReference } from '../ooxml/xlsx/sheet-handler.ts'
import { BodyReader, type TextForm } from './biff-strings.ts'

/**
 * Writes the formula of a FORMULA record as text: `=SUM(B2:B9)`. The tokens are in reverse Polish
 * notation (MS-XLS 2.5.198).
 *
 * Some programs calculate nothing and save formulas without values. Only operators, cells of the
 * workbook and common functions are known.
 */

/** Tables of the workbook that formulas refer to. */
export type FormulaContext = {
  form: TextForm
  /** Names of the sheets by the number in a token; `null` for sheets of other files. */
  sheetNames: readonly (string | null)[]
}

/** Longer formulas occur in crafted files. */
const MAX_CHARACTERS = 8_000
/** Bytes before the length of the tokens. */
const TOKENS_AT = 20

/** Returns the formula; `null` when a token or function is unknown. */
export function formatFormula(body: Buffer, context: FormulaContext): string | null {
  const length = body.length < TOKENS_AT + 2 ? 0 : body.readUInt16LE(TOKENS_AT)
  const reader = new BodyReader([body.subarray(TOKENS_AT + 2, TOKENS_AT + 2 + length)])
  const stack: string[] = []
  while (!reader.isAtEnd()) {
    if (!applyToken(reader, stack, context)) return null
    if ((stack.at(-1)?.length ?? 0) > MAX_CHARACTERS) return null
  }
  return stack.length === 1 ? `=${stack[0]}` : null
}

const FIRST_BINARY = 0x03
const BINARY = ['+', '-', '*', '/', '^', '&', '<', '<=', '=', '>=', '>', '<>', ' ', ',', ':']

/** Tokens of operands and functions; those with operands exist in three classes. */
const TOKENS = {
  plus: 0x12,
  minus: 0x13,
  percent: 0x14,
  parenthesis: 0x15,
  missing: 0x16,
  text: 0x17,
  attribute: 0x19,
  boolean: 0x1d,
  integer: 0x1e,
  number: 0x1f,
  fixedFunction: 0x21,
  variableFunction: 0x22,
  cell: 0x24,
  area: 0x25,
  cellOfSheet: 0x3a,
  areaOfSheet: 0x3b,
} as const
const FIRST_CLASSED = 0x20

/** Replaces the operands of the next token by its text. False for an unknown token. */
function applyToken(reader: BodyReader, stack: string[], context: FormulaContext): boolean {
  const byte = reader.byte()
  const token = byte < FIRST_CLASSED ? byte : (byte & 0x1f) | FIRST_CLASSED
  const operator = BINARY[token - FIRST_BINARY]
  if (operator !== undefined) return replace(stack, 2, ([left, right]) => `${left}${operator}${right}`)
  switch (token) {
    case TOKENS.plus:
      return replace(stack, 1, ([operand]) => `+${operand}`)
    case TOKENS.minus:
      return replace(stack, 1, ([operand]) => `-${operand}`)
    case TOKENS.percent:
      return replace(stack, 1, ([operand]) => `${operand}%`)
    case TOKENS.parenthesis:
      return replace(stack, 1, ([operand]) => `(${operand})`)
    case TOKENS.attribute:
      return applyAttribute(reader, stack)
    case TOKENS.fixedFunction:
      return applyFunction(stack, reader.uint16(), null)
    case TOKENS.variableFunction: {
      const count = reader.byte() & 0x7f
      return applyFunction(stack, reader.uint16() & 0x7fff, count)
    }
    default: {
      const operand = readOperand(token, reader, context)
      if (operand !== null) stack.push(operand)
      return operand !== null
    }
  }
}

function replace(stack: string[], count: number, join: (operands: string[]) => string): boolean {
  if (stack.length < count) return false
  stack.push(join(stack.splice(stack.length - count)))
  return true
}

function readOperand(token: number, reader: BodyReader, { form, sheetNames }: FormulaContext): string | null {
  switch (token) {
    case TOKENS.missing:
      return ''
    case TOKENS.text:
      return `"${reader.string(1, form).replaceAll('"', '""')}"`
    case TOKENS.boolean:
      return reader.byte() === 0 ? 'FALSE' : 'TRUE'
    case TOKENS.integer:
      return String(reader.uint16())
    case TOKENS.number: {
      const bytes = reader.bytes(8)
      return bytes.length < 8 ? null : String(bytes.readDoubleLE(0))
    }
    case TOKENS.cell:
    case TOKENS.area:
      return readReference(reader, token === TOKENS.area, form)
    case TOKENS.cellOfSheet:
    case TOKENS.areaOfSheet: {
      const name = form.isUnicode ? (sheetNames[reader.uint16()] ?? null) : null
      if (name === null) return null
      const quoted = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) ? name : `'${name.replaceAll("'", "''")}'`
      return `${quoted}!${readReference(reader, token === TOKENS.areaOfSheet, form)}`
    }
    default:
      return null
  }
}

const ROW_IS_RELATIVE = 0x8000
const COLUMN_IS_RELATIVE = 0x4000

/** Rows come before columns. Excel 95 has the flags in the row, and a column of one byte. */
function readReference(reader: BodyReader, isArea: boolean, { isUnicode }: TextForm): string {
  const count = isArea ? 2 : 1
  const rows = Array.from({ length: count }, () => reader.uint16())
  const columns = Array.from({ length: count }, () => (isUnicode ? reader.uint16() : reader.byte()))
  const corners = rows.map((row, index) => {
    const column = columns[index] ?? 0
    const flags = isUnicode ? column : row
    const place = { row: (isUnicode ? row : row & 0x3fff) + 1, column: (column & 0x3fff) + 1 }
    const [, letters = '', digits = ''] = /^([A-Z]+)(\d+)$/.exec(formatCellReference(place)) ?? []
    const beforeColumn = (flags & COLUMN_IS_RELATIVE) === 0 ? '$' : ''
    const beforeRow = (flags & ROW_IS_RELATIVE) === 0 ? '$' : ''
    return `${beforeColumn}${letters}${beforeRow}${digits}`
  })
  return corners.join(':')
}

/** Attributes direct the calculation. Only a sum of one operand is written. MS-XLS 2.5.198.35. */
const CHOICE_ATTRIBUTE = 0x04
const SUM_ATTRIBUTE = 0x10

function applyAttribute(reader: BodyReader, stack: string[]): boolean {
  const kind = reader.byte()
  const value = reader.uint16()
  if ((kind & CHOICE_ATTRIBUTE) !== 0) reader.skip((value + 1) * 2)
  return (kind & SUM_ATTRIBUTE) === 0 || replace(stack, 1, ([operand]) => `SUM(${operand})`)
}

function applyFunction(stack: string[], index: number, count: number | null): boolean {
  const known = FUNCTIONS.get(index)
  const operands = count ?? known?.operands ?? null
  if (known === undefined || operands === null) return false
  return replace(stack, operands, (parts) => `${known.name}(${parts.join(',')})`)
}

/** Names by number, with the number of operands where that is fixed. MS-XLS 2.5.198.17. */
const NAMES = `
0 COUNT, 1 IF, 2 ISNA 1, 3 ISERROR 1, 4 SUM, 5 AVERAGE, 6 MIN, 7 MAX, 8 ROW, 9 COLUMN, 10 NA 0, 11 NPV,
12 STDEV, 13 DOLLAR, 14 FIXED, 15 SIN 1, 16 COS 1, 17 TAN 1, 18 ATAN 1, 19 PI 0, 20 SQRT 1, 21 EXP 1, 22 LN 1,
23 LOG10 1, 24 ABS 1, 25 INT 1, 26 SIGN 1, 27 ROUND 2, 28 LOOKUP, 29 INDEX, 30 REPT 2, 31 MID 3, 32 LEN 1,
33 VALUE 1, 34 TRUE 0, 35 FALSE 0, 36 AND, 37 OR, 38 NOT 1, 39 MOD 2, 40 DCOUNT 3, 41 DSUM 3, 42 DAVERAGE 3,
43 DMIN 3, 44 DMAX 3, 46 VAR, 48 TEXT 2, 56 PV, 57 FV, 58 NPER, 59 PMT, 60 RATE, 61 MIRR 3, 62 IRR, 63 RAND 0,
64 MATCH, 65 DATE 3, 66 TIME 3, 67 DAY 1, 68 MONTH 1, 69 YEAR 1, 70 WEEKDAY, 71 HOUR 1, 72 MINUTE 1,
73 SECOND 1, 74 NOW 0, 76 ROWS 1, 77 COLUMNS 1, 78 OFFSET, 82 SEARCH, 97 ATAN2 2, 98 ASIN 1, 99 ACOS 1,
100 CHOOSE, 101 HLOOKUP, 102 VLOOKUP, 109 LOG, 111 CHAR 1, 112 LOWER 1, 113 UPPER 1, 114 PROPER 1, 115 LEFT,
116 RIGHT, 117 EXACT 2, 118 TRIM 1, 119 REPLACE 4, 120 SUBSTITUTE, 121 CODE 1, 124 FIND, 126 ISERR 1,
127 ISTEXT 1, 128 ISNUMBER 1, 129 ISBLANK 1, 140 DATEVALUE 1, 141 TIMEVALUE 1, 142 SLN 3, 148 INDIRECT,
162 CLEAN 1, 167 IPMT, 168 PPMT, 169 COUNTA, 183 PRODUCT, 184 FACT 1, 193 STDEVP, 194 VARP, 197 TRUNC,
212 ROUNDUP 2, 213 ROUNDDOWN 2, 216 RANK, 219 ADDRESS, 220 DAYS360, 221 TODAY 0, 227 MEDIAN, 228 SUMPRODUCT,
279 EVEN 1, 285 FLOOR 2, 288 CEILING 2, 298 ODD 1, 325 LARGE 2, 326 SMALL 2, 330 MODE, 336 CONCATENATE,
337 POWER 2, 342 RADIANS 1, 343 DEGREES 1, 344 SUBTOTAL, 345 SUMIF, 346 COUNTIF 2, 347 COUNTBLANK 1,
359 HYPERLINK, 361 AVERAGEA, 362 MAXA, 363 MINA`

const FUNCTIONS: ReadonlyMap<number, { name: string; operands: number | null }> = new Map(
  NAMES.split(',').map((entry) => {
    const [index, name = '', operands] = entry.trim().split(' ')
    return [Number(index), { name, operands: operands === undefined ? null : Number(operands) }]
  }),
)
