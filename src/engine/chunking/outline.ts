import type { Block } from '../../parsers/parse-event.ts'

/** Text of a table header, and its start in the extracted text. */
type TableHeader = { text: string; start: number }

/** Position of a block in the structure of a document. */
export type Place = {
  /** Headings above the block, outermost first. */
  path: readonly string[]
  /** Header of the block's table, for a row. */
  header: TableHeader | null
}

/** Tracks the headings and table headers of a document. */
export type Outline = {
  /**
   * Takes the next block, at offset `start`, and returns its position. A heading belongs to its own
   * section.
   */
  place(block: Block, start: number): Place
}

/** Limits for the context that a document adds to each chunk. */
const MAX_HEADING_CHARACTERS = 200
const MAX_HEADER_CHARACTERS = 500
const MAX_DEPTH = 8
/** Separator below the header row of a Markdown table. */
const RULE = /^[\s|:+=-]*$/

/** Creates the outline of one document. */
export function createOutline(): Outline {
  let headings: { level: number; text: string }[] = []
  let path: readonly string[] = []
  let header: TableHeader | null = null
  let isInHeader = false

  function enterHeading(block: Block): void {
    const level = block.level ?? 1
    const text = (block.heading ?? block.text)
      .slice(0, MAX_HEADING_CHARACTERS * 2)
      .replace(/\s+/g, ' ')
      .trim()
    headings = headings.filter((heading) => heading.level < level).slice(1 - MAX_DEPTH)
    if (text !== '') headings.push({ level, text: text.slice(0, MAX_HEADING_CHARACTERS).toWellFormed() })
    path = headings.map((heading) => heading.text)
  }

  function readHeader(block: Block, start: number): void {
    const before = isInHeader && header !== null ? header : { text: '', start }
    const lines = block.text.slice(0, MAX_HEADER_CHARACTERS * 2).split('\n')
    const words = lines.filter((line) => !RULE.test(line)).map((line) => line.trim())
    const text = [before.text, ...words].filter((part) => part !== '').join('\n')
    header = { text: text.slice(0, MAX_HEADER_CHARACTERS).toWellFormed(), start: before.start }
  }

  return {
    place(block, start) {
      if (block.kind === 'blank') return { path, header }
      if (block.kind === 'heading') enterHeading(block)
      if (block.beginsTable) {
        header = null
        isInHeader = false
      }
      if (block.kind === 'table-header') readHeader(block, start)
      else if (block.kind !== 'table-row') header = null
      isInHeader = block.kind === 'table-header'
      return { path, header }
    },
  }
}
