import { createListCounters } from '../ooxml/docx/numbering.ts'
import {
  cutBlocks,
  headingOf,
  listItemOf,
  looksLikeHeader,
  paragraphOf,
  rowOf,
  tableOf,
} from '../ooxml/office-block.ts'
import { type Block, unreadable } from '../parse-event.ts'
import type { CompoundFile } from './compound-file.ts'
import { listParagraphs, type RawParagraph } from './list-paragraphs.ts'
import { readLists } from './list-tables.ts'
import { CHANGES, findRun, OLD_CHANGES, readChanges, readOldChanges } from './property-changes.ts'
import { readWordFile, type WordFile } from './word-file.ts'
import { readWordHeader, type Story } from './word-header.ts'

/** Turns paragraphs into blocks. */
type StoryBlocks = {
  /** The blocks that are complete with the next paragraph. */
  add(paragraph: RawParagraph): Block[]
  /** The rest. */
  end(): Block[]
}

/** A row of a table as far as it has come. */
type Row = { cells: string[]; cell: string[]; isFirst: boolean }

/** Longer ones are paragraphs in the style of a heading. */
const MAX_HEADING_CHARACTERS = 400

/** Makes the blocks of one file. */
function createStoryBlocks(word: WordFile): StoryBlocks {
  const fields = createFieldFilter()
  const lists = createListCounters(readLists(word.header, word.tables))
  let row: Row = { cells: [], cell: [], isFirst: true }

  function endCell(): void {
    row.cells.push(row.cell.filter((text) => text !== '').join(' '))
    row.cell = []
  }

  function endRow(isHeader: boolean): (Block | null)[] {
    if (row.cell.length > 0) endCell()
    const { cells, isFirst } = row
    row = { cells: [], cell: [], isFirst: false }
    if (cells.length === 1) return [paragraphOf(cells[0] ?? '')]
    if (!isFirst) return [rowOf(cells)]
    return tableOf([rowOf(cells, isHeader || looksLikeHeader(cells) ? 'table-header' : 'table-row')])
  }

  function endTable(): (Block | null)[] {
    const isOpen = row.cells.length > 0 || row.cell.length > 0
    const rest = isOpen ? endRow(false) : []
    const hadRows = !row.isFirst
    row.isFirst = true
    return hadRows ? [...rest, { text: '\n', kind: 'blank' }] : rest
  }

  function addToTable(text: string, paragraph: RawParagraph, facts: ParagraphFacts): (Block | null)[] {
    // Word 2 keeps its properties elsewhere: there the end of a row shows as a cell without words after the last one.
    const looksLikeRowEnd = word.paragraphs.length === 0 && text === '' && row.cell.length === 0 && row.cells.length > 0
    if (facts.isRowEnd || looksLikeRowEnd) return endRow(facts.isHeaderRow)
    row.cell.push(text.replaceAll(/\s+/g, ' ').trim())
    if (paragraph.end === 'cell') endCell()
    return []
  }

  function addToText(text: string, facts: ParagraphFacts): (Block | null)[] {
    const level = facts.headingLevel
    const number =
      text.trim() === '' || facts.list === null ? null : lists.next(String(facts.list), facts.listLevel, null)
    const numbered = number === null || number === '' ? text : `${number} ${text.trim()}`
    if (level !== null && text.length <= MAX_HEADING_CHARACTERS) return [headingOf(numbered, level)]
    return [number === null ? paragraphOf(numbered) : listItemOf(numbered)]
  }

  return {
    add(paragraph) {
      const facts = getParagraphFacts(word, paragraph.at)
      const text = fields.clean(paragraph.text)
      const isInTable = facts.isInTable || facts.isRowEnd || paragraph.end === 'cell'
      const blocks = isInTable ? addToTable(text, paragraph, facts) : [...endTable(), ...addToText(text, facts)]
      return cutBlocks(blocks)
    },
    end: () => cutBlocks(endTable()),
  }
}

/** Takes the control characters out of the text of paragraphs. */
type FieldFilter = {
  /** The words of the next paragraph: of fields the result, not the instruction. */
  clean(text: string): string
}

/** Characters of Word that stand for something else. MS-DOC 2.4.1, and for the marks of fields 2.8.25. */
const REPLACED: Readonly<Record<string, string>> = {
  '\v': '\n',
  '\x0e': '\n',
  '\x1e': '-',
  '\x1f': '',
}
const FIELD_BEGIN = '\x13'
const FIELD_RESULT = '\x14'
const FIELD_END = '\x15'

