import type { Warning } from '../client/resources.ts'
import { unescapeHtml } from '../text/escape-html.ts'
import type { Surroundings } from './surroundings.ts'

/** Control characters, and those that turn the direction of what follows: a terminal obeys them, whoever wrote them. */
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Text of a document or a name, on one line and without what a terminal would obey. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(UNSAFE, '·').trim()
}

/** The same with its line ends and tabs kept; also for a piece of a text. */
export function manyLines(text: string): string {
  return text.replace(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : '·'))
}

/** A snippet of a hit on one line: unescaped, its matches bold where `isBold`. */
export function plainSnippet(snippet: string, isBold: boolean): string {
  const marked = snippet.split(/(<\/?mark>)/).map((piece) => {
    if (piece === '<mark>') return isBold ? '\u001b[1m' : ''
    if (piece === '</mark>') return isBold ? '\u001b[22m' : ''
    return unescapeHtml(piece).replace(/\s+/g, ' ').replace(UNSAFE, '·')
  })
  return marked.join('').trim()
}

/** Where a passage stands: its document's title and, where it has some, its page. */
export function describePlace({ title, page }: { title: string; page: number | null }): string {
  return page === null ? oneLine(title) : `${oneLine(title)}, page ${page}`
}

/** A time as people read it, in UTC. */
export function shortTime(time: string | null): string {
  return time?.slice(0, 16).replace('T', ' ') ?? '-'
}

/** An answer of the service as it is, for a script. */
export function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Rows of text under a header, in columns of equal width; the last column is as long as it is. Ends with a line end. */
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

/** Names and their values, a line each; what is `null` is left out. */
export function textFields(fields: Readonly<Record<string, string | number | null>>): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== null)
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('')
}

/** Says how many of all are shown, where a list goes on behind what was asked for; nothing where all of it is. */
export function writeRest(
  { writeError }: Pick<Surroundings, 'writeError'>,
  shown: number,
  { hasMore, total }: { hasMore: boolean; total: number },
): void {
  if (hasMore) writeError(`These are ${shown} of ${total}.\n`)
}

/** Says what an answer warns of, where it stands in no one's way. */
export function writeWarnings({ writeError }: Pick<Surroundings, 'writeError'>, warnings: readonly Warning[]): void {
  for (const { message } of warnings) writeError(`Note: ${oneLine(message)}\n`)
}
