import { type DateSystem, isoToSerial, serialToIso } from '../ooxml/number-format/format-date.ts'
import { type NumberFormat, readNumberFormat } from '../ooxml/number-format/number-format.ts'
import { splitBlocks } from '../ooxml/office-block.ts'
import { type Attributes, getAttribute, getIntAttribute } from '../ooxml/package/read-xml.ts'
import { type CellRange, createMergedCellFiller, MAX_RANGES } from '../ooxml/xlsx/merged-cells.ts'
import { SheetBlocks } from '../ooxml/xlsx/sheet-blocks.ts'
import { formatCellReference, formatNumber, removeBlankLines, type SheetCell } from '../ooxml/xlsx/sheet-handler.ts'
import { createSheetPage, HIDDEN_SHEET, toComment, toMarginBlocks } from '../ooxml/xlsx/sheet-page.ts'
import type { Block } from '../parse-event.ts'
import type { Emit } from '../text/block-reader.ts'
import type { ElementBlocks } from './element-blocks.ts'

/** Namespace of an XML spreadsheet of Excel 2002 and 2003. */
const NAMESPACE = 'urn:schemas-microsoft-com:office:spreadsheet'

/** True for the start of an XML spreadsheet, which programs export under the name `.xls`. */
export function isXmlSpreadsheet(head: string): boolean {
  return new RegExp(`<(?:\\w+:)?Workbook\\s[^<>]*"${NAMESPACE}"`).test(head)
}

/**
 * Turns the elements of an XML spreadsheet into the blocks of its sheets. Each sheet is a page with
 * rows, comments and printed headers, as in an XLSX file.
 */
