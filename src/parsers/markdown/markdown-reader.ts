import type { BlockBuffer } from '../text/block-buffer.ts'
import type { BlockReader, Emit } from '../text/block-reader.ts'
import { createLineReader } from '../text/line-reader.ts'
import type { Line } from '../text/line-splitter.ts'
import {
  closesFence,
  getAtxHeading,
  getFence,
  getHtmlHeading,
  getSetextLevel,
  isDelimiterRow,
  isItemStart,
  isRule,
  MAX_HEADING_CHARACTERS,
  stripInlineMarks,
} from './markdown-lines.ts'

/** Where the reader stands between two lines. */
type State = {
  isFirstLine: boolean
  afterBlank: boolean
  /** The fence that is open; `front` inside front matter. */
  fence: string | null
  inTable: boolean
}

/** Longest front matter, in lines: a closing mark that comes later belongs to something else. */
const MAX_FRONT_MATTER_LINES = 200

/**
 * Reads Markdown line by line: headings of both kinds, list items, fenced and indented code, tables with their header,
 * paragraphs, front matter. The text stays as it is, marks and all. Blank lines belong to the block before them.
 */
export function createMarkdownReader(emit: Emit): BlockReader {
  const state: State = { isFirstLine: true, afterBlank: true, fence: null, inTable: false }
  return createLineReader(emit, (line, buffer) => {
    const isFront = state.fence === 'front'
    readLine(line, buffer, state)
    state.isFirstLine = false
    const title = isFront && state.fence === null ? getFrontTitle(buffer.text) : null
    if (title !== null) emit({ title, over: 'file-name' })
  })
}

/** The title that front matter gives its document, without its quotes; `null` where it gives none. */
function getFrontTitle(front: string): string | null {
  const title = /^title:[ \t]+(\S.*)$/m.exec(front)?.[1]?.trim()
  if (title === undefined || /^[>|&*[{]/.test(title)) return null
  return /^(["'])(.+)\1$/.exec(title)?.[2] ?? title
}

function readLine(line: Line, buffer: BlockBuffer, state: State): void {
  const { text } = line
  if (!line.isStart) {
    buffer.append(text)
  } else if (state.fence !== null) {
    readInsideFence(text, buffer, state)
  } else if (text.trim() === '') {
    buffer.append(text)
    state.afterBlank = true
    state.inTable = false
  } else {
    readContent(text, buffer, state)
  }
}

function readInsideFence(text: string, buffer: BlockBuffer, state: State): void {
  const isFront = state.fence === 'front'
  // A rule at the very top, with a blank line under it, is only that.
  if (isFront && buffer.lines === 1 && text.trim() === '') buffer.relabel({ kind: 'blank' })
  buffer.append(text)
  if (buffer.facts?.kind === 'blank') state.fence = null
  const closes = isFront ? /^(?:---|\.\.\.)\s*$/.test(text) : closesFence(text, state.fence ?? '')
  if (!closes && !(isFront && buffer.lines > MAX_FRONT_MATTER_LINES)) return
  state.fence = null
  state.afterBlank = true
}

/** A line with something on it, outside code: the first rule that knows it decides. */
function readContent(text: string, buffer: BlockBuffer, state: State): void {
  if (startFence(text, buffer, state) || readHeading(text, buffer, state) || readTable(text, buffer, state)) return
  const isInParagraph = !state.afterBlank && buffer.facts?.kind === 'paragraph'
  const isInItem = buffer.facts?.kind === 'list-item'
  if (isRule(text)) {
    buffer.open({ kind: 'blank' })
    buffer.append(text)
    state.afterBlank = true
    return
  }
  if (isItemStart(text, isInParagraph)) buffer.open({ kind: 'list-item' })
  else if (isIndentedCode(text, state, isInItem)) startUnless('code', buffer)
  // What is indented below a list item belongs to it, also after a blank line.
  else if (state.afterBlank && !(isInItem && /^(?: {2}|\t)/.test(text))) buffer.open({ kind: 'paragraph' })
  else if (buffer.facts === null || !CONTINUABLE.has(buffer.facts.kind)) buffer.open({ kind: 'paragraph' })
  buffer.append(text)
  state.afterBlank = false
}

/** Kinds that a line of words goes on with when no blank line stands between. */
const CONTINUABLE: ReadonlySet<string> = new Set(['paragraph', 'list-item'])

function isIndentedCode(text: string, state: State, isInItem: boolean): boolean {
  return state.afterBlank && !isInItem && /^(?: {4}|\t)/.test(text)
}

function startUnless(kind: 'code', buffer: BlockBuffer): void {
  if (buffer.facts?.kind !== kind) buffer.open({ kind })
}

function startFence(text: string, buffer: BlockBuffer, state: State): boolean {
  const fence = state.isFirstLine && /^---\s*$/.test(text) ? 'front' : getFence(text)
  if (fence === null) return false
  buffer.open({ kind: 'code' })
  buffer.append(text)
  state.fence = fence
  state.inTable = false
  return true
}

function readHeading(text: string, buffer: BlockBuffer, state: State): boolean {
  const marked = getAtxHeading(text) ?? getHtmlHeading(text)
  if (marked !== null) {
    buffer.open({ kind: 'heading', ...marked })
    buffer.append(text)
    state.afterBlank = true
    state.inTable = false
    return true
  }
  const level = getSetextLevel(text)
  const isUnderline = level !== null && !state.afterBlank && buffer.facts?.kind === 'paragraph'
  if (!isUnderline || buffer.text.length > MAX_HEADING_CHARACTERS) return false
  const heading = stripInlineMarks(buffer.text.replace(/\s+/g, ' '))
  buffer.append(text)
  buffer.relabel({ kind: 'heading', level, heading })
  state.afterBlank = true
  return true
}

function readTable(text: string, buffer: BlockBuffer, state: State): boolean {
  if (state.inTable) {
    if (getAtxHeading(text) !== null || /^ {0,3}>/.test(text)) {
      state.inTable = false
      return false
    }
    buffer.open({ kind: 'table-row' })
    buffer.append(text)
    state.afterBlank = false
    return true
  }
  if (state.afterBlank || buffer.facts?.kind !== 'paragraph') return false
  if (!isDelimiterRow(text, buffer.lastLine)) return false
  if (buffer.lines > 1) buffer.splitLastLine()
  buffer.append(text)
  buffer.relabel({ kind: 'table-header' })
  state.inTable = true
  return true
}
