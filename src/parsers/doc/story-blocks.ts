import { createListCounters } from '../ooxml/docx/list-counters.ts'
import { cutBlock, headingOf, listItemOf, looksLikeHeader, paragraphOf, rowOf, tableOf } from '../ooxml/office-block.ts'
import type { Block } from '../parse-event.ts'
import { createFieldFilter } from './field-filter.ts'
import type { RawParagraph } from './list-paragraphs.ts'
import { readLists } from './list-tables.ts'
import { getParagraphFacts, type ParagraphFacts } from './paragraph-facts.ts'
import type { WordFile } from './word-file.ts'

/** Turns paragraphs into blocks. */
export type StoryBlocks = {
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
export function createStoryBlocks(word: WordFile): StoryBlocks {
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
      return cutAll(blocks)
    },
    end: () => cutAll(endTable()),
  }
}

function cutAll(blocks: readonly (Block | null)[]): Block[] {
  return blocks.flatMap((block) => (block === null ? [] : [...cutBlock(block)]))
}
