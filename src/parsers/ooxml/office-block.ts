import type { Block, PageReceipt, ParseEvent } from '../parse-event.ts'
import { cutText } from '../text/block-reader.ts'

/** No block is longer, in UTF-16 code units, as with the text formats. */
const MAX_BLOCK_CHARACTERS = 8000

/** A paragraph, `null` when the text is white space. */
export function paragraphOf(text: string): Block | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : { text: `${trimmed}\n\n`, kind: 'paragraph' }
}

/** A heading of that level (from 1), `null` when the text is white space. */
export function headingOf(text: string, level: number): Block | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  return { text: `${trimmed}\n\n`, kind: 'heading', level, heading: trimmed.replace(/\s+/g, ' ') }
}

/** An item of a list with its number, or with none. */
export function listItemOf(text: string): Block | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : { text: `${trimmed}\n`, kind: 'list-item' }
}

/** A row of a table, its cells parted by bars, without the empty ones at its end; `null` when all are empty. */
export function rowOf(cells: readonly string[], kind: 'table-header' | 'table-row' = 'table-row'): Block | null {
  const trimmed = cells.map((cell) => cell.trim())
  const last = trimmed.findLastIndex((cell) => cell !== '')
  if (last < 0) return null
  return { text: `${trimmed.slice(0, last + 1).join(' | ')}\n`, kind }
}

/** The rows a table begins with, those that have text. */
export function tableOf(rows: readonly (Block | null)[]): Block[] {
  const [first, ...others] = rows.filter((row) => row !== null)
  return first === undefined ? [] : [{ ...first, beginsTable: true }, ...others]
}

/** The block in pieces that are short enough; a chunk of it may go on from one to the next. */
export function* cutBlock(block: Block): Generator<Block> {
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

/** The pieces of those blocks that are there, in their order. */
export function cutBlocks(blocks: readonly (Block | null)[]): Block[] {
  return blocks.flatMap((block) => (block === null ? [] : [...cutBlock(block)]))
}

/** True for a row whose cells read like the names of columns: all short words, more than one, none a number. */
export function looksLikeHeader(cells: readonly string[]): boolean {
  const isName = (cell: string) => cell.length <= 80 && /\p{L}/u.test(cell) && !/^[\s\p{Sc}+-]*[\d.,]+/u.test(cell)
  const filled = cells.filter((cell) => cell.trim() !== '')
  return filled.length > 1 && filled.length >= cells.length - 1 && filled.every((cell) => isName(cell.trim()))
}

/** Something that stands in a part of its own: its relationship's id says where. */
export type OfficeObject = { kind: 'chart' | 'diagram' | 'embedded'; id: string; page?: number }

/** What a part gives in reading order; objects are read from their own parts when their turn comes. */
export type OfficeEvent = { block: Block } | { object: OfficeObject }

/** Reads a file that stands inside another: its blocks, and warnings. Files inside that one are left out. */
export type ReadEmbedded = (bytes: Buffer) => AsyncIterable<ParseEvent>

/** The receipt of a page whose text was in the file. */
export function receiptOf(page: number, characters: number, message: string | null = null): PageReceipt {
  return { page, method: characters > 0 ? 'text' : 'empty', characters, confidence: null, message }
}
