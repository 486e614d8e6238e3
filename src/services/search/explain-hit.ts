import type { ExplainedPart, ExplainedTerm, ExplainedTop, HitExplanation } from '../../api/explanation.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { Token } from '../../engine/analysis/split-words.ts'
import { groupSentences } from '../../engine/chunking/split-text.ts'
import { windowCosines } from '../../engine/ranking/scores.ts'
import type { StoredChunk } from '../../memory-file/memory-file.ts'
import type { MatchingCorrection } from './find-corrections.ts'
import type { Question } from './question.ts'
import type { RankedCandidate } from './rank-documents.ts'
import { formatScore, roundScore } from './score-format.ts'

/** Context of the explanations, shared by all hits of a search. */
export type ExplainContext = {
  analyzer: Analyzer
  question: Question
  /** Window size of the memory's embedder; `null` without windows. */
  windowCharacters: number | null
  /** Positions of the question's terms in the query, equal for every hit. */
  asked: TermPositions
}

/** Positions by term: end offsets by start offset. */
type TermPositions = ReadonlyMap<string, ReadonlyMap<number, number>>

/** Creates the context to explain the hits of a search. */
export function createExplainContext(deps: Omit<ExplainContext, 'asked'>): ExplainContext {
  const { query, terms, languages } = deps.question
  return { ...deps, asked: groupTermPositions(deps.analyzer.findTerms(query, terms, languages)) }
}

/**
 * Maximum number of terms per passage: matching ones and a few missing ones. Our choice: a readable
 * passage of 1,000 characters never has more than 100 matching terms.
 */
const MAX_TERMS = { found: 100, missing: 20 } as const
/** Maximum number of words per term, and of characters per word. */
const MAX_WORDS = 5
const MAX_WORD_CHARACTERS = 64

/** Tolerance for sums of the same numbers in a different order. */
const EPSILON = 1e-9

const PART_MESSAGES = {
  runs: 'Character four-grams shared with the query.',
  pairs: 'Words of the query that are close together in the passage.',
  nearlyWords: 'Words similar to the query words: typing errors, prefixes or other forms.',
  title: 'Words of the query in the document title.',
  inText: 'The query word is in the passage itself; other passages only have it in the title.',
  speaker: 'The query names the speaker of the passage.',
  phrase: 'The passage contains the quoted phrase of the query.',
  period: 'The passage has the date or period of the query, in any form.',
  neighbours: 'Boost from adjacent short passages.',
  alike: 'Boost from similar passages of other documents.',
} as const

/** Explains the score of a document's passage. */
export function explainHit(deps: ExplainContext, ranked: RankedCandidate): HitExplanation {
  const explained = [...listParts(ranked), ...listModelPart(ranked)]
  return { ...describe(deps, ranked.candidate.chunk, explained), top: explainTop(ranked) }
}

/** Explains the score of a correction, which starts at the score of the best document. */
export function explainCorrection(
  deps: ExplainContext,
  { candidate, cosine, boost, coverage, strength }: MatchingCorrection,
  { score, best, place, count }: { score: number; best: number; place: number; count: number },
): HitExplanation {
  const likeness = cosine === null ? 'no cosine' : `cosine ${formatScore(cosine)}`
  const why =
    `Rank ${place} of ${count} among corrections with ${formatScore(strength)}: ` +
    `term coverage ${formatScore(coverage)}, ${likeness}, boost ${boost}.`
  const scaled = { raw: null, zero: null, one: null, share: null, weight: null }
  const described = describe(deps, candidate.chunk, [
    { name: 'correction', ...scaled, points: best, message: 'Matching corrections rank before all documents.' },
    { name: 'place', ...scaled, raw: strength, points: score - best, message: why },
  ])
  return { ...described, top: null }
}

function describe(
  explaining: ExplainContext,
  chunk: StoredChunk,
  parts: readonly ExplainedPart[],
): Omit<HitExplanation, 'top'> {
  return {
    summary: summarize(parts),
    parts: parts.map(roundPart),
    terms: explainTerms(explaining, chunk.text),
    window: findBestWindow(explaining.question.vector, chunk, explaining.windowCharacters),
  }
}

function listParts({ scores, parts = [] }: RankedCandidate): ExplainedPart[] {
  return parts
    .filter(({ name, points }) => points > 0 || (name === 'words' && scores.lexical !== null))
    .map(({ name, raw, scale, share, weight, points }): ExplainedPart => {
      const { zero = null, one = null } = scale ?? {}
      const explained = { name, raw, zero, one, share, weight, points }
      if (name !== 'words' && name !== 'meaning') return { ...explained, message: PART_MESSAGES[name] }
      const figure = name === 'words' ? 'Lexical: BM25' : 'Semantic: cosine'
      const ends = `the scale from ${formatScore(zero ?? 0)} to ${formatScore(one ?? 0)} of all matches`
      return { ...explained, message: `${figure} ${formatScore(raw ?? 0)}, which is ${formatScore(share)} on ${ends}.` }
    })
}

/** Contribution of the reranking model; empty without a model, or if the model kept the score. */
function listModelPart({ score, scores, parts = [] }: RankedCandidate): ExplainedPart[] {
  const before = parts.reduce((sum, { points }) => sum + points, 0)
  if (Math.abs(score - before) < EPSILON) return []
  const message =
    scores.rerank === null
      ? 'The reranking model only read the first passages; this passage ranks after them.'
      : `The reranking model changed the score from ${formatScore(before)} to ${formatScore(score)}.`
  const raw = scores.rerank
  const scaled = { zero: null, one: null, share: null, weight: null }
  return [{ name: 'model', raw, ...scaled, points: score - before, message }]
}

