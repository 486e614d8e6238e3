import { ITEM_MARK } from '../../engine/markup.ts'
import { type Entry, type Span, trimSpan } from './entry.ts'
import { CHECK_BOX, type Line, SENTENCE_END, TIGHT_COLON } from './split-cells.ts'

/** `Label: value` with optional list, heading and emphasis marks; excludes `14:35` and URLs. */
const LABEL_WITH_COLON = new RegExp(
  String.raw`^([\s*_>•#-]*)(?![\s*_>•#-])([^:：\n]{1,80}?)[\s*_]*(?:${TIGHT_COLON}[*_]*|:[*_]*(?=\s|$))`,
  'u',
)
const MAX_LABEL_WORDS = 9
const BEFORE_LABEL = new RegExp(`^.*${SENTENCE_END}`, 'u')
/** `2022 – present: Analyst` */
const YEAR_RANGE = /^\d{4}\s?[–—-]/
const TRUST = { pair: 1, below: 0.9 } as const
/** Meanings of labels that are question words: `Wann: Samstag, 20. Juni 2026`. */
const QUESTION_WORDS: ReadonlyMap<string, string> = new Map(
  [
    { meaning: 'date', labels: 'when wann quand cuándo quando' },
    { meaning: 'place', labels: 'where wo où dónde dove onde' },
  ].flatMap(({ meaning, labels }) => labels.split(' ').map((label) => [label, meaning] as const)),
)

/**
 * Reads `label: value` pairs. The value follows the colon, is in the next cell, or is in the lines
 * below.
 */
export function readPairs(text: string, lines: readonly Line[]): Entry[] {
  return lines.flatMap((line, row) =>
    line.cells.flatMap((cell, column): Entry[] => {
      const label = readLabel(cell)
      if (label === null) return []
      const inside = trimSpan(text, label.end, cell.end)
      const next = line.cells[column + 1]
      // A line of labels alone is the head of columns.
      if (inside === null && line.cells.length > 1 && (next === undefined || readLabel(next) !== null)) return []
      const value = inside ?? next ?? null
      if (value === null) return readValueBelow(text, lines, { row, label: label.text })
      const end = CHECK_BOX.test(value.text) ? (line.cells.at(-1)?.end ?? value.end) : value.end
      const blockEnd = Math.max(end, findContinuationEnd(lines, row, value))
      const contextLabel = QUESTION_WORDS.get(label.text.toLowerCase()) ?? ''
      return [{ label: label.text, contextLabel, start: value.start, end, blockEnd, trust: TRUST.pair }]
    }),
  )
}

/** Returns the label at the start of a cell with its end after the colon; `null` for none. */
export function readLabel(cell: Span): { text: string; end: number } | null {
  const match = LABEL_WITH_COLON.exec(cell.text)
  const [whole = '', , before = ''] = match ?? []
  const label = before.replace(BEFORE_LABEL, '')
  if (match === null || !/\p{L}/u.test(label) || YEAR_RANGE.test(label)) return null
  if (label.split(/\s+/).length > MAX_LABEL_WORDS) return null
  return { text: label, end: cell.start + whole.length }
}

/**
 * A label at the end of its line: the value is the next block of lines, even after a blank line.
 */
function readValueBelow(text: string, lines: readonly Line[], { row, label }: { row: number; label: string }): Entry[] {
  const isBlank = (index: number): boolean => (lines[index]?.text.trim() ?? '') === ''
  const first = isBlank(row + 1) ? row + 2 : row + 1
  let last = first
  while (
    last + 1 < lines.length &&
    !isBlank(last + 1) &&
    lines[last + 1]?.cells.every((cell) => readLabel(cell) === null)
  )
    last += 1
  const value = lines[first]?.cells[0]
  const end = lines[last]?.end
  if (value === undefined || end === undefined || readLabel(value) !== null) return []
  const block = trimSpan(text, value.start, end)
  return [
    {
      label,
      contextLabel: '',
      start: value.start,
      end: value.end,
      blockEnd: block?.end ?? value.end,
      trust: TRUST.below,
    },
  ]
}

/** Returns the end of a value that continues in lines with the same indentation. */
function findContinuationEnd(lines: readonly Line[], row: number, value: Span): number {
  const indent = value.start - (lines[row]?.start ?? 0)
  let end = value.end
  for (const line of lines.slice(row + 1)) {
    const only = line.cells.length === 1 ? line.cells[0] : undefined
    if (only === undefined || readLabel(only) !== null || Math.abs(only.start - line.start - indent) > 1 || indent < 3)
      break
    end = only.end
  }
  return end
}

