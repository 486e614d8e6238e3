import type { Format } from './formats.ts'
import { createJsonScanner } from './json/json-scanner.ts'
import { looksLikeMarkdown } from './markdown/looks-like-markdown.ts'

/**
 * The format of a text by its beginning. The hint of name and declared type is followed where the content allows; JSON and JSON
 * Lines are told apart by the content alone, and a text without a hint is what it looks like, plain text at the least.
 */
export function detectTextFormat(head: string, hint: Format | null): string {
  if (hint !== null && hint.format !== 'json' && hint.format !== 'jsonl') return hint.format
  if (/^\s*[[{]/.test(head)) {
    if (isJsonLines(head, hint !== null)) return 'jsonl'
    if (hint?.format !== 'json' && isOneJsonValue(head, hint === null)) return 'json'
  }
  return hint?.format ?? detectUnnamed(head)
}

function detectUnnamed(head: string): string {
  const start = skipComments(head)
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(start)) return 'html'
  if (/^<\?xml\b/.test(start)) return 'xml'
  return looksLikeMarkdown(head) ? 'markdown' : 'txt'
}

function skipComments(text: string): string {
  let rest = text.trimStart()
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->')
    if (end === -1) return ''
    rest = rest.slice(end + 3).trimStart()
  }
  return rest
}

/** True when the first line is a JSON value and more lines follow; where nothing is `said` of JSON, the second must begin like one. */
function isJsonLines(head: string, said: boolean): boolean {
  const [first = '', ...rest] = head.trimStart().split(/\r\n?|\n/)
  const second = rest.find((line) => line.trim() !== '')
  return second !== undefined && (said || /^\s*[[{]/.test(second)) && isWholeJson(first)
}

/** Characters from which on a beginning is taken for one, so that a value need not be whole in it. */
const BEGINNING_CHARACTERS = 15_000

/** True when the text is one JSON value, or the beginning of one; what is cut off in its first line may be a line of many. */
function isOneJsonValue(head: string, mayBeOneLine: boolean): boolean {
  const isBeginning = head.length >= BEGINNING_CHARACTERS && (mayBeOneLine || /[\r\n]\s*\S/.test(head))
  return isWholeJson(head) || (isBeginning && createJsonScanner().write(head) === null)
}

function isWholeJson(text: string): boolean {
  const scanner = createJsonScanner()
  scanner.write(text)
  return scanner.end() === null
}
