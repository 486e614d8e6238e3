import { escapeHtml } from '../text/escape-html.ts'
import type { Analyzer } from './analysis/analyzer.ts'
import type { Token } from './analysis/split-words.ts'
import { groupSpans, type Span, sentenceSpans } from './chunking/split-text.ts'

/** Request for a snippet. */
export type SnippetRequest = {
  text: string
  /** Query terms, from `Analyzer.queryTerms`. */
  terms: readonly string[]
  /** Languages of the memory; a match in any of them counts. */
  languages: readonly string[]
  /** True wraps matches in `<mark>`. */
  highlight: boolean
  /** Maximum number of characters of the text, 300 by default. */
  maxCharacters?: number
}

const MAX_CHARACTERS = 300
/** A further distinct term is worth more than any number of repetitions in 300 characters. */
const DISTINCT_TERM_WORTH = 100

/**
 * Returns the most relevant passage of a text, HTML-escaped, with matches in `<mark>` if requested.
 * Without marks and escapes the passage is a slice of the text, cut at sentence borders if
 * possible, else at word borders. Returns the first passage if nothing matches.
 */
export function makeSnippet(analyzer: Analyzer, request: SnippetRequest): string {
  const { text, terms, languages, highlight } = request
  const matches = analyzer.findTerms(text, terms, languages)
  const { start, end } = trimmed(text, bestPassage(text, matches, request.maxCharacters ?? MAX_CHARACTERS))
  if (!highlight) return escapeHtml(text.slice(start, end))
  let html = ''
  let position = start
  for (const mark of merged(matches.filter((match) => match.start >= start && match.end <= end))) {
    const marked = escapeHtml(text.slice(mark.start, mark.end))
    html += `${escapeHtml(text.slice(position, mark.start))}<mark>${marked}</mark>`
    position = mark.end
  }
  return html + escapeHtml(text.slice(position, end))
}

/** Merges adjacent and overlapping spans: bigrams of one word get one mark. */
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
 * Returns the run of sentences with most terms, the first of equals. `matches` are sorted by start.
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
 * `first` is the index of the first match in the passage. A text may consist of one-word sentences,
 * and each reads only its own matches.
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
