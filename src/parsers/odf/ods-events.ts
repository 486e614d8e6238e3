import { createPageReport, type OfficeEvent, splitBlock, toHeading } from '../ooxml/office-block.ts'
import { type Attributes, getAttribute, getIntAttribute, readXml, type XmlHandler } from '../ooxml/package/read-xml.ts'
import { createMergedCellFiller } from '../ooxml/xlsx/merged-cells.ts'
import { SheetBlocks } from '../ooxml/xlsx/sheet-blocks.ts'
import type { SheetCell, SheetRow } from '../ooxml/xlsx/sheet-handler.ts'
import { type Block, type ParseEvent, tooLargeUnpacked } from '../parse-event.ts'
import { CONTENT_PART, countElements, STYLES_PART } from './odf-file.ts'
import type { StoryContext } from './odf-story.ts'
import { createOdfLists, type OdfStyles } from './odf-styles.ts'
import { type MarginText, readDocumentStyles, readMargins, toParagraphs } from './odt-events.ts'
import { createTextHandler, isShape, type ObjectSources, readFormulas, readOdfObject } from './text-handler.ts'

/** Character limit per sheet; a sheet of a million cells has some 10 million. */
const MAX_SHEET_CHARACTERS = 200_000_000
const MAX_SHEETS = 10_000

/**
 * Reads a spreadsheet sheet by sheet, including hidden sheets: the name as a heading, rows, shapes,
 * charts and comments. Printed headers and footers end the last sheet. Each sheet is a page.
 * Throws `unprocessable_document` for damage, possibly after yielding blocks.
 */
export async function* odsEvents(sources: ObjectSources): AsyncGenerator<ParseEvent> {
  const { file } = sources
  const styles = await readDocumentStyles(file)
  const margins = file.has(STYLES_PART) ? await readMargins(file, styles.shared) : { header: [], footer: [] }
  const count = await countElements(file, SHEET_ELEMENT, AFTER_SHEETS)
  if (count !== null) yield { pageCount: Math.min(count, MAX_SHEETS) }
  const events: SheetEvent[] = []
  const handler = createSpreadsheetHandler({
    styles: styles.content,
    lists: createOdfLists(styles.content),
    formulas: await readFormulas(file),
    emit: (event) => void events.push(event),
  })
  const sheets = createSheetReports(sources, toParagraphs([...margins.header, ...margins.footer].filter(isOwnText)))
  for await (const _ of readXml(CONTENT_PART, file.read(CONTENT_PART), handler)) {
    for (const event of events.splice(0)) yield* sheets.take(event)
  }
  for (const event of events) yield* sheets.take(event)
  yield* sheets.end()
}

/** Programs print the name of the sheet and the page number by default, beside one word. */
function isOwnText({ text, hasField }: MarginText): boolean {
  return !hasField || (text.match(/\p{L}{2,}/gu)?.length ?? 0) > 2
}

const SHEET_ELEMENT = /<(?:[\w.-]+:)?table(?=[\s/>])/g
/** Copies of linked tables follow the sheets. */
const AFTER_SHEETS = /<(?:[\w.-]+:)?dde-links\b/

/** Adds names to sheets and reports them. The texts `printed` end the last sheet. */
function createSheetReports(sources: ObjectSources, printed: readonly Block[]) {
  let page = 0
  let characters = 0
  let sheet = { name: '', isHidden: false }
  let isOpen = false

  function* addBlock(block: Block): Generator<ParseEvent> {
    const heading = characters === 0 ? toHeading(sheet.name, 1) : null
    for (const added of heading === null ? [block] : [heading, block]) {
      characters += added.text.length
      if (characters > MAX_SHEET_CHARACTERS)
        throw tooLargeUnpacked(`its sheet ${page} has more than 200 million characters`)
      for (const piece of splitBlock(added)) yield { block: { ...piece, page } }
    }
  }

  /** The report waits for the next sheet, because printed texts end the last sheet. */
  function* closeSheet(): Generator<ParseEvent> {
    if (isOpen) yield { page: createPageReport(page, characters, sheet.isHidden ? 'hidden sheet' : null) }
    isOpen = false
  }

  return {
    async *take(event: SheetEvent): AsyncGenerator<ParseEvent> {
      if ('sheet' in event) {
        if (page >= MAX_SHEETS) return
        yield* closeSheet()
        ;({ sheet } = event)
        page += 1
        characters = 0
        isOpen = true
      } else if ('block' in event) yield* addBlock(event.block)
      else if ('object' in event) {
        for await (const read of readOdfObject(event.object, sources)) {
          if ('block' in read) yield* addBlock(read.block)
          else yield read
        }
      }
    },
    *end(): Generator<ParseEvent> {
      if (isOpen) for (const block of printed) yield* addBlock(block)
      yield* closeSheet()
    },
  }
}

