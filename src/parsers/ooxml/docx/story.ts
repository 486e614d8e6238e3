import { type Block, unreadable } from '../../parse-event.ts'
import { createMathText } from '../math-text.ts'
import { headingOf, listItemOf, type OfficeEvent, paragraphOf } from '../office-block.ts'
import { type Attributes, getAttribute, getNumber, isOn } from '../package/read-xml.ts'
import type { ListCounters } from './numbering.ts'
import type { Styles } from './styles.ts'
import { type Cell, createTableBuilder, type TableBuilder } from './table-builder.ts'

/** A paragraph that is open. Text boxes hold paragraphs inside of paragraphs: those come after it. */
type Paragraph = {
  type: 'paragraph'
  text: string
  styleId: string | null
  numberingId: string | null
  listLevel: number | null
  outlineLevel: number | null
  /** Its end was deleted: the next one goes on in it. */
  isEndDeleted: boolean
  page: number | null
  after: OfficeEvent[]
}

/** A table that is open, with its open row. */
type Table = {
  type: 'table'
  builder: TableBuilder
  cells: Cell[]
  isHeaderRow: boolean
  isRowDeleted: boolean
  /** True when what it gave last was a row, and not the text of a box of a layout. */
  endsInRow: boolean
}

/** What the stories of a document share, and where the events of this one go. */
export type StoryContext = {
  styles: Styles
  lists: ListCounters
  /** `null` where there are no pages: in notes, and in documents that do not say where pages end. */
  pages: PageCounter | null
  /** Footnotes, endnotes and comments by what kind and id they have. */
  takeNote(kind: NoteKind, id: string): OfficeEvent[]
  emit(event: OfficeEvent): void
}

/** What text may refer to. */
export type NoteKind = 'footnote' | 'endnote' | 'comment'

/** Tables in tables in tables; each level is written out again in the one above. */
const MAX_TABLE_DEPTH = 16

/** The reading of one story: the body, a header, a note. Frames that are open stand in each other in any order. */
export class Story {
  readonly context: StoryContext
  readonly frames: (Paragraph | Table | ({ type: 'cell' } & Cell))[] = []
  readonly fields = createFields()
  readonly math = createMathText()
  readonly form = createFormField()
  /** True inside an element whose text is text. */
  isText = false
  /** Whose properties are being read; text and properties have elements of one name. */
  properties: 'paragraph' | 'row' | 'run' | null = null
  /** The runs that are open, each true when it is hidden: a text box in a run has runs of its own. */
  readonly hiddenRuns: boolean[] = []
  /** A paragraph whose end was deleted. */
  #continued: Paragraph | null = null

  constructor(context: StoryContext) {
    this.context = context
  }

  /** The innermost frame when it is a paragraph. */
  get paragraph(): Paragraph | null {
    const top = this.frames.at(-1)
    return top?.type === 'paragraph' ? top : null
  }

  /** The innermost table, when nothing but one of its cells is open in it. */
  get table(): Table | null {
    const top = this.frames.at(-1)
    return top?.type === 'table' ? top : null
  }

  /** Adds text to the open paragraph; white space when there is none is nothing. */
  writeText(text: string): void {
    const { paragraph } = this
    if (paragraph === null || this.hiddenRuns.at(-1) === true || this.fields.isInstruction()) return
    paragraph.text += text
    const { pages } = this.context
    if (pages === null || text.trim() === '') return
    pages.addInk()
    paragraph.page ??= pages.page
  }

  /** Gives an event to what encloses it: the open paragraph, the open cell, or the outside. */
  putEvent(event: OfficeEvent): void {
    const top = this.frames.at(-1)
    if (top?.type === 'paragraph') top.after.push(event)
    else if (top?.type === 'cell') top.events.push(event)
    else this.context.emit(event)
  }

  /** Opens a paragraph, which begins with the text of the one before it where the end of that was deleted. */
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
      isEndDeleted: false,
      page: continued?.page ?? null,
      after: continued?.after ?? [],
    })
  }

  /** Ends the open paragraph: it goes out with its number, and what hangs on it follows. */
  closeParagraph(): void {
    const { paragraph } = this
    if (paragraph === null) return
    this.frames.pop()
    this.fields.endParagraph()
    if (paragraph.isEndDeleted) this.#continued = paragraph
    else this.#putParagraph(paragraph)
  }

  /** Where no paragraph can follow in the same place, one whose end was deleted ends all the same. */
  endContinued(): void {
    const continued = this.#continued
    this.#continued = null
    if (continued !== null) this.#putParagraph(continued)
  }

  #putParagraph(paragraph: Paragraph): void {
    const block = blockOf(this.context, paragraph)
    if (block !== null) this.putEvent({ block: paragraph.page === null ? block : { ...block, page: paragraph.page } })
    for (const event of paragraph.after) this.putEvent(event)
  }

  /** Opens a table. Throws `unprocessable_document` where tables lie in each other without end. */
  openTable(): void {
    this.endContinued()
    const depth = this.frames.filter(({ type }) => type === 'table').length
    if (depth >= MAX_TABLE_DEPTH) throw unreadable('The file is damaged: its tables lie in each other too deeply.')
    const row = { cells: [], isHeaderRow: false, isRowDeleted: false }
    this.frames.push({ type: 'table', builder: createTableBuilder(), ...row, endsInRow: false })
  }

  /** Ends the open row. */
  closeRow(): void {
    const { table } = this
    if (table === null) return
    const { builder, cells, isHeaderRow, isRowDeleted } = table
    const events = isRowDeleted ? [] : builder.addRow(cells, isHeaderRow)
    Object.assign(table, { cells: [], isHeaderRow: false, isRowDeleted: false })
    this.#putBelow(events)
  }

  /** Ends the open table; an empty line parts one that stands in the text from what follows, which may be the next table. */
  closeTable(): void {
    const { table } = this
    if (table === null) return
    this.#putBelow(table.builder.end())
    this.frames.pop()
    if (table.endsInRow && this.frames.length === 0) this.putEvent({ block: { text: '\n', kind: 'blank' } })
  }

  /** Rows go to what encloses the table. */
  #putBelow(events: readonly OfficeEvent[]): void {
    const table = this.frames.pop()
    for (const event of events) this.putEvent(event)
    if (table?.type !== 'table') return
    const last = events.at(-1)
    if (last !== undefined) table.endsInRow = 'block' in last && /^table/.test(last.block.kind)
    this.frames.push(table)
  }
}

