import { ITEM_MARK } from '../../markup/block-marks.ts'
import { type Entry, trimSpan } from './entry.ts'
import { labelOf } from './read-pairs.ts'
import type { Line } from './split-cells.ts'

const HEADING = /^\s*(?:#{1,6}\s+|\d+(?:\.\d+)*[.)]?\s+)?/u
const BULLET = new RegExp(String.raw`^\s*${ITEM_MARK}\s+\S`, 'u')
/** `3. Action items` above a list with other marks is no item itself. */
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
  return lines.flatMap((line, row): Entry[] => {
    const label = line.cells.length === 1 ? line.cells[0] : undefined
    if (label === undefined || !isBlank(lines[row - 1])) return []
    const isHeading = NUMBERED.test(label.text) && MARKED.test(lines[row + 1]?.text ?? '')
    if (!looksLikeLabel(isHeading ? label.text.replace(HEADING, '') : label.text)) return []
    const isApart = isBlank(lines[row + 1])
    const place = readBelow(text, lines, isApart ? row + 2 : row + 1)
    if (place === null) return []
    const trust = isApart ? TRUST.heading : TRUST.stacked
    return [{ label: label.text.replace(HEADING, ''), besides: '', ...place, trust }]
  })
}

/** The value that begins in a line: its first cell, or all of a list; `null` where there is none. */
function readBelow(
  text: string,
  lines: readonly Line[],
  row: number,
): Pick<Entry, 'start' | 'end' | 'blockEnd'> | null {
  const line = lines[row]
  const value = line?.cells[0]
  const end = lastOfBlock(lines, row)
  if (line === undefined || value === undefined || end === null) return null
  const isList = BULLET.test(line.text)
  if (!isList && labelOf(value) !== null) return null
  const block = trimSpan(text, line.start, end)
  if (block === null) return null
  return { start: isList ? line.start : value.start, end: isList ? block.end : value.end, blockEnd: block.end }
}

function isBlank(line: Line | undefined): boolean {
  return line === undefined || line.text.trim() === ''
}

function looksLikeLabel(text: string): boolean {
  const words = text.replace(HEADING, '')
  if (words.length > MAX_LABEL_CHARACTERS || words.split(/\s+/).length > MAX_LABEL_WORDS) return false
  return /^[\p{L}§]/u.test(words) && !/[.,;!?]$/.test(words) && !BULLET.test(text)
}

/** The end of the lines from `row` to the next blank one; items of one list may stand apart. */
function lastOfBlock(lines: readonly Line[], row: number): number | null {
  const first = lines[row]
  if (first === undefined || isBlank(first) || /^\s*#/.test(first.text)) return null
  const isList = BULLET.test(first.text)
  let end = first.end
  for (const [index, line] of lines.slice(row + 1).entries()) {
    const next = lines[row + index + 2]
    if (isBlank(line) && isList && next !== undefined && BULLET.test(next.text)) continue
    if (isBlank(line) || (!isList && line.cells.some((cell) => labelOf(cell) !== null))) break
    end = line.end
  }
  return end
}