/** Output of a spreadsheet in order. */
type SheetEvent = { sheet: { name: string; isHidden: boolean } } | OfficeEvent

type SheetContext = Omit<StoryContext, 'pages' | 'emit'> & { styles: OdfStyles; emit(event: SheetEvent): void }

/** State of the open sheet. */
type Sheet = {
  row: number
  column: number
  cells: SheetCell[]
  rowRepeats: number
  isHeader: boolean
  blocks: SheetBlocks
  headerRows: Set<number>
  merged: ReturnType<typeof createMergedCellFiller>
  ranges: { from: { row: number; column: number }; to: { row: number; column: number } }[]
  /** Shapes and comments, emitted after the rows. */
  after: OfficeEvent[]
}
type OpenCell = { attributes: Attributes; lines: string[]; isCovered: boolean }

/** A few bytes repeat a row or cell. No honest workbook has more repeated text. */
const MAX_REPEATED_CHARACTERS = 20_000_000
/** Bars between cells. */
const SEPARATOR_CHARACTERS = 3
/** The size of a sheet in other programs. */
const MAX_ROWS = 1_048_576
const MAX_COLUMNS = 16_384
const MAX_RANGES = 100_000

/** Elements of a spreadsheet without cells of sheets. */
const SKIPPED_ELEMENTS: ReadonlySet<string> = new Set([
  ...['tracked-changes', 'dde-links', 'content-validations', 'named-expressions', 'database-ranges', 'forms'],
  ...['data-pilot-tables', 'scenario', 'automatic-styles', 'styles', 'master-styles', 'meta', 'settings', 'scripts'],
  ...['font-face-decls', 'detective', 'consolidation', 'label-ranges', 'calculation-settings', 'conditional-formats'],
])

/** Converts a spreadsheet into events, sheet by sheet. OpenDocument 1.3 part 3, chapter 9. */
function createSpreadsheetHandler(context: SheetContext): XmlHandler {
  const reader = new SpreadsheetReader(context)
  return {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
    text: (text) => reader.text(text),
  }
}

class SpreadsheetReader {
  readonly #context: SheetContext
  #sheet: Sheet | null = null
  #cell: OpenCell | null = null
  /** Text of cells, and shapes with depth. */
  readonly #cellText: XmlHandler
  readonly #shapes: XmlHandler
  #shapeDepth = 0
  #repeatedCharacters = 0

