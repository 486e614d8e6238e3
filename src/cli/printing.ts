import type { Warning } from '../client/resources.ts'
import { unescapeHtml } from '../text/escape-html.ts'
import type { CliContext } from './cli-context.ts'

/**
 * Control characters and direction overrides, which a terminal would execute.
 */
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Untrusted text on one line, without terminal control characters. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(UNSAFE, '·').trim()
}

/** Characters of a name in a table or a message. */
const NAME_CHARACTERS = 60

/** Untrusted name on one line; a long one loses its end. */
export function shorten(name: string): string {
  const line = oneLine(name)
  return line.length > NAME_CHARACTERS ? `${line.slice(0, NAME_CHARACTERS - 1).toWellFormed()}…` : line
}

/** Untrusted text or a part of it, with line ends and tabs kept. */
export function manyLines(text: string): string {
  return text.replace(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : '·'))
}

/** A snippet of a hit on one line: unescaped, with bold matches if `isBold`. */
export function plainSnippet(snippet: string, isBold: boolean): string {
  const marked = snippet.split(/(<\/?mark>)/).map((piece) => {
    if (piece === '<mark>') return isBold ? '\u001b[1m' : ''
    if (piece === '</mark>') return isBold ? '\u001b[22m' : ''
    return unescapeHtml(piece).replace(/\s+/g, ' ').replace(UNSAFE, '·')
  })
  return marked.join('').trim()
}

/** Title of the document and, if any, page of a passage. */
export function describePlace({ title, page }: { title: string; page: number | null }): string {
  return page === null ? oneLine(title) : `${oneLine(title)}, page ${page}`
}

/** A readable time in UTC. */
export function shortTime(time: string | null): string {
  return time?.slice(0, 16).replace('T', ' ') ?? '-'
}

/** An answer of the service as JSON, for scripts. */
export function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/**
 * A table of text with a header and aligned columns; the last column is not padded. Ends with a
 * newline.
 */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const lines = [header, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

/** Names and values, a line each; `null` values are omitted. */
export function textFields(fields: Readonly<Record<string, string | number | null>>): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== null)
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('')
}

/** Reports how many items of all are shown, if there are more. */
export function writeRest(
  { writeError }: Pick<CliContext, 'writeError'>,
  shown: number,
  { hasMore, total }: { hasMore: boolean; total: number },
): void {
  if (hasMore) writeError(`These are ${shown} of ${total}.\n`)
}

/** Writes the warnings of an answer to standard error. */
export function writeWarnings({ writeError }: Pick<CliContext, 'writeError'>, warnings: readonly Warning[]): void {
  for (const { message } of warnings) writeError(`Note: ${oneLine(message)}\n`)
}
