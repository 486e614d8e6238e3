import { unescapeHtml } from '../../text/escape-html.ts'

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
