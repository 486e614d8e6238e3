import { type Cell, createTableBuilder, type TableBuilder } from '../ooxml/docx/table-builder.ts'
import { type OfficeEvent, toHeading, toListItem, toParagraph } from '../ooxml/office-block.ts'
import { type Attributes, getAttribute, getIntAttribute } from '../ooxml/package/read-xml.ts'
import { type Block, tooLargeUnpacked, unreadable } from '../parse-event.ts'
import { type OdfLists, type OdfStyles, type OpenList, toHeadingLevel } from './odf-styles.ts'

/** A paragraph or heading of a story. */
export type StoryParagraph = {
  text: string
  /** Heading level from 1; `null` for body text. */
  level: number | null
  /** Number of a list item or heading as displayed; empty for bullets; `null` for other text. */
  number: string | null
  /** Nesting of lists, from 0 for text outside of lists. */
  depth: number
}

/** State shared by the stories of a document, and the receivers of events. */
export type StoryContext = {
  styles: OdfStyles
  lists: OdfLists
  /** Equations by part name, as text. */
  formulas: ReadonlyMap<string, string>
  /** Counts pages; `null` without pages. */
  pages: { readonly page: number; passRenderedBreak(): void; markVisible(): void } | null
  emit(event: OfficeEvent): void
  /** Takes paragraphs outside of cells and notes, in place of `emit`. */
  emitParagraph?(paragraph: StoryParagraph): void
  /** Takes comments, in place of `emit`. */
  emitComment?(block: Block): void
}

type Paragraph = StoryParagraph & {
  type: 'paragraph'
  page: number | null
  breaksAfter: boolean
  isHidden: boolean
  nested: OfficeEvent[]
}
type Table = { type: 'table'; builder: TableBuilder; cells: Cell[]; isHeader: boolean; row: Row; spans: ColumnSpans }
type Row = { column: number; covered: number; repeats: number }
/** Rows left of spanning cells, by column; `isFirst` in the first column of the cell. */
type ColumnSpans = Map<number, { rows: number; isFirst: boolean }>
/** `rows`: number of spanned rows. */
type OpenCell = { type: 'cell'; cell: Cell; rows: number; repeats: number; isCovered: boolean }
type Note = { type: 'note'; kind: 'note' | 'comment'; label: string; isLabel: boolean; events: OfficeEvent[] }
/** A shape. Titles and descriptions of shapes are not text of the document. */
type Shape = { type: 'shape' }
type Frame = (Paragraph | Table | OpenCell | Note | Shape) & { outerLists?: OpenList[] }

/** Nested tables are rewritten at each level, so the cost grows with depth. */
const MAX_TABLE_DEPTH = 16
/** Text tables repeat a few cells and rows; a few bytes must not become a page of text. */
const MAX_REPEATED_CELLS = 200
const MAX_REPEATED_ROWS = 100
const MAX_REPEATED_SPACES = 200
/** Limits the text of repeated cells and rows. */
const MAX_REPEATED_CHARACTERS = 5_000_000

/** Reading state of a story: the body, a header, a cell. Frames nest in any order. */
export class OdfStory {
  readonly context: StoryContext
  readonly #frames: Frame[] = []
  #lists: OpenList[] = []
  #repeated = 0

  constructor(context: StoryContext) {
    this.context = context
  }

  get top(): Frame | undefined {
    return this.#frames.at(-1)
  }

  /** Appends text as written. Text outside of paragraphs is ignored. */
  write(text: string): void {
    const frame = this.#frames.findLast(({ type }) => type !== 'shape')
    if (frame?.type !== 'paragraph') return
    frame.text += text
    const { pages } = this.context
    if (pages === null || text.trim() === '') return
    pages.markVisible()
    frame.page ??= pages.page
  }

  /** Appends text of the file, with white space as single spaces. */
  writeFlowing(text: string): void {
    const { top } = this
    if (top?.type === 'note' && top.isLabel) top.label += text
    if (top?.type !== 'paragraph') return
    const words = text.replace(/[ \t\r\n]+/g, ' ')
    this.write(/(?:^|[ \t\n])$/.test(top.text.slice(-1)) ? words.replace(/^ /, '') : words)
  }

