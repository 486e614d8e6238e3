import { type Block, unreadable } from '../../parse-event.ts'
import { createMathText } from '../math-text.ts'
import { type OfficeEvent, toHeading, toListItem, toParagraph } from '../office-block.ts'
import { type Attributes, getAttribute, getIntAttribute, isSwitchedOn } from '../package/read-xml.ts'
import type { ListCounters } from './numbering.ts'
import type { Styles } from './styles.ts'
import { type Cell, createTableBuilder, type TableBuilder } from './table-builder.ts'

/** An open paragraph. Paragraphs of a nested text box follow after it. */
type Paragraph = {
  type: 'paragraph'
  text: string
  styleId: string | null
  numberingId: string | null
  listLevel: number | null
  outlineLevel: number | null
  /** The next paragraph continues the text: the mark was deleted, or this is a drop cap. */
  joinsNext: boolean
  page: number | null
  nestedEvents: OfficeEvent[]
}

/** An open table with its open row. */
type Table = {
  type: 'table'
  builder: TableBuilder
  cells: Cell[]
  isHeaderRow: boolean
  isRowDeleted: boolean
  /** True when the last event was a row, not the text of a layout box. */
  endsInRow: boolean
}

/** State shared by the stories of a document, and the receiver of this story's events. */
export type StoryContext = {
  styles: Styles
  lists: ListCounters
  /** `null` without pages: in notes, and in documents that mark no page ends. */
  pages: PageCounter | null
  /** Takes a footnote, endnote or comment by kind and id. */
  takeNote(kind: NoteKind, id: string): OfficeEvent[]
  emit(event: OfficeEvent): void
}

/** Kinds of notes referenced from text. */
export type NoteKind = 'footnote' | 'endnote' | 'comment'

/** Nested tables are rewritten at each level, so the cost grows with depth. */
const MAX_TABLE_DEPTH = 16

/**
 * Reading state of a story: the body, a header, a note. Paragraphs, tables and cells nest in any
 * order.
 */
export class Story {
  readonly context: StoryContext
  readonly frames: (Paragraph | Table | ({ type: 'cell' } & Cell))[] = []
  readonly fields = createFieldTracker()
  readonly math = createMathText()
  readonly form = createFormFieldReader()
  /** True inside an element with document text. */
  isText = false
  /** Owner of the open properties. Text and properties share element names. */
  properties: 'paragraph' | 'row' | 'run' | null = null
  /** Hidden flags of the open runs: a text box in a run contains runs. */
  readonly hiddenRuns: boolean[] = []
  /** A finished paragraph that joins the next. */
  #continued: Paragraph | null = null

  constructor(context: StoryContext) {
    this.context = context
  }

  /** The innermost frame if a paragraph, else `null`. */
  get paragraph(): Paragraph | null {
    const top = this.frames.at(-1)
    return top?.type === 'paragraph' ? top : null
  }

  /** The innermost frame if a table, else `null`. */
  get table(): Table | null {
    const top = this.frames.at(-1)
    return top?.type === 'table' ? top : null
  }

  /** Appends text to the open paragraph. Text outside of paragraphs is white space and ignored. */
  writeText(text: string): void {
    const { paragraph } = this
    if (paragraph === null || this.hiddenRuns.at(-1) === true || this.fields.isInstruction()) return
    paragraph.text += text
    const { pages } = this.context
    if (pages === null || text.trim() === '') return
    pages.markVisible()
    paragraph.page ??= pages.page
  }

  /** Emits an event to the open paragraph or cell, or to the receiver. */
  emitEvent(event: OfficeEvent): void {
    const top = this.frames.at(-1)
    if (top?.type === 'paragraph') top.nestedEvents.push(event)
    else if (top?.type === 'cell') top.events.push(event)
    else this.context.emit(event)
  }

  /** Opens a paragraph, continuing the text of a paragraph that joins it. */
  openParagraph(): void {
    const continued = this.#continued
    this.#continued = null
    this.frames.push({
      type: 'paragraph',
      text: continued?.text ?? '',
      styleId: null,
      numberingId: null,
      listLevel: null,
      outlineLevel: null,
      joinsNext: false,
      page: continued?.page ?? null,
      nestedEvents: continued?.nestedEvents ?? [],
    })
  }

  /** Closes the paragraph: emits its block, then the events nested in the paragraph. */
  closeParagraph(): void {
    const { paragraph } = this
    if (paragraph === null) return
    this.frames.pop()
    this.fields.endParagraph()
    if (paragraph.joinsNext) this.#continued = paragraph
    else this.#emitParagraph(paragraph)
  }

  /** Emits a continued paragraph where no further paragraph can follow. */
  flushContinued(): void {
    const continued = this.#continued
    this.#continued = null
    if (continued !== null) this.#emitParagraph(continued)
  }

