import type { Block, PageReport, ParseEvent } from '../parse-event.ts'
import { cutText } from '../text/block-reader.ts'

/** Maximum block length in UTF-16 code units, as in the text formats. */
const MAX_BLOCK_CHARACTERS = 8000

/** Creates a paragraph; `null` for white space. */
export function toParagraph(text: string): Block | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : { text: `${trimmed}\n\n`, kind: 'paragraph' }
}

/** Creates a heading (level from 1); `null` for white space. */
export function toHeading(text: string, level: number): Block | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  return { text: `${trimmed}\n\n`, kind: 'heading', level, heading: trimmed.replace(/\s+/g, ' ') }
}

/** Creates a list item, numbered or not; `null` for white space. */
export function toListItem(text: string): Block | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : { text: `${trimmed}\n`, kind: 'list-item' }
}

/**
 * Creates a table row with cells separated by bars, without trailing empty cells; `null` when all
 * cells are empty.
 */
export function toTableRow(cells: readonly string[], kind: 'table-header' | 'table-row' = 'table-row'): Block | null {
  // A line break inside a cell must not break the row.
  const trimmed = cells.map((cell) => cell.trim().replace(/\s*[\n\r\v\u2028]\s*/g, ' '))
  const last = trimmed.findLastIndex((cell) => cell !== '')
  if (last < 0) return null
  return { text: `${trimmed.slice(0, last + 1).join(' | ')}\n`, kind }
}

/** Marks the first non-empty row as the start of a table and drops empty rows. */
export function toTable(rows: readonly (Block | null)[]): Block[] {
  const [first, ...others] = rows.filter((row) => row !== null)
  return first === undefined ? [] : [{ ...first, beginsTable: true }, ...others]
}

/** Splits a block into pieces of limited length. A chunk may span several pieces. */
export function* splitBlock(block: Block): Generator<Block> {
  if (block.text.length <= MAX_BLOCK_CHARACTERS) {
    yield block
    return
  }
  let piece = block
  for (const text of cutText(block.text, MAX_BLOCK_CHARACTERS)) {
    yield { ...piece, text }
    const { beginsTable, ...rest } = piece
    piece = rest
  }
}

/** Splits all non-null blocks, in order. */
export function splitBlocks(blocks: readonly (Block | null)[]): Block[] {
  return blocks.flatMap((block) => (block === null ? [] : [...splitBlock(block)]))
}

/** True for a row that looks like column names: several short texts, none a number. */
export function looksLikeHeader(cells: readonly string[]): boolean {
  const isName = (cell: string) => cell.length <= 80 && /\p{L}/u.test(cell) && !/^[\s\p{Sc}+-]*[\d.,]+/u.test(cell)
  const filled = cells.filter((cell) => cell.trim() !== '')
  return filled.length > 1 && filled.length >= cells.length - 1 && filled.every((cell) => isName(cell.trim()))
}

/** Content of a separate part, found by relationship id. */
export type OfficeObject = {
  /** `imported`: text of another format that belongs to the document (`w:altChunk`). */
  kind: 'chart' | 'diagram' | 'embedded' | 'imported'
  id: string
  page?: number
}

/** Output of a part in reading order. Objects are read from their own parts later. */
export type OfficeEvent = { block: Block } | { object: OfficeObject }

/**
 * Reads an embedded file: blocks and warnings. Files nested deeper are skipped. `imported` is the
 * name of a part whose text belongs to the document; `null` for other files.
 */
export type ReadEmbedded = (bytes: Buffer, imported: string | null) => AsyncIterable<ParseEvent>

/** Creates the report of a page with text from the file. */
export function createPageReport(page: number, characters: number, message: string | null = null): PageReport {
  return { page, method: characters > 0 ? 'text' : 'empty', characters, confidence: null, message }
}

/**
 * Assigns pages to blocks and emits reports between pages. `pages` counts them in a document that
 * marks page ends; `null` for other documents.
 */
export function createPageAssigner(pages: { readonly page: number } | null) {
  const reports = createPageReports()
  let last = 1

  function* assignPages(blocks: readonly Block[]): Generator<ParseEvent> {
    for (const block of blocks) {
      if (pages === null) {
        for (const piece of splitBlock(block)) yield { block: piece }
        continue
      }
      last = Math.max(last, block.page ?? last)
      for (const piece of splitBlock({ ...block, page: last })) {
        for (const page of reports.add(piece)) yield { page }
        yield { block: piece }
      }
    }
  }

  return {
    assignPages,
    *forward(event: ParseEvent): Generator<ParseEvent> {
      if ('block' in event) yield* assignPages([event.block])
      else if (!('page' in event)) yield event
    },
    *end(): Generator<ParseEvent> {
      if (pages === null) return
      for (const page of reports.end(Math.max(last, pages.page))) yield { page }
    },
  }
}

/** Counts the characters of each page, for documents with pages in order. */
type PageReports = {
  /** Adds a block and returns the reports of all earlier pages. */
  add(block: Block): PageReport[]
  /** Returns the remaining reports up to `lastPage`. */
  end(lastPage: number): PageReport[]
}

/** A document that claims more pages is damaged. */
const MAX_PAGES = 100_000

function createPageReports(): PageReports {
  let page = 1
  let characters = 0

  function closePagesBefore(next: number): PageReport[] {
    const reports: PageReport[] = []
    for (; page < Math.min(next, MAX_PAGES); page += 1) {
      reports.push(createPageReport(page, characters))
      characters = 0
    }
    return reports
  }

  return {
    add(block) {
      const reports = closePagesBefore(block.page ?? page)
      characters += block.text.length
      return reports
    },
    end: (lastPage) => closePagesBefore(lastPage + 1),
  }
}
