import { type BlockBuffer, createLineReader } from './block-buffer.ts'
import type { BlockReader, Emit } from './block-reader.ts'
import type { Line } from './line-splitter.ts'

/**
 * Reads plain text. Blank lines end paragraphs and belong to them; list items are separate blocks.
 *
 * Headings are underlined lines, lines with wiki or TeX marks, and separate lines that are clearly
 * headings (`Chapter 3`, `4.2 Terms`, `DISCLAIMER`).
 */
export function createTextReader(emit: Emit): BlockReader {
  const state: State = { afterBlank: true, underlines: [] }
  return createLineReader(emit, (line, buffer) => readLine(line, buffer, state))
}

/** `underlines`: underline characters seen, highest level first. */
type State = { afterBlank: boolean; underlines: string[] }

function readLine(line: Line, buffer: BlockBuffer, state: State): void {
  if (!line.isStart) {
    buffer.append(line.text)
    return
  }
  if (line.text.trim() === '') {
    if (!state.afterBlank) markTitle(buffer)
    buffer.append(line.text)
    state.afterBlank = true
    return
  }
  const marked = getMarkedHeading(line.text, state.afterBlank)
  if (marked !== null) buffer.open({ kind: 'heading', ...marked })
  const heading = marked ?? getUnderlined(line.text, buffer, state)
  if (heading !== null) {
    buffer.append(line.text)
    buffer.relabel({ kind: 'heading', ...heading })
    state.afterBlank = true
    return
  }
  if (isListItem(line.text)) buffer.open({ kind: 'list-item' })
  else if (state.afterBlank || buffer.facts === null) buffer.open({ kind: 'paragraph' })
  buffer.append(line.text)
  state.afterBlank = false
}

/**
 * Returns the heading for a line that underlines the line above, as in reStructuredText, optionally
 * with an overline; `null` for none. Levels follow the order of first use.
 */
