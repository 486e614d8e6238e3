import type { AskedPeriod } from '../analysis/find-periods.ts'
import { normalizeForMatch } from '../analysis/fold.ts'
import type { WordPair } from '../analysis/query-words.ts'
import { DEFAULT_LANGUAGE } from '../languages/languages.ts'
import { createFourGrams } from './four-grams.ts'
import { addNeighbours, similaritySmoothing } from './neighbours.ts'
import { type Feature, readFeatures, scorePeriods } from './read-features.ts'
import { maxWindowCosine, readScale, type Scale, scaleScores, toSharesOfMax } from './scores.ts'
import { type Match, minCosine } from './shortlist.ts'

/** A retrieved chunk. */
export type Candidate = {
  documentId: string
  chunkIndex: number
  documentSeq: number
  text: string
  /** Title, section and table header, indexed with the chunk; absent if there are none. */
  above?: string
  /** Terms of the document's title; empty without a real title, such as for a bare file name. */
  titleTerms: readonly string[]
  /** BM25 of the title among all retrieved titles, see `scoreTitles`. */
  title: number
  /** BM25 of the lexical retriever; `null` if not retrieved there. */
  lexical: number | null
  /** Cosine of the whole chunk; `null` if the semantic retriever did not return the chunk. */
  semantic: number | null
  /** Embeddings of its windows, packed by `packWindows`. */
  windows: Uint8Array
  /** True if no chunk has a word of the query, and this one has a nearly equal word. */
  isNear?: boolean
}

/** Query of a ranking. */
export type RankingQuery = {
  mode: 'hybrid' | 'semantic' | 'lexical'
  terms: readonly string[]
  words: readonly string[]
  /** Words that count more than once, once for each further time. */
  repeatedWords?: readonly string[] | undefined
  /** True if the query has only stop words and negations. */
  hasStopWordsOnly?: boolean | undefined
  /** Pairs of adjacent words in the query. */
  pairs: readonly WordPair[]
  phrases: readonly string[]
  /** Dates and periods; absent if there are none. */
  periods?: readonly AskedPeriod[] | undefined
  /** Languages (ISO 639-1): the language of the query first if known, then by frequency. */
  languages: readonly string[]
  /** True for a question in a language without documents. */
  isForeign?: boolean | undefined
  /** L2-normalized; `null` in mode `lexical`, or if the embedder knows no word of the query. */
  vector: Float32Array | null
  /** Weight of the semantic score in the fusion, 0 to 1. */
  semanticWeight: number
  /** False ranks by the fused score only. */
  rerank: boolean
  /** All matches, if the candidates are a shortlist: scores are scaled over all matches. */
  among?: readonly Match[] | undefined
  /** Receives the details of the scores for explanations. */
  tell?: ((account: RankingAccount) => void) | undefined
}

/** Details of a ranking's scores; lists are in the order of the candidates. */
export type RankingAccount = {
  /** Weight of the semantic side, 0 to 1; the lexical side with its features has the rest. */
  semanticWeight: number
  /** Both retrievers' scores, each scaled to 0..1. */
  lexical: readonly number[]
  semantic: readonly number[]
  /** Empty if the fused score ranks alone. */
  features: readonly Feature[]
  /** Sum of both sides; then with neighbours; then with the weighted mean of similar chunks. */
  own: readonly number[]
  besideOthers: readonly number[]
  alike: { weight: number; shares: readonly number[] }
  totals: readonly number[]
  /** Raw scores, and the ends of the scales; `null` for a retriever without matches. */
  raws: { lexical: readonly (number | null)[]; semantic: readonly (number | null)[] }
  scales: { lexical: Scale | null; semantic: Scale | null }
  /** Confidence that the best total is scaled to. */
  confidence: Confidence
}

/** Answer quality of the best of the top hits, 0 to 1. */
export type Confidence = {
  score: number
  /** Share of the query's four-grams and short words in the hit; `null` in semantic mode. */
  words: number | null
  /** Semantic similarity of the hit; `null` in lexical mode. */
  meaning: number | null
}

/** A ranked candidate: `index` is the position in the given list. */
export type Ranked = {
  index: number
  /**
   * 0 to 1, descending by rank; near 1 only if the best hit covers nearly all words or the meaning
   * of the query.
   */
  score: number
  scores: { lexical: number | null; semantic: number | null; fused: number; rerank: number | null }
}

/**
 * Answers to a question usually share one subject: +1 point of nDCG@10 on abstracts, .2 to .5 on
 * papers, conversations and titles. No gain on an encyclopedia (docs/relevance.md). English only,
 * with embeddings of windows.
 */