  /** Writes an equation into the open paragraph, or as a paragraph. */
  writeFormula(text: string): void {
    if (this.#frames.findLast(({ type }) => type !== 'shape')?.type === 'paragraph') this.write(text)
    else {
      this.openParagraph({}, false)
      this.write(text)
      this.closeParagraph()
    }
  }

  /** Hides the open paragraph. */
  hideParagraph(): void {
    if (this.top?.type === 'paragraph') this.top.isHidden = true
  }

  writeSpaces(count: number): void {
    this.write(' '.repeat(Math.min(Math.max(count, 1), MAX_REPEATED_SPACES)))
  }

  openParagraph(attributes: Attributes, isHeading: boolean): void {
    const { styles, lists, pages } = this.context
    const style = styles.get('paragraph', getAttribute(attributes, 'style-name'))
    if (this.#isInFlow() && pages !== null) {
      if (style.breaksBefore) pages.passRenderedBreak()
      pages.markVisible()
    }
    const written = isHeading ? toHeadingLevel(getIntAttribute(attributes, 'outline-level') ?? 1) : null
    const level = written ?? style.level
    const list = this.#lists.at(-1)
    let number: string | null = null
    if (list?.isItemBegun === true) {
      number = lists.next(list, style.listStyle)
      Object.assign(list, { isItemBegun: false, start: null })
    } else if (isHeading && level !== null && getAttribute(attributes, 'is-list-header') !== 'true' && !list)
      number = lists.nextHeading(level)
    const own = { text: '', level, number, depth: this.#lists.length }
    this.#push({
      type: 'paragraph',
      ...own,
      ...{ page: null, breaksAfter: style.breaksAfter, isHidden: false, nested: [] },
    })
  }

  closeParagraph(): void {
    const paragraph = this.#pop('paragraph')
    if (paragraph === null) return
    const { level, number, depth, page, nested } = paragraph
    const text = paragraph.isHidden ? '' : paragraph.text
    const { pages, emitParagraph } = this.context
    if (emitParagraph !== undefined && this.#receiver() === undefined)
      emitParagraph({ text: text.trim(), level, number, depth })
    else {
      const block = createParagraphBlock({ text, level, number, depth })
      if (block !== null) this.emitEvent({ block: page === null ? block : { ...block, page } })
    }
    for (const event of nested) this.emitEvent(event)
    if (paragraph.breaksAfter && this.#isInFlow()) pages?.passRenderedBreak()
  }

  openList(attributes: Attributes): void {
    this.#lists.push(this.context.lists.openList(attributes, this.#lists.at(-1) ?? null))
  }

  openNumbered(attributes: Attributes): void {
    this.#lists.push(this.context.lists.openNumbered(attributes))
  }

  closeList(): void {
    this.#lists.pop()
  }

  openItem(attributes: Attributes): void {
    const list = this.#lists.at(-1)
    if (list !== undefined)
      Object.assign(list, { isItemBegun: true, start: getIntAttribute(attributes, 'start-value') })
  }

  openShape(): void {
    this.#push({ type: 'shape' })
  }

  closeShape(): void {
    this.#pop('shape')
  }

  openNote(kind: Note['kind']): void {
    this.#push({ type: 'note', kind, label: '', isLabel: false, events: [] })
  }

  /** Begins or ends the mark of a note, or the author of a comment. */
  setLabel(isLabel: boolean): void {
    if (this.top?.type === 'note') this.top.isLabel = isLabel
  }

  /** Notes are paragraphs, without headings and lists of the document. */
  closeNote(): void {
    const note = this.#pop('note')
    const texts = note?.events.flatMap((event) => ('block' in event ? [event.block.text.trim()] : [])) ?? []
    const [first, ...rest] = texts.filter((text) => text !== '')
    if (note === null || first === undefined) return
    const by = note.label.trim()
    const label = note.kind === 'note' ? by : `Comment${by === '' ? '' : ` by ${by}`}:`
    const blocks = [`${label} ${first}`, ...rest].map(toParagraph).filter((block) => block !== null)
    for (const block of blocks) {
      if (note.kind === 'comment' && this.context.emitComment !== undefined) this.context.emitComment(block)
      else this.emitEvent({ block })
    }
  }

  /** Opens a table. Throws `unprocessable_document` for excessive nesting. */
  openTable(attributes: Attributes): void {
    const depth = this.#frames.filter(({ type }) => type === 'table').length
    if (depth >= MAX_TABLE_DEPTH) throw unreadable('The file is damaged: its tables are nested too deeply.')
    const style = this.context.styles.get('table', getAttribute(attributes, 'style-name'))
    if (style.breaksBefore && this.#isInFlow()) this.context.pages?.passRenderedBreak()
    const row = { column: 0, covered: 0, repeats: 1 }
    this.#push({ type: 'table', builder: createTableBuilder(), cells: [], isHeader: false, row, spans: new Map() })
  }

  setHeaderRows(isHeader: boolean): void {
    if (this.top?.type === 'table') this.top.isHeader = isHeader
  }

  openRow(attributes: Attributes): void {
    if (this.top?.type !== 'table') return
    const repeats = Math.min(getIntAttribute(attributes, 'number-rows-repeated') ?? 1, MAX_REPEATED_ROWS)
    Object.assign(this.top, { cells: [], row: { column: 0, covered: 0, repeats } })
  }

  /** Opens a cell. A covered cell lies under a cell spanning rows or columns. */
  openCell(attributes: Attributes, isCovered: boolean): void {
    const table = this.top
    if (table?.type !== 'table') return
    const count = (local: string) => Math.max(1, getIntAttribute(attributes, local) ?? 1)
    const repeats = Math.min(count('number-columns-repeated'), MAX_REPEATED_CELLS)
    const span = isCovered ? 1 : Math.min(count('number-columns-spanned'), MAX_REPEATED_CELLS)
    const rows = isCovered ? 1 : count('number-rows-spanned')
    const merge = rows > 1 ? 'begin' : null
    this.#push({ type: 'cell', cell: { events: [], span, merge }, rows, repeats, isCovered })
  }

  closeCell(): void {
    const open = this.#pop('cell')
    const table = this.top
    if (open === null || table?.type !== 'table') return
    if (open.repeats > 1) this.#countRepeated(open.cell.events, open.repeats)
    for (let index = 0; index < open.repeats; index += 1) placeCell(table, open)
  }

  closeRow(): void {
    const table = this.top
    if (table?.type !== 'table') return
    const { builder, cells, isHeader, row } = table
    const hasText = cells.some(({ events }) => events.length > 0)
    const repeats = hasText ? row.repeats : 1
    if (repeats > 1) for (const { events } of cells) this.#countRepeated(events, repeats)
    for (let index = 0; index < repeats; index += 1) this.#emitRows(builder.addRow(cells, isHeader))
    table.cells = []
  }

  closeTable(): void {
    const table = this.top
    if (table?.type !== 'table') return
    this.#emitRows(table.builder.end())
    this.#pop('table')
    if (this.#frames.length === 0) this.emitEvent({ block: { text: '\n', kind: 'blank' } })
  }

  /** Emits an event to the open paragraph, cell or note, or to the receiver. */
  emitEvent(event: OfficeEvent): void {
    const receiver = this.#receiver()
    if (receiver?.type === 'paragraph') receiver.nested.push(event)
    else if (receiver?.type === 'cell') receiver.cell.events.push(event)
    else if (receiver?.type === 'note') receiver.events.push(event)
    else this.context.emit(event)
  }

  #receiver(): Frame | undefined {
    return this.#frames.findLast(({ type }) => type !== 'shape' && type !== 'table')
  }

  /** True outside of shapes, notes and cells, where text flows from page to page. */
  #isInFlow(): boolean {
    return this.#frames.length === 0
  }

  #countRepeated(events: readonly OfficeEvent[], repeats: number): void {
    for (const event of events) if ('block' in event) this.#repeated += event.block.text.length * repeats
    if (this.#repeated > MAX_REPEATED_CHARACTERS) throw tooLargeUnpacked('its cells repeat long texts too often')
  }

  /** Rows go to the frame around the table. */
  #emitRows(events: readonly OfficeEvent[]): void {
    const page = this.context.pages?.page
    for (const event of events) {
      const isPlaced = page !== undefined && 'block' in event && event.block.page === undefined
      this.emitEvent(isPlaced ? { block: { ...event.block, page } } : event)
    }
  }

  /** Lists around a shape, note or cell do not apply inside. */
  #push(frame: Frame): void {
    if (frame.type !== 'paragraph' && frame.type !== 'table') {
      frame.outerLists = this.#lists
      this.#lists = []
    }
    this.#frames.push(frame)
  }

