import { ITEM_MARK } from '../../engine/markup/block-marks.ts'
import { type Entry, trimSpan } from './entry.ts'
import { labelOf } from './read-pairs.ts'
import type { Line } from './split-cells.ts'

const HEADING = /^\s*(?:#{1,6}\s+)?(?:\d+(?:\.\d+)*[.)]?\s+)?/u
const BULLET = new RegExp(String.raw`^\s*${ITEM_MARK}\s+\S`, 'u')
/** `3. Action items` above a list with other marks is no item itself, nor of the list before it. */
const NUMBERED = /^\s*\d{1,3}[.)]\s+\S/
const MARKED = /^\s*[-*+•‣◦▪·–—]\s+\S/
const MAX_LABEL_CHARACTERS = 48
const MAX_LABEL_WORDS = 6
const TRUST = { stacked: 0.9, heading: 0.85 } as const

/**
 * The entries that stand below their label: a short line at the beginning of a paragraph, and a heading over a list or a
 * paragraph. Whether the line is a label at all only the one who asks can tell, by its words.
 */
export function readStacked(text: string, lines: readonly Line[]): Entry[] {
  const ends = {
    numbered: endsOfLists(lines, isItem),
    marked: endsOfLists(lines, (some, row) => isItem(some, row) && !isListHeading(some, row)),
  }
  return lines.flatMap((line, row): Entry[] => {
    const label = line.cells.length === 1 ? line.cells[0] : undefined
    if (label === undefined || !isBlank(lines[row - 1])) return []
    if (!looksLikeLabel(isListHeading(lines, row) ? label.text.replace(HEADING, '') : label.text)) return []
    const isApart = isBlank(lines[row + 1])
    const place = readBelow(text, { lines, ends }, isApart ? row + 2 : row + 1)
    if (place === null) return []
    const trust = isApart ? TRUST.heading : TRUST.stacked
    return [{ label: label.text.replace(HEADING, ''), besides: '', ...place, trust }]
  })
}

/** Lines, and where the lists of numbered and of marked items end that begin in them. */
type Block = { lines: readonly Line[]; ends: Record<'numbered' | 'marked', readonly number[]> }

/** The value that begins in a line: its first cell, or all of a list; `null` where there is none. */
function readBelow(text: string, block: Block, row: number): Pick<Entry, 'start' | 'end' | 'blockEnd'> | null {
  const line = block.lines[row]
  const value = line?.cells[0]
  const end = lastOfBlock(block, row)
  if (line === undefined || value === undefined || end === null) return null
  const isList = BULLET.test(line.text)
  if (!isList && labelOf(value) !== null) return null
  const whole = trimSpan(text, line.start, end)
  if (whole === null) return null
  return { start: isList ? line.start : value.start, end: isList ? whole.end : value.end, blockEnd: whole.end }
}

function isBlank(line: Line | undefined): boolean {
  return line === undefined || line.text.trim() === ''
}

function looksLikeLabel(text: string): boolean {
  const words = text.replace(HEADING, '')
  if (words.length > MAX_LABEL_CHARACTERS || words.split(/\s+/).length > MAX_LABEL_WORDS) return false
  return /^[\p{L}§]/u.test(words) && !/[.,;!?]$/.test(words) && !BULLET.test(text)
}

/** The end of the lines from `row` to the next blank one, or of the list that begins there. */
function lastOfBlock({ lines, ends }: Block, row: number): number | null {
  const first = lines[row]
  if (first === undefined || isBlank(first) || /^\s*#/.test(first.text)) return null
  if (isItem(lines, row)) return (MARKED.test(first.text) ? ends.marked : ends.numbered)[row] ?? first.end
  let last = row
  while (!isBlank(lines[last + 1]) && lines[last + 1]?.cells.every((cell) => labelOf(cell) === null)) last += 1
  return lines[last]?.end ?? first.end
}

/** Where a list ends of which a line is part: at a blank line, unless it goes on below that. */
function endsOfLists(lines: readonly Line[], goesOn: (lines: readonly Line[], row: number) => boolean): number[] {
  const ends = lines.map(({ end }) => end)
  for (let row = lines.length - 2; row >= 0; row--) {
    const isApart = isBlank(lines[row + 1])
    const next = isApart ? row + 2 : row + 1
    if (!isApart || goesOn(lines, next)) ends[row] = ends[next] ?? ends[row] ?? 0
  }
  return ends
}

function isItem(lines: readonly Line[], row: number): boolean {
  return BULLET.test(lines[row]?.text ?? '')
}

function isListHeading(lines: readonly Line[], row: number): boolean {
  return NUMBERED.test(lines[row]?.text ?? '') && MARKED.test(lines[row + 1]?.text ?? '')
}