function getUnderlined(line: string, buffer: BlockBuffer, state: State): { level: number; heading: string } | null {
  const rule = /^([=~^*+"-])\1{2,}$/.exec(line.trimEnd())
  if (rule === null || state.afterBlank || buffer.lines > 2 || buffer.facts?.kind !== 'paragraph') return null
  const lines = buffer.text.trim().split(/\r\n?|\n/)
  const heading = (lines.at(-1) ?? '').trim()
  const isOver = lines.length === 2 && lines[0]?.trim() === rule[0]
  if ((lines.length > 1 && !isOver) || !fitsUnderline(rule[0], heading)) return null
  const mark = rule[0].charAt(0) + (isOver ? ' over' : '')
  if (!state.underlines.includes(mark)) state.underlines.push(mark)
  return { level: Math.min(state.underlines.indexOf(mark) + 1, MAX_LEVEL), heading }
}

const MAX_LEVEL = 6

/**
 * A heading is about as long as its underline, unlike a rule across the page. Characters also used
 * for drawing must match more closely.
 */
function fitsUnderline(rule: string, title: string): boolean {
  if (title.length > 120 || !/[\p{L}\p{N}]/u.test(title)) return false
  return /^[=-]/.test(rule)
    ? rule.length <= title.length * 2 + 2
    : rule.length >= title.length && rule.length <= title.length + 2
}

/**
 * Turns a separate line into a heading if it clearly is one; also a chapter number with its title
 * below.
 */
function markTitle(buffer: BlockBuffer): void {
  if (buffer.facts?.kind !== 'paragraph' || buffer.lines > 2) return
  const [first = '', second] = buffer.text.trim().split(/\r\n?|\n/)
  const level = getTitleLevel(first.trim())
  const isTitle =
    second === undefined || (isNumberAlone(first.trim()) && second.length <= 100 && !/[.,;:!?]$/.test(second))
  if (level === null || !isTitle) return
  buffer.relabel({ kind: 'heading', level, heading: buffer.text.trim().replace(/\s+/g, ' ') })
}

/**
 * Returns the level of a line between blank lines that is clearly a heading; `null` if uncertain.
 */
function getTitleLevel(title: string): number | null {
  if (title.length > MAX_TITLE_CHARACTERS || (/[.,;:!?]$/.test(title) && !isNumberAlone(title))) return null
  const named = /^(chapter|part|book|appendix|annex|section|article)\s+(\d{1,3}|[ivxlc]{1,7}|[a-z])\b/i.exec(title)?.[1]
  if (named !== undefined) return /section|article/i.test(named) ? 2 : 1
  const numbers = /^(\d{1,3}(?:\.\d{1,3})+)\.?\s+\p{Lu}/u.exec(title)?.[1]
  if (numbers !== undefined) return numbers.split('.').length
  return isCapitals(title) ? 2 : null
}

/** True for a chapter number without title, as in old books: `CHAPTER IV.` */
function isNumberAlone(title: string): boolean {
  return /^(?:chapter|part|book|appendix|annex|section|article)\s+(?:\d{1,3}|[ivxlc]{1,7}|[a-z])\.?$/i.test(title)
}

/**
 * Returns the heading of a line with wiki (`== Berths ==`), AsciiDoc (`== Berths` after a blank
 * line) or TeX (`\section{Berths}`) marks; `null` for other lines.
 */
function getMarkedHeading(line: string, afterBlank: boolean): { level: number; heading: string } | null {
  if (line.length > MAX_TITLE_CHARACTERS * 2) return null
  const [, part, name] = /^\\(chapter|(?:sub){0,2}section)\*?(?:\[[^\]]*\])?\{([^{}]+)\}/.exec(line) ?? []
  if (part !== undefined && name !== undefined) return { level: TEX_PARTS.indexOf(part) + 1, heading: name.trim() }
  const [, marks, title, end] = /^(={2,6})[ \t]*([^=\s][^=]*?)[ \t]*(=*)\s*$/.exec(line) ?? []
  if (marks === undefined || title === undefined || title.length > MAX_TITLE_CHARACTERS) return null
  const isMarked =
    end === marks || (end === '' && afterBlank && /^=+[ \t]+\p{L}/u.test(line) && !/[.,;:!?]$/.test(title))
  return isMarked ? { level: marks.length, heading: title } : null
}

const MAX_TITLE_CHARACTERS = 100
const TEX_PARTS: readonly string[] = ['chapter', 'section', 'subsection', 'subsubsection']

/** True for a line with a bullet or number and text. */
function isListItem(line: string): boolean {
  return /^\s{0,12}(?:[-*+•‣▪◦–]|\(?\d{1,3}[.)]|\(?[a-z]\))[ \t]+\S/.test(line)
}

/** True for all-capital words, one with at least four letters. Codes and acronyms do not count. */
function isCapitals(title: string): boolean {
  return /\p{Lu}{4}/u.test(title) && !/[\p{Ll}\d{}<>=|\\/_$#@*]/u.test(title)
}

/**
 * Reads logs: each line is a record. Continuation lines stay with their record: indented lines,
 * stack traces (`Caused by:`), and lines without time stamp after a record with time stamp.
 */
export function createLogReader(emit: Emit): BlockReader {
  const state = { isStamped: false }
  return createLineReader(emit, (line, buffer) => readLogLine(line, buffer, state))
}

/**
 * Maximum record length that lines without time stamp are appended to: about 40 lines of a stack
 * trace.
 */
const MAX_RECORD_CHARACTERS = 4000

function readLogLine(line: Line, buffer: BlockBuffer, state: { isStamped: boolean }): void {
  const isBlank = line.text.trim() === ''
  const goesOn = buffer.facts?.kind === 'record' && continues(line.text, buffer, state.isStamped)
  if (line.isStart && !isBlank && !goesOn) {
    state.isStamped = hasTimeStamp(line.text)
    buffer.open({ kind: 'record' })
  }
  buffer.append(line.text)
}

function continues(line: string, buffer: BlockBuffer, isStamped: boolean): boolean {
  if (buffer.text.length > MAX_RECORD_CHARACTERS) return false
  if (/^(?:\s|at |Caused by:|Suppressed:|Traceback |\.\.\. \d+ more|[})\]])/.test(line)) return true
  return isStamped && !hasTimeStamp(line)
}

/**
 * A date, a time, a syslog stamp or epoch seconds near the start of a line, colour codes and
 * brackets aside.
 */
function hasTimeStamp(line: string): boolean {
  const start = line.slice(0, 120)
  return (
    /\d{4}[-/.]\d{2}[-/.]\d{2}/.test(start) ||
    /\d{1,2}:\d{2}:\d{2}/.test(start) ||
    /^(?:<\d+>)?[A-Z][a-z]{2} [ \d]\d /.test(start) ||
    /^\[?\s*\d{10,13}\b/.test(start) ||
    /\d{1,2}\/[A-Z][a-z]{2}\/\d{4}/.test(start)
  )
}