  #emitParagraph(paragraph: Paragraph): void {
    const block = createParagraphBlock(this.context, paragraph)
    if (block !== null) this.emitEvent({ block: paragraph.page === null ? block : { ...block, page: paragraph.page } })
    for (const event of paragraph.nestedEvents) this.emitEvent(event)
  }

  /** Opens a table. Throws `unprocessable_document` for excessive nesting. */
  openTable(): void {
    this.flushContinued()
    const depth = this.frames.filter(({ type }) => type === 'table').length
    if (depth >= MAX_TABLE_DEPTH) throw unreadable('The file is damaged: its tables are nested too deeply.')
    const row = { cells: [], isHeaderRow: false, isRowDeleted: false }
    this.frames.push({ type: 'table', builder: createTableBuilder(), ...row, endsInRow: false })
  }

  /** Closes the open row. */
  closeRow(): void {
    const { table } = this
    if (table === null) return
    const { builder, cells, isHeaderRow, isRowDeleted } = table
    const events = isRowDeleted ? [] : builder.addRow(cells, isHeaderRow)
    Object.assign(table, { cells: [], isHeaderRow: false, isRowDeleted: false })
    this.#emitRows(events)
  }

  /**
   * Closes the open table. A top-level table ends with a blank line, as another table may follow.
   */
  closeTable(): void {
    const { table } = this
    if (table === null) return
    this.#emitRows(table.builder.end())
    this.frames.pop()
    if (table.endsInRow && this.frames.length === 0) this.emitEvent({ block: { text: '\n', kind: 'blank' } })
  }

  /** Rows go to the frame that encloses the table. */
  #emitRows(events: readonly OfficeEvent[]): void {
    const table = this.frames.pop()
    for (const event of events) this.emitEvent(event)
    if (table?.type !== 'table') return
    const last = events.at(-1)
    if (last !== undefined) table.endsInRow = 'block' in last && /^table/.test(last.block.kind)
    this.frames.push(table)
  }
}

function createParagraphBlock({ styles, lists }: StoryContext, paragraph: Paragraph): Block | null {
  const style = styles.get(paragraph.styleId)
  const numberingId = paragraph.numberingId ?? style.numberingId
  const isListed = numberingId !== null && numberingId !== '0'
  const listLevel = paragraph.listLevel ?? style.listLevel
  const number = isListed ? lists.next(numberingId, listLevel, paragraph.styleId) : null
  if (paragraph.text.trim() === '') return null
  const text = number === null || number === '' ? paragraph.text : `${number} ${paragraph.text.trim()}`
  const level = paragraph.outlineLevel === null ? style.level : toHeadingLevel(paragraph.outlineLevel)
  if (level !== null) return toHeading(text, level)
  return number === null ? toParagraph(text) : toListItem(text)
}

/** Outline levels count from 0; 9 is body text. */
function toHeadingLevel(outlineLevel: number): number | null {
  return outlineLevel >= 0 && outlineLevel < 9 ? outlineLevel + 1 : null
}

/** Counts pages, in a document that marks page ends. */
type PageCounter = {
  readonly page: number
  /** Records visible text on the page. */
  markVisible(): void
  /** An explicit page break. */
  breakPage(): void
  /**
   * A page break recorded at Word's last layout. Ignored right after an explicit break, as both
   * mark the same place.
   */
  passRenderedBreak(): void
}

/** Creates a counter that starts at page 1. */
export function createPageCounter(): PageCounter {
  let page = 1
  let hasVisible = false
  return {
    get page() {
      return page
    },
    markVisible() {
      hasVisible = true
    },
    breakPage() {
      page += 1
      hasVisible = false
    },
    passRenderedBreak() {
      if (hasVisible) page += 1
      hasVisible = false
    },
  }
}

/** Tracks complex fields. Text between field start and result is an instruction. */
type FieldTracker = {
  /** True within a field instruction. */
  isInstruction(): boolean
  /** `begin`, `separate` or `end` of `w:fldChar`. */
  handleFieldChar(type: string | null): void
  /**
   * Closes instructions at the end of a paragraph: an unclosed field must not swallow the document.
   */
  endParagraph(): void
}

/** Fields nest a few levels; deeper nesting is damage. */
const MAX_FIELD_DEPTH = 50

/** Creates the tracker of a story. (ECMA-376 part 1, section 17.16.18.) */
function createFieldTracker(): FieldTracker {
  let instructions: boolean[] = []
  return {
    isInstruction: () => instructions.includes(true),
    handleFieldChar(type) {
      if (type === 'begin' && instructions.length < MAX_FIELD_DEPTH) instructions.push(true)
      else if (type === 'separate' && instructions.length > 0) instructions[instructions.length - 1] = false
      else if (type === 'end') instructions.pop()
    },
    endParagraph() {
      instructions = instructions.map(() => false)
    },
  }
}

/** Reads check boxes and drop-down lists of forms, which are stored as data instead of text. */
type FormFieldReader = {
  /** Handles an element within `w:ffData`. */
  open(name: string, attributes: Attributes): void
  /** Returns the displayed value at the end of `w:ffData`; empty for other fields. */
  takeDisplayed(): string
}

/** Maximum of ECMA-376 part 1, section 17.16.9. */
const MAX_CHOICES = 25

function createFormFieldReader(): FormFieldReader {
  let kind: string | null = null
  let isChecked = false
  let chosen = 0
  let choices: string[] = []

  return {
    open(name, attributes) {
      if (name === 'checkBox' || name === 'ddList') kind = name
      else if (name === 'listEntry' && choices.length < MAX_CHOICES) choices.push(getAttribute(attributes, 'val') ?? '')
      else if (name === 'result' || name === 'default') chosen = getIntAttribute(attributes, 'val') ?? chosen
      if (name === 'checked' || name === 'default') isChecked = isSwitchedOn(attributes)
    },
    takeDisplayed() {
      const shown = kind === 'checkBox' ? (isChecked ? '☒' : '☐') : kind === 'ddList' ? (choices[chosen] ?? '') : ''
      kind = null
      isChecked = false
      chosen = 0
      choices = []
      return shown
    },
  }
}