  constructor(context: SheetContext) {
    this.#context = context
    const shared = { ...context, pages: null }
    this.#cellText = createTextHandler({
      ...shared,
      emit: (event) => void ('block' in event && this.#cell?.lines.push(event.block.text)),
    })
    this.#shapes = createTextHandler({
      ...shared,
      emit: (event) => void this.#sheet?.after.push(event),
      emitComment: (block) => this.#addComment(block),
    })
  }

  open(name: string, attributes: Attributes): boolean {
    if (this.#shapeDepth > 0 || (this.#sheet !== null && (isShape(name) || name === 'annotation'))) {
      const isSkipped = this.#shapes.open(name, attributes)
      if (!isSkipped) this.#shapeDepth += 1
      return isSkipped
    }
    if (SKIPPED_ELEMENTS.has(name)) return true
    if (name === 'table-cell' || name === 'covered-table-cell') this.#openCell(attributes, name !== 'table-cell')
    else if (this.#cell !== null) return this.#cellText.open(name, attributes)
    else if (name === 'table') this.#openSheet(attributes)
    else if (name === 'table-row') this.#openRow(attributes)
    else if (name === 'table-header-rows' && this.#sheet !== null) this.#sheet.isHeader = true
    return false
  }

  close(name: string): void {
    if (this.#shapeDepth > 0) {
      this.#shapeDepth -= 1
      this.#shapes.close(name)
    } else if (name === 'table-cell' || name === 'covered-table-cell') this.#closeCell()
    else if (this.#cell !== null) this.#cellText.close(name)
    else if (name === 'table-row') this.#closeRow()
    else if (name === 'table') this.#closeSheet()
    else if (name === 'table-header-rows' && this.#sheet !== null) this.#sheet.isHeader = false
  }

  text(text: string): void {
    if (this.#shapeDepth > 0) this.#shapes.text(text)
    else if (this.#cell !== null) this.#cellText.text(text)
  }

  #openSheet(attributes: Attributes): void {
    const name = getAttribute(attributes, 'name') ?? ''
    const { isHidden } = this.#context.styles.get('table', getAttribute(attributes, 'style-name'))
    const headerRows = new Set<number>()
    const ranges: Sheet['ranges'] = []
    this.#sheet = {
      ...{ row: 0, column: 0, cells: [], rowRepeats: 1, isHeader: false, after: [] },
      ...{ headerRows, ranges, blocks: new SheetBlocks(headerRows), merged: createMergedCellFiller(ranges) },
    }
    this.#context.emit({ sheet: { name, isHidden } })
  }

  #closeSheet(): void {
    const sheet = this.#sheet
    if (sheet === null) return
    this.#emitBlocks(sheet.blocks.end())
    for (const event of sheet.after) this.#context.emit(event)
    this.#sheet = null
  }

  #openRow(attributes: Attributes): void {
    const rowRepeats = toRepeats(attributes, 'number-rows-repeated')
    if (this.#sheet !== null) Object.assign(this.#sheet, { rowRepeats, column: 0, cells: [], row: this.#sheet.row + 1 })
  }

  #closeRow(): void {
    const sheet = this.#sheet
    if (sheet === null) return
    const { row, cells, rowRepeats } = sheet
    // Rows without text repeat to the end of a sheet.
    const last = row + rowRepeats - 1
    if (cells.length > 0) {
      this.#countRepeated(cells, rowRepeats)
      if (sheet.isHeader && cells.length > 1) sheet.headerRows.add(row)
      for (let at = row; at <= Math.min(last, MAX_ROWS); at += 1) this.#addRow(sheet, { row: at, cells })
    }
    sheet.row = last
  }

  #addRow({ blocks, merged }: Sheet, row: SheetRow): void {
    this.#emitBlocks(blocks.add(merged.fill(row)))
  }

  #openCell(attributes: Attributes, isCovered: boolean): void {
    if (this.#sheet !== null) this.#cell = { attributes, lines: [], isCovered }
  }

  #closeCell(): void {
    const [sheet, cell] = [this.#sheet, this.#cell]
    this.#cell = null
    if (sheet === null || cell === null) return
    const { attributes, lines, isCovered } = cell
    const repeats = toRepeats(attributes, 'number-columns-repeated')
    const column = sheet.column + 1
    sheet.column += repeats
    // Text of a covered cell is not shown.
    const own = isCovered ? null : readCellText(attributes, lines)
    if (own === null || own.text === '') return
    if (repeats > 1) this.#countRepeated([{ column, ...own }], repeats)
    for (let at = column; at < column + repeats && at <= MAX_COLUMNS; at += 1) sheet.cells.push({ column: at, ...own })
    this.#addRange(sheet, attributes, column)
  }

  #addRange({ ranges, row }: Sheet, attributes: Attributes, column: number): void {
    const rows = getIntAttribute(attributes, 'number-rows-spanned') ?? 1
    const from = { row, column }
    if (rows > 1 && ranges.length < MAX_RANGES) ranges.push({ from, to: { row: row + rows - 1, column } })
  }

  #countRepeated(cells: readonly SheetCell[], repeats: number): void {
    if (repeats <= 1) return
    for (const { text } of cells) this.#repeatedCharacters += (text.length + SEPARATOR_CHARACTERS) * repeats
    if (this.#repeatedCharacters > MAX_REPEATED_CHARACTERS) throw tooLargeUnpacked('it repeats cells too often')
  }

  #addComment(block: Block): void {
    const sheet = this.#sheet
    if (sheet === null) return
    const place = this.#cell === null ? '' : ` on ${nameColumn(sheet.column + 1)}${sheet.row}`
    sheet.after.push({ block: { ...block, text: block.text.replace(/^Comment/, `Comment${place}`) } })
  }

  #emitBlocks(blocks: readonly Block[]): void {
    for (const block of blocks) this.#context.emit({ block })
  }
}

