import { type Span, trimSpan } from './entry.ts'

/** A line and its cells, separated by wide gaps, tabs or bars. */
export type Line = Span & { cells: readonly Span[] }

/** Start of a choice with check boxes. All boxes of the choice form a single value. */
export const CHECK_BOX = /^(?:\[[ xX_✓✔]?\]|\([ xX]\)|[☐☑☒□✓✔✗✘])/u
/**
 * A colon that needs no space after: the full-width colon, or any colon after an East Asian letter.
 */
export const TIGHT_COLON = String.raw`(?:：|(?<=[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]):)`
/** End of a sentence within a line. Text before the end is not part of a label. */
export const SENTENCE_END = String.raw`(?:(?<=\p{Ll}{3})(?<!incl|inkl|excl|exkl|zzgl|approx)[.!?]\s+(?=\p{Lu})|。)`
/** Cell separators. In `姓名：张三 性别：男` a label with a full-width colon needs no wide gap before. */
const CELL_SEPARATOR = /\t+| {2,}|\s*\|\s*|[ \u3000](?=[^\s:：|]{1,20}：)/g
/**
 * A further label within a cell that starts with one: `Berth fee: £30. Mooring fee: £18`. After a
 * comma the value before has a digit, since commas also separate the parts of a value.
 */
const NEXT_LABEL = new RegExp(
  String.raw`(?:(?<=\p{L}{2}|[\p{N}\p{Sc}%)])[.;]\s+|(?<=\p{N}[^,]{0,8}),\s+|[。；])` +
    String.raw`(?=\p{L}[^:：.;,。；，\n]{1,40}(?:${TIGHT_COLON}|:\s))`,
  'gu',
)
/** A label with a value. */
const PAIR = new RegExp(String.raw`[\p{L}\p{N})][\s*_]*(?:${TIGHT_COLON}|:(?=\s))[\s*_]*\S`, 'u')
/** Two cells, separated by a wide gap or a bar. */
export const CELL_GAP = /\S(?: {3,}|\t+)\S|\|/
/** The rule line between header and rows of a Markdown table. */
const RULE_LINE = /^[\s|:+=_-]*$/

/** In `Netto   945,81 €` the comma separates no fields. */
const DECIMAL_COMMAS = /^(?:[^,]|(?<=\d),(?=\d{1,3}(?!\d|[.,]\d)))+$/

/** The separator line that Excel writes above the values. */
const SEPARATOR_LINE = /^"?sep=."?\r?$/i

/** Splits a text into lines without line ends. Blank lines and rules have no cells. */
export function splitCells(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const end = start + line.length
    lines.push({ text: line, start, end, cells: RULE_LINE.test(line) ? [] : splitLine(text, start, end) })
    start = end + 1
  }
  return lines
}

function splitLine(text: string, start: number, end: number): Span[] {
  const cells: (Span | null)[] = []
  let from = start
  for (const gap of text.slice(start, end).matchAll(CELL_SEPARATOR)) {
    cells.push(trimSpan(text, from, start + gap.index))
    from = start + gap.index + gap[0].length
  }
  cells.push(trimSpan(text, from, end))
  return cells.filter((cell) => cell !== null).flatMap((cell) => splitPairs(text, cell))
}

/** Splits a cell of several labels with values into one cell for each. */
function splitPairs(text: string, cell: Span): Span[] {
  const parts: (Span | null)[] = []
  let from = cell.start
  for (const gap of cell.text.matchAll(NEXT_LABEL)) {
    const next = cell.start + gap.index
    if (!PAIR.test(text.slice(from, next))) continue
    parts.push(trimSpan(text, from, next))
    from = next + gap[0].length
  }
  parts.push(trimSpan(text, from, cell.end))
  return parts.filter((part) => part !== null)
}

/**
 * Splits CSV text into rows whose cells are the fields. Returns `null` unless all lines have the
 * same number of fields, at least two. Quotes around a field are not part of its cell.
 */
export function splitSeparated(text: string, header: string | null): Line[] | null {
  const lines = splitCells(text).filter((line) => line.text.trim() !== '' && !SEPARATOR_LINE.test(line.text))
  for (const mark of [',', ';', '\t']) {
    const rows = lines.map((line) => ({ ...line, cells: splitFields(text, line, mark) }))
    const fields =
      header === null ? rows[0]?.cells.length : splitFields(header, { start: 0, end: header.length }, mark).length
    const minRows = fields === 2 ? 2 : 1
    const isDecimal = fields === 2 && mark === ',' && lines.every(({ text: line }) => DECIMAL_COMMAS.test(line))
    const isTable =
      !isDecimal && rows.length + (header === null ? 0 : 1) > minRows && fields !== undefined && fields > 1
    if (isTable && rows.every((row) => row.cells.length === fields)) return rows
  }
  return null
}

/** The fields between two offsets of a text; an empty field is a cell without text. */
function splitFields(text: string, { start, end }: { start: number; end: number }, mark: string): Span[] {
  const field = new RegExp(String.raw`"((?:[^"]|"")*)"\s*(?=${mark}|$)|([^${mark}]*)`, 'y')
  const line = text.slice(start, end).replace(/\r$/, '')
  const fields: Span[] = []
  for (let at = 0; at <= line.length; ) {
    const blank = /^ */.exec(line.slice(at))?.[0].length ?? 0
    field.lastIndex = at + blank
    const match = field.exec(line)
    const value = match?.[1] ?? match?.[2]?.trimEnd() ?? ''
    const from = start + at + blank + (match?.[1] === undefined ? 0 : 1)
    fields.push({ text: value, start: from, end: from + value.length })
    at = at + blank + (match?.[0].length ?? 0) + 1
  }
  return fields
}