const ALIKE_WEIGHT = 0.3
/** Number of top hits used for the confidence. */
const CONFIDENCE_HITS = 5

/**
 * Fuses both retrievers by min-max, adds features that need no model, and sorts: best first, ties
 * in the given order. Deterministic.
 */
export function rankCandidates(candidates: readonly Candidate[], query: RankingQuery): Ranked[] {
  const semantic = candidates.map((candidate) => semanticScore(candidate, query))
  const hasSemantic = semantic.some((score) => score !== null)
  const weight = query.mode === 'lexical' || !hasSemantic ? 0 : query.mode === 'semantic' ? 1 : query.semanticWeight
  const { among = [] } = query
  const lexicalSide = scaleScores(lexicalOf(candidates), lexicalOf(among))
  const floor = minCosine(candidates, among)
  const cosines = floor === null ? semantic : withFloor(candidates, semantic, floor)
  const further = among.length > candidates.length && floor !== null ? [floor] : []
  const semanticSide = scaleScores(cosines, further)
  const fuse = (lexical: readonly number[]): number[] =>
    lexical.map((score, index) => (1 - weight) * score + weight * (semanticSide[index] ?? 0))
  const fused = fuse(lexicalSide)
  const features = query.rerank ? readFeatures(candidates, query) : []
  const own = fuse(addFeatures(lexicalSide, features))
  const besideOthers = query.rerank ? addNeighbours(candidates, own) : own
  const alike = readAlike(candidates, besideOthers, query)
  const totals = besideOthers.map((score, index) => score + alike.weight * (alike.shares[index] ?? 0))
  const reranked = query.rerank ? toSharesOfMax(totals) : null
  const order = sortedIndexes(candidates, reranked ?? fused)
  const best = toSharesOfMax(reranked ?? fused)
  const confidence = confidenceOf(order.slice(0, CONFIDENCE_HITS), { candidates, semantic, query, weight })
  query.tell?.({
    semanticWeight: weight,
    lexical: lexicalSide,
    semantic: semanticSide,
    features,
    own,
    besideOthers,
    alike,
    totals,
    raws: { lexical: lexicalOf(candidates), semantic: cosines },
    scales: {
      lexical: readScale(lexicalOf(candidates), lexicalOf(among)),
      semantic: readScale(cosines, further),
    },
    confidence,
  })
  return order.map((index) => ({
    index,
    score: (best[index] ?? 0) * confidence.score,
    scores: {
      lexical: candidates[index]?.lexical ?? null,
      semantic: semantic[index] ?? null,
      fused: fused[index] ?? 0,
      rerank: reranked?.[index] ?? null,
    },
  }))
}

/**
 * Share of the whole chunk in the similarity to a question in another language: its sentence has
 * few words whose translations are near.
 */
const FOREIGN_WHOLE_SHARE = 0.3

/**
 * Maximum over the chunk and its windows: +1 to +3.5 % nDCG@10 on three sets compared with windows
 * only, -0.3 % on one. A weighted mean for a question in another language.
 */
function semanticScore(candidate: Candidate, { vector, mode, isForeign }: RankingQuery): number | null {
  if (vector === null || mode === 'lexical') return null
  const window = maxWindowCosine(vector, candidate.windows)
  if (window === null || candidate.semantic === null) return window ?? candidate.semantic
  if (isForeign) return (1 - FOREIGN_WHOLE_SHARE) * window + FOREIGN_WHOLE_SHARE * candidate.semantic
  return Math.max(window, candidate.semantic)
}

/**
 * Chunks that the semantic retriever missed get at most its lowest cosine. Their windows would
 * otherwise set the lower end of the scale (+0.4 points of nDCG@10 over four sets).
 */
function withFloor(
  candidates: readonly Candidate[],
  semantic: readonly (number | null)[],
  floor: number,
): (number | null)[] {
  return candidates.map((candidate, index) => {
    const score = semantic[index] ?? null
    return score === null || candidate.semantic !== null ? score : Math.max(score, floor)
  })
}

function lexicalOf(matches: readonly Match[]): (number | null)[] {
  return matches.map(({ lexical }) => lexical)
}

/** Zero in lexical mode, and if the fused score ranks alone. */
function readAlike(
  candidates: readonly Candidate[],
  scores: readonly number[],
  { mode, rerank, vector, languages }: RankingQuery,
): RankingAccount['alike'] {
  const isEnglish = (languages[0] ?? DEFAULT_LANGUAGE) === 'en'
  if (!rerank || !isEnglish || mode === 'lexical' || vector === null) return { weight: 0, shares: [] }
  return { weight: ALIKE_WEIGHT, shares: similaritySmoothing(candidates, scores, vector.length) }
}

