import { escapeHtml } from '../text/escape-html.ts'
import type { Analyzer } from './analysis/analyzer.ts'
import type { Token } from './analysis/split-words.ts'
import { groupSpans, type Span, sentenceSpans } from './chunking/split-text.ts'

/** What a snippet is made of. */
export type SnippetRequest = {
  text: string
  /** The query's terms, as `Analyzer.queryTerms` gives them. */
  terms: readonly string[]
  /** Languages of the memory: a word matches when it does in any of them. */
  languages: readonly string[]
  /** True wraps what matches in `<mark>`. */
  highlight: boolean
  /** At most this many characters of the text; 300 when absent. */
  maxCharacters?: number
}

const MAX_CHARACTERS = 300
/**
 * A further word of the query is worth more than many of one: no passage of 300 characters holds
 * more of them.
 */
const DISTINCT_TERM_WORTH = 100

/**
 * The passage of a text that says most about a query, HTML-escaped, with what matches in `<mark>`
 * where that is asked for. Without marks and escapes it is a slice of the text, at sentence borders
 * where they allow, else at word borders; the first passage when nothing matches.
 */
export function makeSnippet(analyzer: Analyzer, request: SnippetRequest): string {
  const { text, terms, languages, highlight } = request
  const matches = analyzer.findTerms(text, terms, languages)
  const { start, end } = trimmed(text, bestPassage(text, matches, request.maxCharacters ?? MAX_CHARACTERS))
  if (!highlight) return escapeHtml(text.slice(start, end))
  let html = ''
  let position = start
  for (const mark of merged(matches.filter((match) => match.start >= start && match.end <= end))) {
    html += `${escapeHtml(text.slice(position, mark.start))}<mark>${escapeHtml(text.slice(mark.start, mark.end))}</mark>`
    position = mark.end
  }
  return html + escapeHtml(text.slice(position, end))
}

/**
 * Spans that touch or overlap made one: the bigrams of one word in a script without spaces are one
 * mark.
 */
function merged(matches: readonly Span[]): Span[] {
  const spans: Span[] = []
  for (const { start, end } of matches) {
    const last = spans.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else spans.push({ start, end })
  }
  return spans
}

/**
 * The run of sentences with the most terms; the earliest of equal ones. `matches` are in order of
 * start.
 */
function bestPassage(text: string, matches: readonly Token[], maxCharacters: number): Span {
  if (text.length <= maxCharacters) return { start: 0, end: text.length }
  const sentences = sentenceSpans(text, maxCharacters)
  let best = groupSpans(sentences, maxCharacters)[0] ?? { start: 0, end: 0 }
  let most = worthOf(best, matches, 0)
  let behind = 0
  for (let first = 0; first < sentences.length; first++) {
    const passage = passageFrom(sentences, first, maxCharacters)
    while ((matches[behind]?.start ?? Number.POSITIVE_INFINITY) < passage.start) behind += 1
    const worth = worthOf(passage, matches, behind)
    if (worth > most) {
      best = passage
      most = worth
    }
  }
  return best
}

function passageFrom(sentences: readonly Span[], first: number, maxCharacters: number): Span {
  const start = sentences[first]?.start ?? 0
  let end = sentences[first]?.end ?? start
  for (let next = first + 1; next < sentences.length; next++) {
    const reach = sentences[next]?.end ?? end
    if (reach - start > maxCharacters) break
    end = reach
  }
  return { start, end }
}

/**
 * `first` is the place of the first match that begins in the passage: a text may be all sentences
 * of one word, and each of them looks at its own matches.
 */
function worthOf(passage: Span, matches: readonly Token[], first: number): number {
  const terms = new Set<string>()
  let count = 0
  for (let index = first; index < matches.length; index++) {
    const match = matches[index]
    if (match === undefined || match.start >= passage.end) break
    if (match.end > passage.end) continue
    terms.add(match.term)
    count += 1
  }
  return terms.size * DISTINCT_TERM_WORTH + Math.min(count, DISTINCT_TERM_WORTH - 1)
}

function trimmed(text: string, { start, end }: Span): Span {
  const raw = text.slice(start, end)
  const from = start + raw.length - raw.trimStart().length
  return { start: from, end: Math.max(from, from + raw.trim().length) }
}
