import type { Format } from './formats.ts'
import { createJsonScanner } from './json/json-scanner.ts'
import { looksLikeMarkdown } from './markdown/looks-like-markdown.ts'

/**
 * The format of a text by its beginning. The hint of name and declared type is followed where the content allows; JSON and JSON
 * Lines are told apart by the content alone, and a text without a hint is what it looks like, plain text at the least.
 */
export function detectTextFormat(head: string, hint: Format | null): string {
  if (hint !== null && hint.format !== 'json' && hint.format !== 'jsonl') return hint.format
  const shape = getJsonShape(head)
  if (hint !== null) return shape ?? hint.format
  if (shape !== null) return shape
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

/** Whether the beginning of a text is one JSON array or object or several lines of them; `null` when it is neither. */
function getJsonShape(head: string): 'json' | 'jsonl' | null {
  if (!/^\s*[[{]/.test(head)) return null
  const [first = '', ...rest] = head.trimStart().split(/\r\n?|\n/)
  if (rest.some((line) => line.trim() !== '') && isWholeJson(first)) return 'jsonl'
  return createJsonScanner().write(head) === null ? 'json' : null
}

function isWholeJson(line: string): boolean {
  const scanner = createJsonScanner()
  scanner.write(line)
  return scanner.end() === null
}