function blockOf({ styles, lists }: StoryContext, paragraph: Paragraph): Block | null {
  const style = styles.get(paragraph.styleId)
  const numberingId = paragraph.numberingId ?? style.numberingId
  const isListed = numberingId !== null && numberingId !== '0'
  const listLevel = paragraph.listLevel ?? style.listLevel
  const number = isListed ? lists.next(numberingId, listLevel, paragraph.styleId) : null
  if (paragraph.text.trim() === '') return null
  const text = number === null || number === '' ? paragraph.text : `${number} ${paragraph.text.trim()}`
  const level = paragraph.outlineLevel === null ? style.level : headingLevel(paragraph.outlineLevel)
  if (level !== null) return headingOf(text, level)
  return number === null ? paragraphOf(text) : listItemOf(text)
}

/** Outline levels count from 0; 9 is body text. */
function headingLevel(outlineLevel: number): number | null {
  return outlineLevel >= 0 && outlineLevel < 9 ? outlineLevel + 1 : null
}

/** The page that is being written, in a document that says where its pages end. */
type PageCounter = {
  readonly page: number
  /** Something visible was written on the page. */
  addInk(): void
  /** A break the author made. */
  breakPage(): void
  /** Where Word last began a new page; the same place as a break of the author's when nothing was written since. */
  passRenderedBreak(): void
}

/** Makes a clock at page 1. */
export function createPageCounter(): PageCounter {
  let page = 1
  let hasInk = false
  return {
    get page() {
      return page
    },
    addInk() {
      hasInk = true
    },
    breakPage() {
      page += 1
      hasInk = false
    },
    passRenderedBreak() {
      if (hasInk) page += 1
      hasInk = false
    },
  }
}

/** Follows complex fields: what stands between their beginning and their result is an instruction, not text. */
type Fields = {
  /** True where text belongs to an instruction. */
  isInstruction(): boolean
  /** `begin`, `separate` or `end` of `w:fldChar`. */
  mark(type: string | null): void
  /** At the end of a paragraph: an instruction that was never closed must not swallow the document. */
  endParagraph(): void
}

/** Fields in fields are a few deep; more are damage. */
const MAX_DEPTH = 50

/** Makes the follower of one story. (ECMA-376 part 1, section 17.16.18.) */
function createFields(): Fields {
  let instructions: boolean[] = []
  return {
    isInstruction: () => instructions.includes(true),
    mark(type) {
      if (type === 'begin' && instructions.length < MAX_DEPTH) instructions.push(true)
      else if (type === 'separate' && instructions.length > 0) instructions[instructions.length - 1] = false
      else if (type === 'end') instructions.pop()
    },
    endParagraph() {
      instructions = instructions.map(() => false)
    },
  }
}

/** Reads the box or the list of choices of a form; both are data, not text, in the file. */
type FormField = {
  /** An element in `w:ffData`. */
  open(name: string, attributes: Attributes): void
  /** What the form shows, at the end of `w:ffData`; empty for other fields. */
  take(): string
}

/** A list has 25 entries at most (ECMA-376 part 1, section 17.16.9). */
const MAX_CHOICES = 25

/** Makes the reader of one story. */
function createFormField(): FormField {
  let kind: string | null = null
  let isChecked = false
  let chosen = 0
  let choices: string[] = []

  return {
    open(name, attributes) {
      if (name === 'checkBox' || name === 'ddList') kind = name
      else if (name === 'listEntry' && choices.length < MAX_CHOICES) choices.push(getAttribute(attributes, 'val') ?? '')
      else if (name === 'result' || name === 'default') chosen = getNumber(attributes, 'val') ?? chosen
      if (name === 'checked' || name === 'default') isChecked = isOn(attributes)
    },
    take() {
      const shown = kind === 'checkBox' ? (isChecked ? '☒' : '☐') : kind === 'ddList' ? (choices[chosen] ?? '') : ''
      kind = null
      isChecked = false
      chosen = 0
      choices = []
      return shown
    },
  }
}
