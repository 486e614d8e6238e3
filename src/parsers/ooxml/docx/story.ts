import { type Block, unreadable } from '../../parse-event.ts'
import { createMathText, type MathText } from '../math-text.ts'
import { headingOf, listItemOf, type OfficeEvent, paragraphOf } from '../office-block.ts'
import { createFields, createFormField, type Fields, type FormField } from './fields.ts'
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

/** The reading of one story: the body, a header, a note. Frames that are open stand in each other in any order. */
export type Story = {
  readonly context: StoryContext
  readonly frames: (Paragraph | Table | ({ type: 'cell' } & Cell))[]
  readonly fields: Fields
  readonly math: MathText
  readonly form: FormField
  /** True inside an element whose text is text. */
  isText: boolean
  /** Whose properties are being read; text and properties have elements of one name. */
  properties: 'paragraph' | 'row' | 'run' | null
  /** The runs that are open, each true when it is hidden: a text box in a run has runs of its own. */
  readonly hiddenRuns: boolean[]
  /** A paragraph whose end was deleted. */
  continued: Paragraph | null
}

/** Begins a story. */
export function createStory(context: StoryContext): Story {
  return {
    context,
    frames: [],
    fields: createFields(),
    math: createMathText(),
    form: createFormField(),
    isText: false,
    properties: null,
    hiddenRuns: [],
    continued: null,
  }
}

/** The innermost frame when it is a paragraph. */
export function getParagraph({ frames }: Story): Paragraph | null {
  const top = frames.at(-1)
  return top?.type === 'paragraph' ? top : null
}

/** The innermost table, when nothing but one of its cells is open in it. */
export function getTable({ frames }: Story): Table | null {
  const top = frames.at(-1)
  return top?.type === 'table' ? top : null
}

/** Adds text to the open paragraph; white space when there is none is nothing. */
export function writeText(story: Story, text: string): void {
  const paragraph = getParagraph(story)
  if (paragraph === null || story.hiddenRuns.at(-1) === true || story.fields.isInstruction()) return
  paragraph.text += text
  const { pages } = story.context
  if (pages === null || text.trim() === '') return
  pages.addInk()
  paragraph.page ??= pages.page
}

/** Gives an event to what encloses it: the open paragraph, the open cell, or the outside. */
export function putEvent({ frames, context }: Story, event: OfficeEvent): void {
  const top = frames.at(-1)
  if (top?.type === 'paragraph') top.after.push(event)
  else if (top?.type === 'cell') top.events.push(event)
  else context.emit(event)
}

/** Opens a paragraph, which begins with the text of the one before it where the end of that was deleted. */
export function openParagraph(story: Story): void {
  const { continued } = story
  story.continued = null
  story.frames.push({
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
export function closeParagraph(story: Story): void {
  const paragraph = getParagraph(story)
  if (paragraph === null) return
  story.frames.pop()
  story.fields.endParagraph()
  if (paragraph.isEndDeleted) story.continued = paragraph
  else putParagraph(story, paragraph)
}

/** Where no paragraph can follow in the same place, one whose end was deleted ends all the same. */
export function endContinued(story: Story): void {
  const { continued } = story
  story.continued = null
  if (continued !== null) putParagraph(story, continued)
}

function putParagraph(story: Story, paragraph: Paragraph): void {
  const block = blockOf(story.context, paragraph)
  if (block !== null) putEvent(story, { block: paragraph.page === null ? block : { ...block, page: paragraph.page } })
  for (const event of paragraph.after) putEvent(story, event)
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

/** Tables in tables in tables; each level is written out again in the one above. */
const MAX_TABLE_DEPTH = 16

/** Opens a table. Throws `unprocessable_document` where tables lie in each other without end. */
export function openTable(story: Story): void {
  endContinued(story)
  const { frames } = story
  const depth = frames.filter(({ type }) => type === 'table').length
  if (depth >= MAX_TABLE_DEPTH) throw unreadable('The file is damaged: its tables lie in each other too deeply.')
  const row = { cells: [], isHeaderRow: false, isRowDeleted: false }
  frames.push({ type: 'table', builder: createTableBuilder(), ...row, endsInRow: false })
}

/** Ends the open row. */
export function closeRow(story: Story): void {
  const table = getTable(story)
  if (table === null) return
  const { builder, cells, isHeaderRow, isRowDeleted } = table
  const events = isRowDeleted ? [] : builder.addRow(cells, isHeaderRow)
  Object.assign(table, { cells: [], isHeaderRow: false, isRowDeleted: false })
  putBelow(story, events)
}

/** Ends the open table; an empty line parts one that stands in the text from what follows, which may be the next table. */
export function closeTable(story: Story): void {
  const table = getTable(story)
  if (table === null) return
  putBelow(story, table.builder.end())
  story.frames.pop()
  if (table.endsInRow && story.frames.length === 0) putEvent(story, { block: { text: '\n', kind: 'blank' } })
}

/** Rows go to what encloses the table. */
function putBelow(story: Story, events: readonly OfficeEvent[]): void {
  const table = story.frames.pop()
  for (const event of events) putEvent(story, event)
  if (table?.type !== 'table') return
  const last = events.at(-1)
  if (last !== undefined) table.endsInRow = 'block' in last && /^table/.test(last.block.kind)
  story.frames.push(table)
}

/** The page that is being written, in a document that says where its pages end. */
export type PageCounter = {
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