/** Makes the filter of one file; a field may begin in one paragraph and end in another. */
function createFieldFilter(): FieldFilter {
  /** For each open field whether its result has begun. */
  let open: boolean[] = []

  let isInInstruction = false

  function take(mark: string): void {
    if (mark === FIELD_BEGIN) open.push(false)
    else if (mark === FIELD_RESULT && open.length > 0) open[open.length - 1] = true
    else if (mark === FIELD_END) open.pop()
    else return
    isInInstruction = open.some((hasResult) => !hasResult)
  }

  return {
    clean(text) {
      let words = ''
      for (const character of text) {
        if (character < ' ' && character !== '\t') {
          take(character)
          words += isInInstruction ? '' : (REPLACED[character] ?? '')
        } else if (!isInInstruction) words += character
      }
      // An instruction ends with its paragraph: if its end is missing the rest must not be lost.
      if (isInInstruction) open = []
      isInInstruction = false
      return words
    },
  }
}

/** What the properties of a paragraph say. */
type ParagraphFacts = {
  isInTable: boolean
  isRowEnd: boolean
  /** Ends a cell, or a row, of a table inside a cell. */
  isInnerEnd: boolean
  isHeaderRow: boolean
  headingLevel: number | null
  /** Number of its list from 1; 0 or `null`: none. */
  list: number | null
  listLevel: number
}

/** The facts of the paragraph whose end mark lies at `place`; those of plain text where nothing is known. */
function getParagraphFacts(word: WordFile, place: number): ParagraphFacts {
  const properties = findRun(word.paragraphs, place)?.properties ?? Buffer.alloc(0)
  const style = properties.length < 2 ? null : (word.styles[properties.readUInt16LE(0)] ?? null)
  const facts: ParagraphFacts = {
    isInTable: false,
    isRowEnd: false,
    isInnerEnd: false,
    isHeaderRow: false,
    headingLevel: style?.headingLevel ?? null,
    list: style?.list ?? null,
    listLevel: style?.listLevel ?? 0,
  }
  if (properties.length <= 2) return facts
  const changes = properties.subarray(2)
  if (word.header.version === 97) readChanges(changes, (code, operand) => apply(facts, code, operand))
  else readOldChanges(changes, (code, operand) => applyOld(facts, code, operand))
  return facts
}

function apply(facts: ParagraphFacts, code: number, operand: number): void {
  if (code === CHANGES.inTable) facts.isInTable = operand === 1
  else if (code === CHANGES.rowEnd) facts.isRowEnd = operand === 1
  else if (code === CHANGES.innerCellEnd || code === CHANGES.innerRowEnd) facts.isInnerEnd = operand === 1
  else if (code === CHANGES.headerRow) facts.isHeaderRow = operand === 1
  else if (code === CHANGES.list) facts.list = operand
  else if (code === CHANGES.listLevel) facts.listLevel = operand
  else if (code === CHANGES.outlineLevel) facts.headingLevel = operand < 9 ? operand + 1 : facts.headingLevel
}

function applyOld(facts: ParagraphFacts, code: number, operand: number): void {
  if (code === OLD_CHANGES.inTable) facts.isInTable = operand === 1
  else if (code === OLD_CHANGES.rowEnd) facts.isRowEnd = operand === 1
}

/** The text and the tables of 100 MB of Word are far smaller; pictures lie in other streams. */
const MAX_STREAM_BYTES = 100 * 1024 * 1024

/** Opens the Word file in a compound file, or in one of its storages. Throws `unprocessable_document` when it cannot be read. */
export async function openWordFile(container: CompoundFile, storage?: number): Promise<WordFile> {
  const stream = container.getStream('WordDocument', storage)
  if (stream === null) throw unreadable('The file is an Office file, but has no Word document in it.')
  const text = await container.read(stream, MAX_STREAM_BYTES)
  const header = readWordHeader(text)
  if (header.tableStream === null) return readWordFile(header, text, text)
  const other = header.tableStream === '0Table' ? '1Table' : '0Table'
  const table = container.getStream(header.tableStream, storage) ?? container.getStream(other, storage)
  if (table === null) throw unreadable('The Word file is damaged: its tables are missing.')
  return readWordFile(header, text, await container.read(table, MAX_STREAM_BYTES))
}

/** Stories that repeat the same words, a header for every section. */
const REPETITIVE: ReadonlySet<Story> = new Set(['headers', 'headerBoxes'])
/** The order of the text: what stands on every page comes last. */
const ORDER: readonly Story[] = ['body', 'footnotes', 'endnotes', 'comments', 'boxes', 'headers', 'headerBoxes']

/** The blocks of a Word file, story by story. */
export function* wordBlocks(word: WordFile): Generator<Block> {
  for (const story of ORDER) {
    if (word.header.stories[story] === 0 && story !== 'body') continue
    const blocks = createStoryBlocks(word)
    const seen = new Set<string>()
    for (const paragraph of listParagraphs(word)) {
      if (paragraph.story !== story) continue
      const text = paragraph.text.trim()
      if (REPETITIVE.has(story) && seen.has(text)) continue
      seen.add(text)
      yield* blocks.add(paragraph)
    }
    yield* blocks.end()
  }
}