const PART_NAMES: Readonly<Record<ExplainedPart['name'], string>> = {
  words: 'lexical match',
  meaning: 'semantic match',
  runs: 'shared four-grams',
  pairs: 'adjacent query words',
  nearlyWords: 'similar words',
  title: 'document title',
  inText: 'word in the passage itself',
  speaker: 'named speaker',
  phrase: 'quoted phrase',
  period: 'date or period',
  neighbours: 'adjacent passages',
  alike: 'similar passages',
  model: 'reranking model',
  correction: 'correction',
  place: 'rank among corrections',
}

function summarize(parts: readonly ExplainedPart[]): string {
  const score = parts.reduce((sum, { points }) => sum + points, 0)
  const given = parts
    .filter(({ points }) => points >= 0.005 || points <= -0.005)
    .sort((a, b) => b.points - a.points)
    .map(({ name, points }) => `${PART_NAMES[name]} ${points.toFixed(2)}`)
  const words = parts.find(({ name, points }) => name === 'words' && points < 0.005)
  // Without the zero entry, the passage would seem to contain no query word.
  const least = words === undefined || words.raw === null ? [] : ['lexical match 0.00, the lowest of all matches']
  const all = [...given, ...least]
  return all.length === 0 ? `${score.toFixed(2)}.` : `${score.toFixed(2)}: ${all.join(', ')}.`
}

function explainTerms({ analyzer, question, asked }: ExplainContext, text: string): ExplainedTerm[] {
  const { query, terms, forms, languages } = question
  const found = groupTermPositions(analyzer.findTerms(text, [...terms, ...forms], languages))
  // Alternative spellings are listed only when found.
  const standing = [...terms, ...forms].filter((term) => found.has(term)).slice(0, MAX_TERMS.found)
  const missing = terms.filter((term) => !found.has(term)).slice(0, MAX_TERMS.missing)
  const shown = new Set([...standing, ...missing])
  return [...terms, ...forms]
    .filter((term) => shown.has(term))
    .map((term) => {
      const places = found.get(term) ?? NO_POSITIONS
      return {
        term,
        asked: listWordsAt(query, asked.get(term) ?? NO_POSITIONS),
        words: listWordsAt(text, places),
        count: places.size,
      }
    })
}

const NO_POSITIONS: ReadonlyMap<number, number> = new Map()

function groupTermPositions(tokens: readonly Token[]): TermPositions {
  const places = new Map<string, Map<number, number>>()
  for (const { term, start, end } of tokens) {
    const own = places.get(term) ?? new Map<number, number>()
    places.set(term, own.set(start, end))
  }
  return places
}

function listWordsAt(text: string, places: ReadonlyMap<number, number>): string[] {
  const words = [...places].map(([start, end]) => text.slice(start, Math.min(end, start + MAX_WORD_CHARACTERS)))
  return [...new Set(words.map((word) => word.toLowerCase().toWellFormed()))].slice(0, MAX_WORDS)
}

/**
 * Recomputes the windows as the chunk was embedded. The window of the title follows those of the
 * text.
 */
function findBestWindow(
  vector: Float32Array | null,
  { text, windows, startOffset }: StoredChunk,
  windowCharacters: number | null,
): HitExplanation['window'] {
  if (vector === null || windowCharacters === null) return null
  const spans = groupSentences(text, windowCharacters).filter(({ start, end }) => text.slice(start, end).trim() !== '')
  const cosines = windowCosines(vector, windows)
  const cosine = Math.max(...cosines)
  const span = spans[cosines.indexOf(cosine)]
  if (span === undefined) return null
  const raw = text.slice(span.start, span.end)
  const start = startOffset + span.start + raw.length - raw.trimStart().length
  return { startOffset: start, endOffset: start + raw.trim().length, cosine: roundScore(cosine) }
}

function roundPart(part: ExplainedPart): ExplainedPart {
  const { raw, zero, one, share, weight, points } = part
  const scale = { raw: roundScore(raw), zero: roundScore(zero), one: roundScore(one), share: roundScore(share) }
  return { ...part, ...scale, weight: roundScore(weight), points: roundScore(points) }
}

/** Explains the top score of a search; `null` if not requested. */
function explainTop({ top }: Pick<RankedCandidate, 'top'>): ExplainedTop | null {
  if (top === undefined) return null
  const { score, total, words, meaning } = top
  const has = [
    ...(words === null ? [] : [`a four-gram overlap of ${formatScore(words)}`]),
    ...(meaning === null ? [] : [`a cosine of ${formatScore(meaning)}`]),
  ]
  const sum =
    words === null || meaning === null ? '' : `: 1 - (1 - ${formatScore(words)}) * (1 - ${formatScore(meaning)})`
  const message =
    `Overall match ${formatScore(score)}, the score of the best passage and the scale of all others: ` +
    `one of the first five passages has ${has.join(' and ')}${sum}.`
  return {
    score: roundScore(score),
    total: roundScore(total),
    words: roundScore(words),
    meaning: roundScore(meaning),
    message,
  }
}
