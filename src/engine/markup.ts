import type { Span } from './chunking/split-text.ts'

/**
 * A Markdown fence and the text after its mark; `code` in three backticks within a line is none
 * (CommonMark 0.31).
 */
const FENCE = /^[ \t]{0,12}(?:(`{3,})(?=[^`\n]*$)|(~{3,}))(.*)$/gm
const BLANK_ABOVE = /(?:^|\n)[ \t]*\n$/
const BLANK_BELOW = /^(?:\n[ \t]*(?:\n|$)|$)/
/** Enough characters to see whether the next line is blank. */
const REACH_CHARACTERS = 100

type Fence = Span & { mark: string; info: string }

/**
 * Returns the fenced code of a text with its fences, in order; unclosed code extends to the end.
 * Linear in the length of the text.
 */
export function findCode(text: string): Span[] {
  return pairFences(text, listFences(text), null)
}

/** Same for a passage, which may begin within code. */
export function findCodeOfPassage(text: string): Span[] {
  const fences = listFences(text)
  return pairFences(text, fences, findFenceBefore(text, fences))
}

function listFences(text: string): Fence[] {
  return [...text.matchAll(FENCE)].map(({ 0: line, 1: backticks, 2: tildes, 3: info = '', index }) => {
    return { start: index, end: index + line.length, mark: backticks ?? tildes ?? '', info: info.trim() }
  })
}

/** A block ends at a bare fence of the same mark that is at least as long. */
function pairFences(text: string, fences: readonly Fence[], before: Pick<Fence, 'start' | 'mark'> | null): Span[] {
  const spans: Span[] = []
  let open = before
  for (const fence of fences) {
    if (open === null) open = fence
    else if (fence.info === '' && fence.mark.startsWith(open.mark)) {
      spans.push({ start: open.start, end: fence.end })
      open = null
    }
  }
  return open === null ? spans : [...spans, { start: open.start, end: text.length }]
}

/**
 * Returns the missing opening fence of a passage that begins within code. The first fence is then
 * bare, with a blank line only below, or a second opening fence follows. Without such evidence, an
 * odd number of fences decides.
 */
function findFenceBefore(text: string, [first, ...rest]: readonly Fence[]): Pick<Fence, 'start' | 'mark'> | null {
  if (first === undefined || first.info !== '' || first.start === 0) return null
  const isAbove = BLANK_ABOVE.test(text.slice(Math.max(0, first.start - REACH_CHARACTERS), first.start))
  const isBelow = BLANK_BELOW.test(text.slice(first.end, first.end + REACH_CHARACTERS))
  const [next] = rest
  const opensNext = next?.info !== '' && next?.mark.startsWith(first.mark) === true
  const isEnd = opensNext || (isAbove === isBelow ? rest.length % 2 === 0 : isBelow)
  return isEnd ? { start: 0, mark: first.mark } : null
}