const HEADING = /^\s*(?:#{1,6}\s+)?(?:\d+(?:\.\d+)*[.)]?\s+)?/u
const BULLET = new RegExp(String.raw`^\s*${ITEM_MARK}\s+\S`, 'u')
/** `3. Action items` above a list with other marks is a heading, not an item. */
const NUMBERED = /^\s*\d{1,3}[.)]\s+\S/
const MARKED = /^\s*[-*+•‣◦▪·–—]\s+\S/
const MAX_LABEL_CHARACTERS = 48
const MAX_STACKED_LABEL_WORDS = 6
const STACKED_TRUST = { stacked: 0.9, heading: 0.85 } as const

/**
 * Reads values below their label: a short line at the start of a paragraph, or a heading over a
 * list or paragraph. The caller decides by the words if the line is a label.
 */
export function readStacked(text: string, lines: readonly Line[]): Entry[] {
  const ends = {
    numbered: findListEnds(lines, isItem),
    marked: findListEnds(lines, (some, row) => isItem(some, row) && !isListHeading(some, row)),
  }
  return lines.flatMap((line, row): Entry[] => {
    const label = line.cells.length === 1 ? line.cells[0] : undefined
    if (label === undefined || !isBlank(lines[row - 1])) return []
    if (!looksLikeLabel(isListHeading(lines, row) ? label.text.replace(HEADING, '') : label.text)) return []
    const isApart = isBlank(lines[row + 1])
    const place = readStackedValue(text, { lines, ends }, isApart ? row + 2 : row + 1)
    if (place === null) return []
    const trust = isApart ? STACKED_TRUST.heading : STACKED_TRUST.stacked
    return [{ label: label.text.replace(HEADING, ''), contextLabel: '', ...place, trust }]
  })
}

/** Lines, and for each line the end of the numbered or bulleted list that starts there. */
type Block = { lines: readonly Line[]; ends: Record<'numbered' | 'marked', readonly number[]> }

/** Returns the value that starts at `row`: the first cell, or a whole list; `null` for none. */
function readStackedValue(text: string, block: Block, row: number): Pick<Entry, 'start' | 'end' | 'blockEnd'> | null {
  const line = block.lines[row]
  const value = line?.cells[0]
  const end = findBlockEnd(block, row)
  if (line === undefined || value === undefined || end === null) return null
  const isList = BULLET.test(line.text)
  if (!isList && readLabel(value) !== null) return null
  const whole = trimSpan(text, line.start, end)
  if (whole === null) return null
  return { start: isList ? line.start : value.start, end: isList ? whole.end : value.end, blockEnd: whole.end }
}

function isBlank(line: Line | undefined): boolean {
  return line === undefined || line.text.trim() === ''
}

function looksLikeLabel(text: string): boolean {
  const words = text.replace(HEADING, '')
  if (words.length > MAX_LABEL_CHARACTERS || words.split(/\s+/).length > MAX_STACKED_LABEL_WORDS) return false
  return /^[\p{L}§]/u.test(words) && !/[.,;!?]$/.test(words) && !BULLET.test(text)
}

/**
 * Returns the end of the block that starts at `row`: the next blank line, or the end of the list.
 */
function findBlockEnd({ lines, ends }: Block, row: number): number | null {
  const first = lines[row]
  if (first === undefined || isBlank(first) || /^\s*#/.test(first.text)) return null
  if (isItem(lines, row)) return (MARKED.test(first.text) ? ends.marked : ends.numbered)[row] ?? first.end
  let last = row
  while (!isBlank(lines[last + 1]) && lines[last + 1]?.cells.every((cell) => readLabel(cell) === null)) last += 1
  return lines[last]?.end ?? first.end
}

/**
 * For each line, the end of its list: a blank line, unless the list continues after the blank line.
 */
function findListEnds(lines: readonly Line[], continues: (lines: readonly Line[], row: number) => boolean): number[] {
  const ends = lines.map(({ end }) => end)
  for (let row = lines.length - 2; row >= 0; row--) {
    const isApart = isBlank(lines[row + 1])
    const next = isApart ? row + 2 : row + 1
    if (!isApart || continues(lines, next)) ends[row] = ends[next] ?? ends[row] ?? 0
  }
  return ends
}

function isItem(lines: readonly Line[], row: number): boolean {
  return BULLET.test(lines[row]?.text ?? '')
}

function isListHeading(lines: readonly Line[], row: number): boolean {
  return NUMBERED.test(lines[row]?.text ?? '') && MARKED.test(lines[row + 1]?.text ?? '')
}
