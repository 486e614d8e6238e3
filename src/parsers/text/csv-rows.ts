import type { Line } from './line-splitter.ts'

/** A row of a table: its lines as they came, joined. */
export type Row = {
  text: string
  /** True when a quoted field of the row was never closed, and its lines are given out one by one. */
  isBroken: boolean
}

/** A quoted field that goes on for longer is taken for one whose quote is missing: a cell of Excel holds 32,767 characters. */
const MAX_ROW_CHARACTERS = 100_000

/**
 * Puts lines together into rows: a line end inside a quoted field does not end the row. A quote opens a field only at its
 * beginning, so inches and feet in unquoted fields do no harm. A piece of a line longer than the limit is a row of its own.
 */
export function createRowAssembler(delimiter: string, onRow: (row: Row) => void): RowAssembler {
  let lines: string[] = []
  let characters = 0
  let quotes: Quotes = 'field-start'

  function giveOut(isBroken: boolean): void {
    const texts = isBroken ? lines : [lines.join('')]
    lines = []
    characters = 0
    quotes = 'field-start'
    for (const text of texts) onRow({ text, isBroken })
  }

  return {
    add({ text, isEnd }) {
      lines.push(text)
      characters += text.length
      quotes = followQuotes(text, quotes, delimiter)
      const isOpen = quotes === 'quoted'
      if (isEnd && !isOpen) giveOut(false)
      else if (characters > MAX_ROW_CHARACTERS) giveOut(isOpen)
    },
    end() {
      if (lines.length > 0) giveOut(quotes === 'quoted' && lines.length > 1)
    },
  }
}

/** Takes lines in order; `end` gives out what is left. */
export type RowAssembler = { add(line: Line): void; end(): void }

/** Where in a row the reading stands; `quote` is just after a quote inside a quoted field: its end, or the first of two. */
type Quotes = 'field-start' | 'plain' | 'quoted' | 'quote'

function followQuotes(text: string, before: Quotes, delimiter: string): Quotes {
  // Most lines have no quote at all; what they end in matters only where the line goes on.
  if (before !== 'quoted' && before !== 'quote' && !text.includes('"'))
    return text.endsWith(delimiter) ? 'field-start' : 'plain'
  let now = before
  for (const character of text) now = followCharacter(character, now, delimiter)
  return now
}

function followCharacter(character: string, before: Quotes, delimiter: string): Quotes {
  if (before === 'quoted') return character === '"' ? 'quote' : 'quoted'
  if (character === delimiter) return 'field-start'
  if (character === '"') return before === 'plain' ? 'plain' : 'quoted'
  return before === 'field-start' && character === ' ' ? 'field-start' : 'plain'
}

/** The cells of a row, without quotes, line end and the white space around them. */
export function splitCells(row: string, delimiter: string): string[] {
  const text = row.replace(/[\r\n]+$/, '')
  const cells: string[] = []
  let start = 0
  let quotes: Quotes = 'field-start'
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    quotes = followCharacter(character, quotes, delimiter)
    if (character !== delimiter || quotes === 'quoted') continue
    cells.push(unquote(text.slice(start, at)))
    start = at + 1
  }
  cells.push(unquote(text.slice(start)))
  return cells
}

function unquote(cell: string): string {
  const trimmed = cell.trim()
  const inner = /^"([\s\S]*)"$/.exec(trimmed)?.[1]
  return inner === undefined ? trimmed : inner.replaceAll('""', '"').trim()
}
