import { type Span, trimSpan } from './entry.ts'

/** A line of a text and the cells that wide gaps, tabs and bars part it into. */
export type Line = Span & { cells: readonly Span[] }

/** A choice of answers with boxes begins so: all of them are one value. */
export const BOX = /^(?:\[[ xX_✓✔]?\]|\([ xX]\)|[☐☑☒□✓✔✗✘])/u
/** A colon that no space need follow: the wide one, and any behind a letter of East Asia. */
export const TIGHT_COLON = String.raw`(?:：|(?<=[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]):)`
/** Where a sentence ends within a line: what stands before belongs to no label behind it. */
export const SENTENCE_END = String.raw`(?<=\p{Ll}{3})(?<!incl|inkl|excl|exkl|zzgl|approx)[.!?]\s+(?=\p{Lu})`
/** `姓名：张三 性别：男`: a label with a wide colon needs no wide gap before it. */
const GAP = /\t+| {2,}|\s*\|\s*|[ \u3000](?=[^\s:：|]{1,20}：)/g
/** Two cells beside each other, by a gap that no sentence has, or by a bar. */
export const IS_ROW = /\S(?: {3,}|\t+)\S|\|/
/** A line of a Markdown table that only parts its header from its rows. */
const RULE = /^[\s|:+=_-]*$/

/** What Excel wants above the values. */
const SEPARATOR_LINE = /^"?sep=."?\r?$/i

/** The lines of a text in order, without their line ends; a blank one and a rule have no cells. */
export function splitCells(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const end = start + line.length
    lines.push({ text: line, start, end, cells: RULE.test(line) ? [] : cellsOf(text, start, end) })
    start = end + 1
  }
  return lines
}

function cellsOf(text: string, start: number, end: number): Span[] {
  const cells: (Span | null)[] = []
  let from = start
  for (const gap of text.slice(start, end).matchAll(GAP)) {
    cells.push(trimSpan(text, from, start + gap.index))
    from = start + gap.index + gap[0].length
  }
  cells.push(trimSpan(text, from, end))
  return cells.filter((cell) => cell !== null)
}

/**
 * The rows of a text of comma or semicolon separated values, each a line with its fields as cells; `null` where the text is none:
 * every line has to have as many fields as the first, at least two. Quotes around a field do not belong to its cell.
 */
export function splitSeparated(text: string, header: string | null): Line[] | null {
  const lines = splitCells(text).filter((line) => line.text.trim() !== '' && !SEPARATOR_LINE.test(line.text))
  for (const mark of [',', ';', '\t']) {
    const rows = lines.map((line) => ({ ...line, cells: fieldsOf(text, line, mark) }))
    const fields =
      header === null ? rows[0]?.cells.length : fieldsOf(header, { start: 0, end: header.length }, mark).length
    const least = fields === 2 ? 2 : 1
    const isTable = rows.length + (header === null ? 0 : 1) > least && fields !== undefined && fields > 1
    if (isTable && rows.every((row) => row.cells.length === fields)) return rows
  }
  return null
}

/** The fields between two offsets of a text; an empty field is a cell without text. */
function fieldsOf(text: string, { start, end }: { start: number; end: number }, mark: string): Span[] {
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
