import { decodeBytes } from '../encoding/decode-file.ts'
import { createListCounters } from '../ooxml/docx/numbering.ts'
import {
  looksLikeHeader,
  splitBlocks,
  toHeading,
  toListItem,
  toParagraph,
  toTable,
  toTableRow,
} from '../ooxml/office-block.ts'
import type { Block } from '../parse-event.ts'
import { readLists } from './list-tables.ts'
import { type FormattedRun, findRunAt, MODIFIERS, readModifiers } from './property-modifiers.ts'
import type { Piece, WordFile } from './word-file.ts'
import type { Story } from './word-header.ts'

/** Stories with a copy of the same text for every section. */
const REPETITIVE_STORIES: ReadonlySet<Story> = new Set(['headers', 'headerBoxes'])
/** Output order: headers and footers come last. */
const STORY_ORDER: readonly Story[] = ['body', 'footnotes', 'endnotes', 'comments', 'boxes', 'headers', 'headerBoxes']

/** Yields the blocks of a Word file, story by story. */
export function* wordBlocks(word: WordFile): Generator<Block> {
  for (const story of STORY_ORDER) {
    if (word.header.stories[story] === 0 && story !== 'body') continue
    const blocks = createStoryBlocks(word)
    const seen = new Set<string>()
    for (const paragraph of listParagraphs(word)) {
      if (paragraph.story !== story) continue
      const text = paragraph.text.trim()
      if (REPETITIVE_STORIES.has(story) && seen.has(text)) continue
      seen.add(text)
      yield* blocks.add(paragraph)
    }
    yield* blocks.end()
  }
}

/** Turns paragraphs into blocks. */
type StoryBlocks = {
  /** Adds a paragraph and returns the blocks completed so far. */
  add(paragraph: RawParagraph): Block[]
  /** Returns the remaining blocks. */
  end(): Block[]
}

/** A table row under construction. */
type Row = { cells: string[]; cell: string[]; isFirst: boolean }

/** A longer text is a paragraph in a heading style. */
const MAX_HEADING_CHARACTERS = 400

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
    if (cells.length === 1) return [toParagraph(cells[0] ?? '')]
    if (!isFirst) return [toTableRow(cells)]
    return toTable([toTableRow(cells, isHeader || looksLikeHeader(cells) ? 'table-header' : 'table-row')])
  }

  function endTable(): (Block | null)[] {
    const isOpen = row.cells.length > 0 || row.cell.length > 0
    const rest = isOpen ? endRow(false) : []
    const hadRows = !row.isFirst
    row.isFirst = true
    return hadRows ? [...rest, { text: '\n', kind: 'blank' }] : rest
  }

  function addToTable(text: string, paragraph: RawParagraph, facts: ParagraphProperties): (Block | null)[] {
    // Word 2 stores its properties elsewhere. An empty cell after the last cell marks the end of a
    // row.
    const looksLikeRowEnd = word.paragraphs.length === 0 && text === '' && row.cell.length === 0 && row.cells.length > 0
    if (facts.isRowEnd || looksLikeRowEnd) return endRow(facts.isHeaderRow)
    row.cell.push(text.replaceAll(/\s+/g, ' ').trim())
    if (paragraph.end === 'cell') endCell()
    return []
  }

  function addToText(text: string, facts: ParagraphProperties): (Block | null)[] {
    const level = facts.headingLevel
    const number =
      text.trim() === '' || facts.list === null ? null : lists.next(String(facts.list), facts.listLevel, null)
    const numbered = number === null || number === '' ? text : `${number} ${text.trim()}`
    if (level !== null && text.length <= MAX_HEADING_CHARACTERS) return [toHeading(numbered, level)]
    return [number === null ? toParagraph(numbered) : toListItem(numbered)]
  }

  return {
    add(paragraph) {
      const facts = getParagraphProperties(word, paragraph.endOffset)
      const text = fields.clean(paragraph.text)
      const isInTable = facts.isInTable || facts.isRowEnd || paragraph.end === 'cell'
      const blocks = isInTable ? addToTable(text, paragraph, facts) : [...endTable(), ...addToText(text, facts)]
      return splitBlocks(blocks)
    },
    end: () => splitBlocks(endTable()),
  }
}

/** Strips control characters and field instructions from paragraphs. */
type FieldFilter = {
  /**
   * Returns the visible text of the next paragraph: the results of fields, without their
   * instructions.
   */
  clean(text: string): string
}

/** Replacements of Word's special characters. MS-DOC 2.4.1; field marks: 2.8.25. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  '\v': '\n',
  '\x0e': '\n',
  '\x1e': '-',
  '\x1f': '',
}
const FIELD_BEGIN = '\x13'
const FIELD_RESULT = '\x14'
const FIELD_END = '\x15'

/** Creates the filter of a story. A field may begin in a paragraph and end in another. */
function createFieldFilter(): FieldFilter {
  /** For each open field: true after its result has begun. */
  let open: boolean[] = []

  let isInInstruction = false

  function trackField(mark: string): void {
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
          trackField(character)
          words += isInInstruction ? '' : (REPLACEMENTS[character] ?? '')
        } else if (!isInInstruction) words += character
      }
      // An instruction ends with its paragraph: an unclosed field must not swallow the rest of the
      // text.
      if (isInInstruction) open = []
      isInInstruction = false
      return words
    },
  }
}

