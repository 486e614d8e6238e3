import { type BlockBuffer, createLineReader } from './block-buffer.ts'
import type { BlockReader, Emit } from './block-reader.ts'
import type { Line } from './line-splitter.ts'

/** Parser state between two lines. */
type State = {
  isFirstLine: boolean
  afterBlank: boolean
  /** The open code fence; `front` inside front matter. */
  fence: string | null
  inTable: boolean
}

/** Maximum length of front matter in lines; a later closing mark belongs to something else. */
const MAX_FRONT_MATTER_LINES = 200

/**
 * Reads Markdown by line: headings of both kinds, list items, fenced and indented code, tables with
 * header, paragraphs, front matter. The text is unchanged, including marks. Blank lines belong to
 * the block before.
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

/** Returns the title in front matter without quotes; `null` for none. */
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
  // `---` at the top, followed by a blank line, is a rule.
  if (isFront && buffer.lines === 1 && text.trim() === '') buffer.relabel({ kind: 'blank' })
  buffer.append(text)
  if (buffer.facts?.kind === 'blank') state.fence = null
  const closes = isFront ? /^(?:---|\.\.\.)\s*$/.test(text) : closesFence(text, state.fence ?? '')
  if (!closes && !(isFront && buffer.lines > MAX_FRONT_MATTER_LINES)) return
  state.fence = null
  state.afterBlank = true
}

/** Handles a non-blank line outside of code; the first matching rule wins. */
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
  else if (isIndentedCode(text, state, isInItem)) openUnlessOpen('code', buffer)
  // Text indented below a list item belongs to the item, also after a blank line.
  else if (state.afterBlank && !(isInItem && /^(?: {2}|\t)/.test(text))) buffer.open({ kind: 'paragraph' })
  else if (buffer.facts === null || !CONTINUABLE_KINDS.has(buffer.facts.kind)) buffer.open({ kind: 'paragraph' })
  buffer.append(text)
  state.afterBlank = false
}

/** Kinds that the next text line continues unless a blank line is between. */
const CONTINUABLE_KINDS: ReadonlySet<string> = new Set(['paragraph', 'list-item'])

function isIndentedCode(text: string, state: State, isInItem: boolean): boolean {
  return state.afterBlank && !isInItem && /^(?: {4}|\t)/.test(text)
}

