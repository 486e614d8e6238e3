import type { BlockBuffer } from './block-buffer.ts'
import type { BlockReader, Emit } from './block-reader.ts'
import { createLineReader } from './line-reader.ts'
import type { Line } from './line-splitter.ts'
import { getMarkedHeading, getTitleLevel, isListItem, isNumberAlone } from './text-lines.ts'

/**
 * Reads plain text: paragraphs end with blank lines, which belong to them; list items stand alone; headings are only
 * lines that are underlined, or marked as wikis and TeX do, or that stand alone and say so themselves (`Chapter 3`, `4.2 Terms`, `DISCLAIMER`).
 */
export function createTextReader(emit: Emit): BlockReader {
  const state: State = { afterBlank: true, underlines: [] }
  return createLineReader(emit, (line, buffer) => readLine(line, buffer, state))
}

/** `underlines`: the marks that underline headings, those of the highest level first. */
type State = { afterBlank: boolean; underlines: string[] }

function readLine(line: Line, buffer: BlockBuffer, state: State): void {
  if (!line.isStart) {
    buffer.append(line.text)
    return
  }
  if (line.text.trim() === '') {
    if (!state.afterBlank) labelTitle(buffer)
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
 * The heading that a line of `===`, or of another mark, makes of the single line above it, over which there may be such a line, too (reStructuredText); `null`
 * when it makes none. Marks are of levels in the order in which they come.
 */
function getUnderlined(line: string, buffer: BlockBuffer, state: State): { level: number; heading: string } | null {
  const rule = /^([=~^*+"-])\1{2,}$/.exec(line.trimEnd())
  if (rule === null || state.afterBlank || buffer.lines > 2 || buffer.facts?.kind !== 'paragraph') return null
  const lines = buffer.text.trim().split(/\r\n?|\n/)
  const heading = (lines.at(-1) ?? '').trim()
  const isOver = lines.length === 2 && lines[0]?.trim() === rule[0]
  if ((lines.length > 1 && !isOver) || !fitsUnder(rule[0], heading)) return null
  const mark = rule[0].charAt(0) + (isOver ? ' over' : '')
  if (!state.underlines.includes(mark)) state.underlines.push(mark)
  return { level: Math.min(state.underlines.indexOf(mark) + 1, MAX_LEVEL), heading }
}

const MAX_LEVEL = 6

/** A rule across the page is no underline: the two are about as long as each other; of marks that also draw other things, no shorter. */
function fitsUnder(rule: string, title: string): boolean {
  if (title.length > 120 || !/[\p{L}\p{N}]/u.test(title)) return false
  return /^[=-]/.test(rule)
    ? rule.length <= title.length * 2 + 2
    : rule.length >= title.length && rule.length <= title.length + 2
}

/** Makes a single line that stands alone a heading when it is certainly one, and so the number of a chapter with its title below it. */
function labelTitle(buffer: BlockBuffer): void {
  if (buffer.facts?.kind !== 'paragraph' || buffer.lines > 2) return
  const [first = '', second] = buffer.text.trim().split(/\r\n?|\n/)
  const level = getTitleLevel(first.trim())
  const isTitle =
    second === undefined || (isNumberAlone(first.trim()) && second.length <= 100 && !/[.,;:!?]$/.test(second))
  if (level === null || !isTitle) return
  buffer.relabel({ kind: 'heading', level, heading: buffer.text.trim().replace(/\s+/g, ' ') })
}