/** Properties of a paragraph. */
type ParagraphProperties = {
  isInTable: boolean
  isRowEnd: boolean
  isHeaderRow: boolean
  headingLevel: number | null
  /** List number from 1; 0 or `null` for no list. */
  list: number | null
  listLevel: number
}

/** Returns the properties of the paragraph whose end mark is at `offset`. Plain text by default. */
function getParagraphProperties(word: WordFile, place: number): ParagraphProperties {
  const properties = findRunAt(word.paragraphs, place)?.properties ?? Buffer.alloc(0)
  const style = properties.length < 2 ? null : (word.styles[properties.readUInt16LE(0)] ?? null)
  const facts: ParagraphProperties = {
    isInTable: false,
    isRowEnd: false,
    isHeaderRow: false,
    headingLevel: style?.headingLevel ?? null,
    list: style?.list ?? null,
    listLevel: style?.listLevel ?? 0,
  }
  if (properties.length <= 2) return facts
  const changes = properties.subarray(2)
  readModifiers(changes, word.header.version === 97 ? 97 : 6, (code, operand) => applyModifier(facts, code, operand))
  return facts
}

function applyModifier(facts: ParagraphProperties, code: number, operand: number): void {
  if (code === MODIFIERS.inTable) facts.isInTable = operand === 1
  else if (code === MODIFIERS.rowEnd) facts.isRowEnd = operand === 1
  else if (code === MODIFIERS.headerRow) facts.isHeaderRow = operand === 1
  else if (code === MODIFIERS.list) facts.list = operand
  else if (code === MODIFIERS.listLevel) facts.listLevel = operand
  else if (code === MODIFIERS.outlineLevel) facts.headingLevel = operand < 9 ? operand + 1 : facts.headingLevel
}

/** A paragraph as stored, with control characters. */
type RawParagraph = {
  story: Story
  text: string
  /** `cell` at the end of a table cell or row. */
  end: 'paragraph' | 'cell' | 'page'
  /** File offset of the end mark, the key to the paragraph's properties. */
  endOffset: number
}

const END_MARKS: ReadonlyMap<number, RawParagraph['end']> = new Map([
  [0x0d, 'paragraph'],
  [0x07, 'cell'],
  [0x0c, 'page'],
])

/** Yields the paragraphs of all stories in file order. */
function* listParagraphs(word: WordFile): Generator<RawParagraph> {
  const storyAt = createStoryFinder(word)
  let text = ''
  let last: { piece: Piece; index: number } | null = null
  for (const piece of word.pieces) {
    let from = 0
    for (let index = 0; index < piece.characters; index += 1) {
      const end = END_MARKS.get(characterCodeAt(word.text, piece, index))
      if (end === undefined) continue
      text += decodeRun(word, piece, { from, to: index })
      yield { story: storyAt(piece.start + index), text, end, endOffset: fileOffsetOf(piece, index) }
      text = ''
      from = index + 1
    }
    text += decodeRun(word, piece, { from, to: piece.characters })
    last = { piece, index: piece.characters - 1 }
  }
  if (text !== '' && last !== null) {
    const { piece, index } = last
    yield { story: storyAt(piece.start + index), text, end: 'paragraph', endOffset: fileOffsetOf(piece, index) }
  }
}

function characterCodeAt(text: Buffer, piece: Piece, index: number): number {
  if (piece.characterBytes === 1) return text[piece.offset + index] ?? 0
  const at = piece.offset + index * 2
  return (text[at] ?? 0) | ((text[at + 1] ?? 0) << 8)
}

function fileOffsetOf(piece: Piece, index: number): number {
  return piece.offset + index * piece.characterBytes
}

/** Stories are consecutive. Text beyond the last story belongs to the body. */
function createStoryFinder({ header }: WordFile): (position: number) => Story {
  const ends: [end: number, story: Story][] = []
  let end = 0
  for (const [story, characters] of Object.entries(header.stories) as [Story, number][]) {
    end += characters
    if (characters > 0) ends.push([end, story])
  }
  return (position) => ends.find(([before]) => position < before)?.[1] ?? 'body'
}

/** Decodes a run of characters without tracked deletions. */
function decodeRun(word: WordFile, piece: Piece, { from, to }: { from: number; to: number }): string {
  const decode = (start: number, end: number): string => {
    const bytes = word.text.subarray(start, end)
    return piece.characterBytes === 2 ? bytes.toString('utf16le') : decodeBytes(bytes, word.codePage)
  }
  const start = fileOffsetOf(piece, from)
  const end = fileOffsetOf(piece, to)
  let text = ''
  let at = start
  for (const run of findOverlappingRuns(word.deleted, start, end)) {
    if (run.start > at) text += decode(at, run.start)
    at = Math.max(at, run.end)
  }
  return at < end ? text + decode(at, end) : text
}

function findOverlappingRuns(runs: readonly FormattedRun[], start: number, end: number): readonly FormattedRun[] {
  if (runs.length === 0) return []
  let low = 0
  let high = runs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((runs[middle]?.end ?? 0) <= start) low = middle + 1
    else high = middle
  }
  let last = low
  while (last < runs.length && (runs[last]?.start ?? end) < end) last += 1
  return runs.slice(low, last)
}
