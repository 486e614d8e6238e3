import type { BlockBuffer } from './block-buffer.ts'
import type { BlockReader, Emit } from './block-reader.ts'
import { createLineReader } from './line-reader.ts'
import type { Line } from './line-splitter.ts'
import { getTitleLevel, isListItem } from './text-lines.ts'

/**
 * Reads plain text: paragraphs end with blank lines, which belong to them; list items stand alone; headings are only
 * lines that are underlined, or that stand alone and say so themselves (`Chapter 3`, `4.2 Terms`, `DISCLAIMER`).
 */
export function createTextReader(emit: Emit): BlockReader {
  const state = { afterBlank: true }
  return createLineReader(emit, (line, buffer) => readLine(line, buffer, state))
}

function readLine(line: Line, buffer: BlockBuffer, state: { afterBlank: boolean }): void {
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
  const underlined = getUnderlinedLevel(line.text, buffer, state)
  if (underlined !== null) {
    const heading = buffer.text.trim()
    buffer.append(line.text)
    buffer.relabel({ kind: 'heading', level: underlined, heading })
    state.afterBlank = true
    return
  }
  if (isListItem(line.text)) buffer.open({ kind: 'list-item' })
  else if (state.afterBlank || buffer.facts === null) buffer.open({ kind: 'paragraph' })
  buffer.append(line.text)
  state.afterBlank = false
}

/** The level that a line of `===` or `---` gives the single line above it; `null` when it gives none. */
function getUnderlinedLevel(line: string, buffer: BlockBuffer, state: { afterBlank: boolean }): number | null {
  const mark = /^(=|-)\1{2,}\s*$/.exec(line)?.[1]
  if (mark === undefined || state.afterBlank || buffer.lines !== 1 || buffer.facts?.kind !== 'paragraph') return null
  const title = buffer.text.trim()
  // A rule across the page is no underline: the two are about as long as each other.
  if (title.length > 120 || line.trim().length > title.length * 2 + 2) return null
  return mark === '=' ? 1 : 2
}

/** Makes a single line that stands alone a heading when it is certainly one. */
function labelTitle(buffer: BlockBuffer): void {
  if (buffer.facts?.kind !== 'paragraph' || buffer.lines !== 1) return
  const heading = buffer.text.trim()
  const level = getTitleLevel(heading)
  if (level !== null) buffer.relabel({ kind: 'heading', level, heading })
}
