import type { Format } from './formats.ts'
import { isEncodedMail, isMail } from './mail/is-mail.ts'
import { createJsonScanner } from './text/json-scanner.ts'
import { looksLikeMarkdown } from './text/markdown-reader.ts'

/**
 * The format of a text by its beginning. The hint of name and declared type is followed where the content allows; JSON and JSON
 * Lines are told apart by the content alone, a mail that is written in ASCII is one also where it is said to be plain text, and a text without a hint is what it looks like, plain text at the least.
 */
export function detectTextFormat(head: string, hint: Format | null): string {
  if (hint?.format === 'html' || hint?.format === 'xml') return detectMarkup(head) ?? hint.format
  if (hint?.format === 'mail') return isMail(head) ? 'mail' : 'txt'
  if ((hint === null || hint.format === 'txt') && isEncodedMail(head)) return 'mail'
  if (hint !== null && hint.format !== 'json' && hint.format !== 'jsonl') return hint.format
  if (/^\s*[[{]/.test(head)) {
    if (isJsonLines(head, hint !== null)) return 'jsonl'
    if (hint?.format !== 'json' && isOneJsonValue(head, hint === null)) return 'json'
  }
  return hint?.format ?? detectUnnamed(head)
}

function detectUnnamed(head: string): string {
  return detectMarkup(head) ?? (looksLikeMarkdown(head) ? 'markdown' : 'txt')
}

/** `html` or `xml` where a text begins as one of them, whatever it is named; a page in XML is a page. `null` for other texts. */
export function detectMarkup(head: string): 'html' | 'xml' | null {
  let rest = head.replace(/^\uFEFF/, '').trimStart()
  let isXml = false
  for (;;) {
    if (/^<(?:!doctype\s+html|(?:\w+:)?html|head|body)\b/i.test(rest)) return 'html'
    const aside = ASIDES.find(({ start }) => start.test(rest))
    const end = aside?.end.exec(rest) ?? null
    if (end === null) return isXml ? 'xml' : null
    isXml ||= rest.startsWith('<?xml')
    rest = rest.slice(end.index + end[0].length).trimStart()
  }
}

/** What may stand before the first element: comments, instructions, a document type with or without declarations of its own. */
const ASIDES: readonly { start: RegExp; end: RegExp }[] = [
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<!doctype[^>[]*\[/i, end: /\]\s*>/ },
  { start: /^<!doctype/i, end: />/ },
]

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