  #pop<Type extends Frame['type']>(type: Type): (Frame & { type: Type }) | null {
    const frame = this.top
    if (frame?.type !== type) return null
    this.#frames.pop()
    if (frame.outerLists !== undefined) this.#lists = frame.outerLists
    return frame as Frame & { type: Type }
  }
}

function createParagraphBlock({ text, level, number }: StoryParagraph): Block | null {
  if (text.trim() === '') return null
  const shown = number === null || number === '' ? text : `${number} ${text.trim()}`
  if (level !== null) return toHeading(shown, level)
  return number === null ? toParagraph(shown) : toListItem(shown)
}

/**
 * Adds a cell to the open row. Cells covered from the left are part of the span to the left.
 * Some programs leave out cells covered from above.
 */
function placeCell({ cells, row, spans }: Table, { cell, rows, isCovered }: OpenCell): void {
  if (isCovered && row.covered > 0) {
    row.covered -= 1
    return
  }
  if (isCovered) placeCovered({ cells, row, spans })
  else {
    while ((spans.get(row.column)?.rows ?? 0) > 0) placeCovered({ cells, row, spans })
    for (let index = 0; index < cell.span; index += 1)
      spans.set(row.column + index, { rows: rows - 1, isFirst: index === 0 })
    if (cells.length < MAX_REPEATED_CELLS) cells.push(cell)
    row.column += cell.span
    row.covered = cell.span - 1
  }
}

/** Adds a cell covered from above, or by nothing in damaged files. */
function placeCovered({ cells, row, spans }: Pick<Table, 'cells' | 'row' | 'spans'>): void {
  const above = spans.get(row.column)
  const isBelow = above !== undefined && above.rows > 0
  if (isBelow) above.rows -= 1
  const merge = isBelow && above.isFirst ? 'continue' : null
  if (cells.length < MAX_REPEATED_CELLS) cells.push({ events: [], span: 1, merge })
  row.column += 1
}