function addFeatures(lexical: readonly number[], features: readonly Feature[]): number[] {
  return lexical.map((score, index) =>
    features.reduce((sum, { weight, shares }) => sum + weight * (shares[index] ?? 0), score),
  )
}

function sortedIndexes(candidates: readonly Candidate[], scores: readonly number[]): number[] {
  return candidates
    .map((candidate, index) => ({ candidate, index, score: scores[index] ?? 0 }))
    .sort(
      (a, b) =>
        b.score - a.score ||
        a.candidate.documentSeq - b.candidate.documentSeq ||
        a.candidate.chunkIndex - b.candidate.chunkIndex,
    )
    .map(({ index }) => index)
}

type Evidence = {
  candidates: readonly Candidate[]
  semantic: readonly (number | null)[]
  query: RankingQuery
  weight: number
}

/**
 * Returns the answer quality of the top hits, 0 to 1: by words in the hit or its headings, or by
 * semantic similarity. Min-max alone would give 1 to the best of a hundred misses.
 */
function confidenceOf(best: readonly number[], { candidates, semantic, query, weight }: Evidence): Confidence {
  const cover = createCoverage(query)
  const shareOfMeaning = query.hasStopWordsOnly ? STOP_WORD_SHARE : 1
  const shares = scorePeriods(
    best.map((index) => candidates[index] ?? { text: '' }),
    query,
  )
  const confidences = best.map((index, place): Confidence => {
    const { above = '', text = '' } = candidates[index] ?? {}
    const words = weight === 1 ? null : cover(`${above}\n${text}`, shares[place] ?? 0)
    const meaning = weight === 0 ? null : shareOfMeaning * Math.max(0, semantic[index] ?? 0)
    return { score: 1 - (1 - (words ?? 0)) * (1 - (meaning ?? 0)), words, meaning }
  })
  return confidences.sort((a, b) => b.score - a.score)[0] ?? { score: 0, words: null, meaning: null }
}

type Covered = Pick<RankingQuery, 'words' | 'terms' | 'periods' | 'hasStopWordsOnly'>

/** Stop words are in most texts of a language. */
const STOP_WORD_SHARE = 0.2
/** So many stop words in order are a quotation: "to be or not to be". */
const MIN_QUOTED_STOP_WORDS = 4

/**
 * Creates a function that returns the share of the query in a text, 0 to 1. A date in another form
 * has few four-grams of the query: its words count by the share of the periods in the text.
 */
function createCoverage(query: Covered): (text: string, periodShare: number) => number {
  const { words, terms, periods = [], hasStopWordsOnly = false } = query
  const coverAll = createWordCoverage(query)
  if (hasStopWordsOnly) {
    const quotation = words.length >= MIN_QUOTED_STOP_WORDS ? normalizeForMatch(words.join(' ')) : null
    const isQuoted = (text: string) => quotation !== null && normalizeForMatch(text).includes(quotation)
    return (text) => coverAll(text) * (isQuoted(text) ? 1 : STOP_WORD_SHARE)
  }
  if (periods.length === 0) return coverAll
  const written = periods.map(({ text }) => normalizeForMatch(text)).join('')
  const isOther = (unit: string) => !written.includes(normalizeForMatch(unit).trim())
  const others = { words: words.filter(isOther), terms: terms.filter(isOther) }
  const rest = (others.words.length + others.terms.length) / Math.max(1, words.length + terms.length)
  const coverOthers = createWordCoverage(others)
  return (text, share) => Math.max(coverAll(text), share * (1 - rest + rest * coverOthers(text)))
}

/** Creates a function that returns the share of words in a text, by four-grams and short words. */
export function createWordCoverage({ words, terms }: Pick<Covered, 'words' | 'terms'>): (text: string) => number {
  const grams = createFourGrams(words)
  const unspaced = terms.filter((term) => !/[\p{scx=Latn}\p{N}]/u.test(term) && [...term].length <= 2)
  // Words of one letter or digit have no four-grams: `C`, `7`.
  const single = words.map(normalizeForMatch).filter((word) => /^ [\p{scx=Latn}\p{N}] $/u.test(word))
  const short = [...unspaced, ...new Set(single)]
  return (text) => {
    const found = grams.count(text).counts.filter((count) => count > 0).length
    const comparable = short.length > 0 ? normalizeForMatch(text) : ''
    const standing = short.filter((term) => comparable.includes(term)).length
    return (found + standing) / Math.max(1, grams.size + short.length)
  }
}