/** Longer objects are cut into chunks, or are lists of records. */
const MAX_RECORD_CHARACTERS = 4000
const OBJECT_START = /^[ \t]*\{/gm
const BAR_ROW = /^[ \t]*\|.*\|[ \t]*$/gm
/** A cell in quotation marks between separators, without white space around: a row of CSV. */
const QUOTED_ROW = /^(?:[^\n"]*[,;\t])?"(?:[^"\n]|"")*"(?:[,;\t][^\n]*|(?<=[,;\t]"[^\n]*))$/gm

const SEPARATORS = [';', '\t', ',']
/** A cell of CSV in quotes. */
export const QUOTED_CELL = /"(?:[^"\n]|"")*"/gu
const MIN_CELLS = 3
/** Names of the columns, and two rows. Fewer lines may be prose. */
const MIN_ROWS = 3

/** Three or more lines of a tag and a value: `TTL  Tides of the North`, `AU  - Lee, A.` */
const TAGGED_RECORD = /(?<=^|\n)(?:[A-Z][A-Z0-9]{1,5}(?: {2,8}(?:- )?|\t)\S[^\n]{0,200}(?:\n|$)){3,}/g
/** A longer record is no quote. */
const MAX_TAGGED_CHARACTERS = 600

/**
 * Returns the records of a text, in order: JSON objects without a list of objects, table rows
 * between bars, rows of CSV. Lines with tags are one record. A comma after an object belongs to the
 * object.
 */
export function findRecords(text: string): Span[] {
  const records = findObjects(text)
  const tagged = [...text.matchAll(TAGGED_RECORD)].filter(([lines]) => lines.length <= MAX_TAGGED_CHARACTERS)
  const rows = [...text.matchAll(BAR_ROW), ...text.matchAll(QUOTED_ROW), ...tagged].map((row) => {
    return { start: row.index, end: row.index + row[0].length }
  })
  for (const span of [...rows, ...findValueRows(text)]) {
    if (!records.some((record) => record.start < span.end && span.start < record.end)) records.push(span)
  }
  return records.sort((a, b) => a.start - b.start)
}

/**
 * Finds the rows of CSV: three or more lines with as many cells. A cell may have several sentences.
 */
function findValueRows(text: string): Span[] {
  const rows: Span[] = []
  let block: Span[] = []
  let form: string | null = null
  const close = () => {
    if (form !== null && block.length >= MIN_ROWS) rows.push(...block)
    block = []
  }
  let start = 0
  for (const line of text.split('\n')) {
    const own = formOfValues(line)
    if (own !== form) close()
    form = own
    block.push({ start, end: start + line.length })
    start += line.length + 1
  }
  close()
  return rows
}

/** Returns the separator and the number of cells of a line of CSV; `null` for other text. */
function formOfValues(line: string): string | null {
  const unquoted = line.replace(QUOTED_CELL, '"')
  for (const separator of SEPARATORS) {
    const cells = unquoted.split(separator)
    if (cells.length >= MIN_CELLS)
      return cells.slice(1).some((cell) => cell.startsWith(' ')) ? null : separator + cells.length
  }
  return null
}

function findObjects(text: string): Span[] {
  const objects: Span[] = []
  for (const { 0: start, index } of text.matchAll(OBJECT_START)) {
    const from = index + start.length - 1
    if ((objects.at(-1)?.end ?? 0) > from) continue
    const end = findObjectEnd(text, from)
    if (end !== null && isRecord(text.slice(from, end)))
      objects.push({ start: from, end: text[end] === ',' ? end + 1 : end })
  }
  return objects
}

/** Returns the end of an object that begins at `start`; `null` if it is not closed or too long. */
function findObjectEnd(text: string, start: number): number | null {
  let depth = 0
  let isString = false
  const last = Math.min(text.length, start + MAX_RECORD_CHARACTERS)
  for (let at = start; at < last; at += 1) {
    const character = text[at]
    if (isString && character === '\\') at += 1
    else if (character === '"') isString = !isString
    else if (!isString && character === '{') depth += 1
    else if (!isString && character === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}

/** True for a JSON object without a list of objects. */
function isRecord(text: string): boolean {
  try {
    const values: unknown[] = Object.values(JSON.parse(text) as Record<string, unknown>)
    return !values.some((value) => Array.isArray(value) && value.some((item) => typeof item === 'object'))
  } catch {
    // Code between braces.
    return false
  }
}

/**
 * Mark of a list item, for a pattern with the flag `u`; white space follows. Excludes `z. B.` and
 * `i. e.`.
 */
export const ITEM_MARK = String.raw`(?:[-*+•‣◦▪·–—]|\(?(?:\d{1,3}|\p{Ll})\)|\d{1,3}\.|\p{Ll}\.(?! ?\p{L}\.))`
/** The start of a list item. */
export const LIST_ITEM = new RegExp(String.raw`^${ITEM_MARK}\s`, 'u')

/** Start of a code fence. */
export const FENCE_MARK = '(?:`{3}|~{3})'