function openUnlessOpen(kind: 'code', buffer: BlockBuffer): void {
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

/**
 * Rules for single lines, after CommonMark 0.31 and GitHub's tables. Lines may include their line
 * end.
 */

/** Longer lines and paragraphs are never headings. */
const MAX_HEADING_CHARACTERS = 300

/** Returns level and text of an ATX heading (`## Storage ##`); `null` for other lines. */
function getAtxHeading(line: string): { level: number; heading: string } | null {
  const found = line.length > MAX_HEADING_CHARACTERS ? null : /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line.trimEnd())
  if (found === null) return null
  const heading = (found[2] ?? '').replace(/(?<![^ \t])#+$/, '')
  return { level: found[1]?.length ?? 1, heading: stripInlineMarks(heading) }
}

/**
 * Returns level and text of an HTML heading on its own line, as in many README files
 * (`<h1 align="center">Store</h1>`).
 */
function getHtmlHeading(line: string): { level: number; heading: string } | null {
  if (line.length > MAX_HEADING_CHARACTERS) return null
  const found = /^ {0,3}<h([1-6])(?:\s[^<>]*)?>(.*)<\/h\1\s*>$/i.exec(line.trimEnd())
  const heading = stripInlineMarks(found?.[2] ?? '')
  return heading === '' ? null : { level: Number(found?.[1]), heading }
}

/** Strips marks of emphasis, code, links, images and attributes from a heading. */
function stripInlineMarks(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/\{[#.][^{}]*\}$/, '')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/(?<!\\)(?:[*`]+|~~+)|(?<![\w\\])_+|(?<!\\)_+(?!\w)/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim()
}

/** Returns 1 for a line of `===`, 2 for `---`; `null` for other lines. */
function getSetextLevel(line: string): number | null {
  const mark = /^ {0,3}(=+|-+)\s*$/.exec(line)?.[1]
  if (mark === undefined) return null
  return mark.startsWith('=') ? 1 : 2
}

/** Returns the fence that opens a code block, at least three characters; `null` for other lines. */
function getFence(line: string): string | null {
  const found = /^\s{0,12}(`{3,}|~{3,})(.*)$/.exec(line.trimEnd())
  if (found === null || (found[1]?.startsWith('`') && found[2]?.includes('`'))) return null
  return found[1] ?? null
}

/** True if the line closes a code block opened by `fence`. */
function closesFence(line: string, fence: string): boolean {
  const mark = line.trim()
  return mark.length >= fence.length && mark === (fence[0] ?? '').repeat(mark.length)
}

/**
 * True for the bullet or number of a list item. Inside a paragraph, only if CommonMark allows an
 * interruption.
 */
function isItemStart(line: string, isInParagraph: boolean): boolean {
  const found = /^\s{0,20}(?:[-*+]|(\d{1,9})[.)])(?:[ \t]+\S|[ \t]*$)/.exec(line.trimEnd())
  if (found === null || isRule(line)) return false
  return !isInParagraph || (/\S[ \t]+\S/.test(line) && (found[1] === undefined || Number(found[1]) === 1))
}

/** True for a horizontal rule (`---`, `* * *`). */
function isRule(line: string): boolean {
  return /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line.trimEnd())
}

/** True for the delimiter row (`|---|:--:|`) of a table with this header. */
function isDelimiterRow(row: string, header: string): boolean {
  if (!/^\|?\s*:?-+:?(?:\s*\|\s*:?-+:?)*\s*\|?$/.test(row.trim())) return false
  return header.includes('|') && countCells(row) === countCells(header)
}

function countCells(row: string): number {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).length
}

/** Signs of Markdown. A single `#` line may be a comment in a script. */
const MARKDOWN_SIGNS: readonly RegExp[] = [
  /^#{1,6} \S.*$/m,
  /^#{1,6} \S[^\n]*\n(?:[^\n]*\n)*?#{1,6} \S/m,
  /^(?:```|~~~)[\w-]*[ \t]*$/m,
  /^\|?[^\n|]+\|[^\n]+\n {0,3}\|? ?:?-{2,}:? ?\|/m,
  /\[[^\][\n]{1,200}\]\([^()\s]{1,500}\)/,
  /(?<![\w*])\*\*[^*\s][^*\n]*\*\*(?![\w*])/,
  /^\s{0,3}[-*+] \S/m,
  /^> \S/m,
]

/**
 * True if the start of a text is clearly Markdown: a heading and another sign, or three signs, and
 * not the comments of a script.
 */
export function looksLikeMarkdown(text: string): boolean {
  const head = text.slice(0, 16 * 1024).replace(/\r\n?/g, '\n')
  if (head.startsWith('#!') || looksLikeComments(head)) return false
  const signs = MARKDOWN_SIGNS.filter((sign) => sign.test(head)).length
  return signs >= (MARKDOWN_SIGNS[0]?.test(head) ? 2 : 3)
}

/**
 * True for settings and programs: several `# ` lines without deeper headings, mostly directly above
 * other lines, in text that is not prose.
 */
function looksLikeComments(head: string): boolean {
  if (/^#{2,6} \S/m.test(head)) return false
  const all = head.match(/^ {0,3}# \S/gm)?.length ?? 0
  const above = head.match(/^ {0,3}# \S[^\n]*\n(?=[^\n]*\S)/gm)?.length ?? 0
  return all > 1 && above * 2 > all && !isProse(head)
}

/** True if a third of the lines without `# ` end a sentence. */
function isProse(head: string): boolean {
  const lines = head.split('\n').filter((line) => /\S/.test(line) && !/^ {0,3}# /.test(line))
  const sentences = lines.filter((line) => /(?:^|\s)\p{L}{2,}["')\]]?[.!?](?:\s|$)|[。！？]/u.test(line))
  return lines.length > 0 && sentences.length * 3 >= lines.length
}
