import { type Entry, type Span, trimSpan } from './entry.ts'
import { BOX, type Line, SENTENCE_END, TIGHT_COLON } from './split-cells.ts'

/** `Label: value`, with the marks of lists, headings and emphasis that may stand around it; `14:35` and addresses are none. */
const PAIR = new RegExp(
  String.raw`^([\s*_>•#-]*)(?![\s*_>•#-])([^:：\n]{1,80}?)[\s*_]*(?:${TIGHT_COLON}[*_]*|:[*_]*(?=\s|$))`,
  'u',
)
const MAX_LABEL_WORDS = 9
const BEFORE_LABEL = new RegExp(`^.*${SENTENCE_END}`, 'u')
/** `2022 – present: Analyst` */
const YEARS = /^\d{4}\s?[–—-]/
const TRUST = { pair: 1, below: 0.9 } as const
/** What a label that asks is for: `Wann: Samstag, 20. Juni 2026`. */
const ASKED: ReadonlyMap<string, string> = new Map(
  [
    { meaning: 'date', labels: 'when wann quand cuándo quando' },
    { meaning: 'place', labels: 'where wo où dónde dove onde' },
  ].flatMap(({ meaning, labels }) => labels.split(' ').map((label) => [label, meaning] as const)),
)

/** The entries that a colon makes: the value behind it, in the next cell, or in the lines below. */
export function readPairs(text: string, lines: readonly Line[]): Entry[] {
  return lines.flatMap((line, row) =>
    line.cells.flatMap((cell, column): Entry[] => {
      const label = labelOf(cell)
      if (label === null) return []
      const inside = trimSpan(text, label.end, cell.end)
      const next = line.cells[column + 1]
      // A line of labels alone is the head of columns.
      if (inside === null && line.cells.length > 1 && (next === undefined || labelOf(next) !== null)) return []
      const value = inside ?? next ?? null
      if (value === null) return below(text, lines, row, label.text)
      const end = BOX.test(value.text) ? (line.cells.at(-1)?.end ?? value.end) : value.end
      const blockEnd = Math.max(end, continuationEnd(lines, row, value))
      const besides = ASKED.get(label.text.toLowerCase()) ?? ''
      return [{ label: label.text, besides, start: value.start, end, blockEnd, trust: TRUST.pair }]
    }),
  )
}

/** The label at the beginning of a cell, its end behind the colon; `null` where there is none. */
export function labelOf(cell: Span): { text: string; end: number } | null {
  const match = PAIR.exec(cell.text)
  const [whole = '', , before = ''] = match ?? []
  const label = before.replace(BEFORE_LABEL, '')
  if (match === null || !/\p{L}/u.test(label) || YEARS.test(label)) return null
  if (label.split(/\s+/).length > MAX_LABEL_WORDS) return null
  return { text: label, end: cell.start + whole.length }
}

/** A label that ends its line stands above its value: the block of lines that follows, after a blank line as well. */
function below(text: string, lines: readonly Line[], row: number, label: string): Entry[] {
  const isBlank = (index: number): boolean => (lines[index]?.text.trim() ?? '') === ''
  const first = isBlank(row + 1) ? row + 2 : row + 1
  let last = first
  while (
    last + 1 < lines.length &&
    !isBlank(last + 1) &&
    lines[last + 1]?.cells.every((cell) => labelOf(cell) === null)
  )
    last += 1
  const value = lines[first]?.cells[0]
  const end = lines[last]?.end
  if (value === undefined || end === undefined || labelOf(value) !== null) return []
  const block = trimSpan(text, value.start, end)
  return [
    { label, besides: '', start: value.start, end: value.end, blockEnd: block?.end ?? value.end, trust: TRUST.below },
  ]
}

/** A value goes on in lines that stand right below it and are indented as far. */
function continuationEnd(lines: readonly Line[], row: number, value: Span): number {
  const indent = value.start - (lines[row]?.start ?? 0)
  let end = value.end
  for (const line of lines.slice(row + 1)) {
    const only = line.cells.length === 1 ? line.cells[0] : undefined
    if (only === undefined || labelOf(only) !== null || Math.abs(only.start - line.start - indent) > 1 || indent < 3)
      break
    end = only.end
  }
  return end
}