function toRepeats(attributes: Attributes, name: string): number {
  return Math.max(1, getIntAttribute(attributes, name) ?? 1)
}

/** 1 is A, 27 is AA. */
function nameColumn(column: number): string {
  let name = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

/** A cell without place. */
type CellText = Omit<SheetCell, 'column'>

const NUMBER_TYPES: ReadonlySet<string> = new Set(['float', 'percentage', 'currency'])
/** Significant digits of a double. */
const MAX_DIGITS = 15
const DURATION = /^(-?)PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?$/

/**
 * Returns the text of a cell: numbers and dates as stored, with the displayed text behind if that
 * differs (`0.5 (50%)`), other cells as displayed. A formula without a value is shown as text.
 * `lines` are the paragraphs of the cell. OpenDocument 1.3 part 3, section 19.389.
 */
function readCellText(attributes: Attributes, lines: readonly string[]): CellText {
  const shown = lines
    .flatMap((line) => line.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
  const type = getAttribute(attributes, 'value-type') ?? ''
  const raw = readRawValue(type, attributes)
  if (raw !== null)
    return { text: shown === '' || shown === raw || type === 'boolean' ? raw : `${raw} (${shown})`, isText: false }
  if (shown !== '') return { text: shown, isText: true }
  const formula = getAttribute(attributes, 'formula')
  const text = getAttribute(attributes, 'string-value') ?? ''
  if (text.trim() !== '' || formula === null || type !== '') return { text: text.trim(), isText: true }
  return { text: readFormula(formula), isText: false }
}

/** Returns the stored value of a cell without text type; `null` for texts and damaged values. */
function readRawValue(type: string, attributes: Attributes): string | null {
  if (NUMBER_TYPES.has(type)) {
    const value = Number(getAttribute(attributes, 'value') ?? '')
    return getAttribute(attributes, 'value') === null || !Number.isFinite(value)
      ? null
      : String(Number(value.toPrecision(MAX_DIGITS)))
  }
  if (type === 'date') return readDate(getAttribute(attributes, 'date-value'))
  if (type === 'time') return readTime(getAttribute(attributes, 'time-value') ?? '')
  if (type !== 'boolean') return null
  return getAttribute(attributes, 'boolean-value') === 'true' ? 'TRUE' : 'FALSE'
}

/** A date, with the time unless midnight. */
function readDate(value: string | null): string | null {
  const [, day, time = '00:00:00'] = /^(-?\d{4,}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:[.,]\d+)?)?/.exec(value ?? '') ?? []
  if (day === undefined) return null
  return time === '00:00:00' ? day : `${day} ${time}`
}

/** A duration as hours, minutes and seconds. */
function readTime(value: string): string | null {
  const [match, sign = '', hours = '0', minutes = '0', seconds = '0'] = DURATION.exec(value) ?? []
  if (match === undefined) return null
  return sign + [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':')
}

/** Writes a formula with plain cell names: `of:=SUM([.B2:.B9])` is `=SUM(B2:B9)`. */
function readFormula(formula: string): string {
  const [, body = ''] = /^(?:[a-z]+:)?=?(.*)$/s.exec(formula.trim()) ?? []
  return `=${body.replace(/\[([^[\]]*)\]/g, (_, range: string) => range.replace(/(^|:)\./g, '$1'))}`
}