export function createSpreadsheetBlocks(emit: Emit): ElementBlocks {
  const open: string[] = []
  const styles = createStyles()
  let sheet: SheetState | null = null
  let pages = 0
  let title = ''
  let hasText = false

  function emitBlocks(blocks: readonly (Block | null)[], { page }: SheetState): void {
    for (const block of splitBlocks(blocks)) for (const placed of page.add(block)) emit({ block: placed })
  }

  function beginSheet(attributes: Attributes): void {
    if (pages === 0) emit({ title: title.trim() || null, over: 'headings' })
    pages += 1
    sheet = createSheetState(getAttribute(attributes, 'Name') ?? '', pages)
  }

  function endSheet(state: SheetState): void {
    emitBlocks([...state.rows.end(), ...state.comments, ...toMarginBlocks(state.margins)], state)
    const report = state.page.end(state.isHidden ? HIDDEN_SHEET : null)
    hasText ||= report.characters > 0
    emit({ page: report })
  }

  function endRow(state: SheetState): void {
    const { row, cells } = state
    if (cells.length > 0) emitBlocks(state.rows.add(state.filler.fill({ row, cells })), state)
    state.cells = []
  }

  return {
    begin(qualified, _facts, attributes) {
      const name = localName(qualified)
      open.push(name)
      if (name === 'Worksheet') beginSheet(attributes)
      else if (sheet === null) styles.begin(name, attributes)
      else beginElement(sheet, name, attributes)
    },
    end() {
      const name = open.pop()
      if (sheet === null) return
      if (name === 'Cell') endCell(sheet, styles)
      else if (name === 'Comment') endComment(sheet)
      else if (name === 'Row') endRow(sheet)
      else if (name === 'Worksheet') {
        endSheet(sheet)
        sheet = null
      }
    },
    text(text) {
      const [within] = open.slice(-1)
      if (sheet === null) {
        if (within === 'Title') title += text
      } else if (within === 'Visible') sheet.isHidden = /hidden/i.test(text)
      else if (open.includes('Comment')) sheet.commentText += open.includes('Data') ? text : ''
      else if (open.includes('Data')) sheet.value += text
    },
    words() {},
    finish() {
      // Text of a file that ends in a sheet is kept; the parser has reported the missing end.
      if (sheet !== null) endSheet(sheet)
    },
    hasText: () => hasText,
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

type SheetState = {
  page: ReturnType<typeof createSheetPage>
  rows: SheetBlocks
  filler: ReturnType<typeof createMergedCellFiller>
  /** Ranges of the filler; those of a row are added before the row. */
  merged: CellRange[]
  comments: (Block | null)[]
  margins: string[]
  isHidden: boolean
  row: number
  column: number
  cells: SheetCell[]
  cell: { style: string; formula: string; type: string; across: number }
  /** Text of the open cell. */
  value: string
  commentBy: string
  commentText: string
}

function createSheetState(name: string, page: number): SheetState {
  const merged: CellRange[] = []
  return {
    page: createSheetPage(name, page),
    rows: new SheetBlocks(new Set()),
    filler: createMergedCellFiller(merged),
    merged,
    comments: [],
    margins: [],
    isHidden: false,
    row: 0,
    column: 0,
    cells: [],
    cell: { style: '', formula: '', type: '', across: 0 },
    value: '',
    commentBy: '',
    commentText: '',
  }
}

/** Limits of a sheet of Excel; larger numbers occur in crafted files only. */
const MAX_ROW = 1_048_576
const MAX_COLUMN = 16_384

function beginElement(state: SheetState, name: string, attributes: Attributes): void {
  if (name === 'Row') {
    state.row = Math.min(Math.max(getIntAttribute(attributes, 'Index') ?? 0, state.row + 1), MAX_ROW)
    state.column = 0
    state.cell.across = 0
  } else if (name === 'Cell') beginCell(state, attributes)
  else if (name === 'Data' && state.commentBy === '') state.cell.type ||= getAttribute(attributes, 'Type') ?? ''
  else if (name === 'Comment') state.commentBy = getAttribute(attributes, 'Author') ?? ''
  else if (name === 'Header' || name === 'Footer') state.margins.push(getAttribute(attributes, 'Data') ?? '')
}

function beginCell(state: SheetState, attributes: Attributes): void {
  const next = state.column + state.cell.across + 1
  state.column = Math.min(Math.max(getIntAttribute(attributes, 'Index') ?? 0, next), MAX_COLUMN)
  const down = getIntAttribute(attributes, 'MergeDown') ?? 0
  const { row, column } = state
  if (down > 0 && state.merged.length < MAX_RANGES)
    state.merged.push({ from: { row, column }, to: { row: row + down, column } })
  state.cell = {
    style: getAttribute(attributes, 'StyleID') ?? '',
    formula: getAttribute(attributes, 'Formula') ?? '',
    type: '',
    across: Math.max(getIntAttribute(attributes, 'MergeAcross') ?? 0, 0),
  }
  state.value = ''
}

function endCell(state: SheetState, styles: Styles): void {
  const { cell, value, column } = state
  const shown = cell.type === '' ? { text: cell.formula, isText: false } : formatValue(cell, value, styles)
  if (shown.text !== '') state.cells.push({ column, ...shown })
}

function endComment(state: SheetState): void {
  const place = formatCellReference(state)
  state.comments.push(toComment({ place, by: state.commentBy, text: state.commentText }))
  state.commentBy = ''
  state.commentText = ''
}

function formatValue({ type, style }: SheetState['cell'], value: string, styles: Styles): Omit<SheetCell, 'column'> {
  const trimmed = value.trim()
  if (type === 'Boolean') return { text: trimmed === '' ? '' : trimmed === '0' ? 'FALSE' : 'TRUE', isText: false }
  if (type === 'Error') return { text: trimmed, isText: false }
  if (type !== 'Number' && type !== 'DateTime') return { text: removeBlankLines(value), isText: true }
  const number = type === 'DateTime' ? isoToSerial(trimmed, styles.system()) : Number(trimmed)
  if (trimmed === '' || number === null || !Number.isFinite(number)) return { text: trimmed, isText: false }
  const format = styles.get(style)
  const plain = type === 'DateTime' && format === null ? serialToIso(number, styles.system()) : null
  return { text: plain ?? formatNumber(number, format), isText: false }
}

/** Number formats of the styles, and the epoch of the dates. */
type Styles = {
  begin(name: string, attributes: Attributes): void
  system(): DateSystem
  get(style: string): NumberFormat | null
}

/** Names of formats, as displayed by an English Excel. */
const NAMED_FORMATS: Readonly<Record<string, string>> = {
  'General Date': 'm/d/yyyy h:mm',
  'Long Date': 'dddd, mmmm d, yyyy',
  'Medium Date': 'd-mmm-yy',
  'Short Date': 'm/d/yyyy',
  'Long Time': 'h:mm:ss AM/PM',
  'Medium Time': 'h:mm AM/PM',
  'Short Time': 'h:mm',
  Currency: '"$"#,##0.00',
  'Euro Currency': '"€"#,##0.00',
  Fixed: '0.00',
  Standard: '#,##0.00',
  Percent: '0.00%',
  Scientific: '0.00E+00',
  'Yes/No': '"Yes";"Yes";"No"',
  'True/False': '"True";"True";"False"',
  'On/Off': '"On";"On";"Off"',
  'General Number': 'General',
}
/** Excel allows 65,490 styles. */
const MAX_STYLES = 70_000

function createStyles(): Styles {
  const codes = new Map<string, string>()
  const parents = new Map<string, string>()
  const formats = new Map<string, NumberFormat | null>()
  let system: DateSystem = '1900'
  let current = ''

  function getFormat(style: string): NumberFormat | null {
    const code = codes.get(style) ?? codes.get(parents.get(style) ?? '') ?? ''
    return readNumberFormat(NAMED_FORMATS[code] ?? code, system)
  }

  return {
    begin(name, attributes) {
      if (name === 'Date1904') system = '1904'
      if (name === 'Style' && parents.size < MAX_STYLES) {
        current = getAttribute(attributes, 'ID') ?? ''
        parents.set(current, getAttribute(attributes, 'Parent') ?? 'Default')
      } else if (name === 'NumberFormat') codes.set(current, getAttribute(attributes, 'Format') ?? 'General')
    },
    system: () => system,
    get(style) {
      const known = formats.get(style)
      if (known !== undefined) return known
      const format = getFormat(style)
      formats.set(style, format)
      return format
    },
  }
}
