import { normalizeForMatch } from '../analysis/fold.ts'
import type { WordPair } from '../analysis/query-words.ts'
import { DEFAULT_LANGUAGE } from '../languages/languages.ts'
import { createFourGrams } from './four-grams.ts'
import { addNeighbours } from './neighbours.ts'
import { type Feature, readFeatures } from './read-features.ts'
import { bestWindow, readScale, type Scale, scaleScores, shareScores } from './scores.ts'
import { leastCosine, type Match } from './shortlist.ts'
import { similaritySmoothing } from './similarity-smoothing.ts'

/** A chunk that a leg of the search found. */
export type Candidate = {
  documentId: string
  chunkIndex: number
  documentSeq: number
  text: string
  /**
   * What it stands under, which it was indexed with: title, section, header of its table; absent
   * where there is nothing.
   */
  above?: string
  /**
   * Terms of the document's title; empty where it has no title of its own, such as a bare file
   * name.
   */
  titleTerms: readonly string[]
  /** BM25 of the title among those of all that was found, see `scoreTitles`. */
  title: number
  /** BM25 of the lexical leg; `null` when that leg did not find it. */
  lexical: number | null
  /** Cosine of the whole chunk; `null` when the semantic leg did not find it. */
  semantic: number | null
  /** Embeddings of its windows, as `ChunkRow.windows`. */
  windows: Int8Array
  /** True where nothing has a word of the query, and this one that is nearly the same. */
  isNear?: boolean
}

/** What the candidates are ranked for. */
export type RankingQuery = {
  mode: 'hybrid' | 'semantic' | 'lexical'
  terms: readonly string[]
  words: readonly string[]
  /** Those of them that count more than once, once for each further time. */
  repeatedWords?: readonly string[] | undefined
  /** Those of them that stand beside each other in the query. */
  pairs: readonly WordPair[]
  phrases: readonly string[]
  /**
   * Of what is searched (ISO 639-1): that of the query first where it is known, then the most
   * frequent.
   */
  languages: readonly string[]
  /**
   * L2-normalised; `null` in mode `lexical` and where nothing of the query is known to the
   * embedder.
   */
  vector: Float32Array | null
  /** Weight of the semantic score in the fusion, 0 to 1. */
  semanticWeight: number
  /** False ranks by the fused score alone. */
  rerank: boolean
  /**
   * All that was found, where the candidates are a shortlist of it: the scales are those of all.
   */
  among?: readonly Match[] | undefined
  /** Told how the scores came about, for who wants them explained. */
  tell?: ((account: RankingAccount) => void) | undefined
}

/**
 * How the scores of a ranking came about; lists are by candidate, in the order in which these were
 * given.
 */
export type RankingAccount = {
  /** That of the semantic side, 0 to 1; the lexical side with its features has the rest. */
  semanticWeight: number
  /** Both legs, each scaled to 0..1. */
  lexical: readonly number[]
  semantic: readonly number[]
  /** None where the fused score ranks alone. */
  features: readonly Feature[]
  /**
   * Both sides added; then with what neighbours lend; then with the weighed mean of those most
   * alike.
   */
  own: readonly number[]
  besideOthers: readonly number[]
  alike: { weight: number; shares: readonly number[] }
  totals: readonly number[]
  /** What was scaled, and the ends of the scales; `null` for a leg that found nothing. */
  raws: { lexical: readonly (number | null)[]; semantic: readonly (number | null)[] }
  scales: { lexical: Scale | null; semantic: Scale | null }
  /** What the best total is scaled to. */
  confidence: Confidence
}

/**
 * How well a query is answered at all, 0 to 1, by the one of the best hits that answers it best.
 */
export type Confidence = {
  score: number
  /**
   * The share of the query's runs of four characters, and of its shorter words, that stand in it;
   * `null` where words do not count.
   */
  words: number | null
  /** Its nearness in meaning; `null` where meaning does not count. */
  meaning: number | null
}

/** A candidate's place: `index` is its place in the list that was given. */
export type Ranked = {
  index: number
  /**
   * 0 to 1, falls with rank; near 1 only where the best hit has nearly all of the query's words or
   * meaning.
   */
  score: number
  scores: { lexical: number | null; semantic: number | null; fused: number; rerank: number | null }
}

/**
 * What answers a question is mostly about one thing: +1 point of nDCG@10 on abstracts, .2 to .5 on
 * papers, conversations and titles, 0 on an encyclopedia (docs/relevance.md). English alone, where
 * vectors of windows tell what a text is about.
 */
const ALIKE_WEIGHT = 0.3
/** Hits looked at to tell how well the query is answered at all. */
const CONFIDENCE_HITS = 5

/**
 * Fuses the legs by min-max (each score scaled to 0..1 over the candidates, then weighed), adds
 * what needs no model, and sorts: best first, equal scores in order of arrival. The same input
 * gives the same output.
 */
export function rankCandidates(candidates: readonly Candidate[], query: RankingQuery): Ranked[] {
  const semantic = candidates.map((candidate) => semanticScore(candidate, query))
  const hasSemantic = semantic.some((score) => score !== null)
  const weight = query.mode === 'lexical' || !hasSemantic ? 0 : query.mode === 'semantic' ? 1 : query.semanticWeight
  const { among = [] } = query
  const lexicalSide = scaleScores(lexicalOf(candidates), lexicalOf(among))
  const floor = leastCosine([...candidates, ...among])
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
  const reranked = query.rerank ? shareScores(totals) : null
  const order = sortedIndexes(candidates, reranked ?? fused)
  const best = shareScores(reranked ?? fused)
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
      lexical: readScale([...lexicalOf(candidates), ...lexicalOf(among)]),
      semantic: readScale([...cosines, ...further]),
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
 * The nearest of the chunk and its windows: beside the windows alone, +1 to +3.5 % nDCG@10 on three
 * sets, -0.3 % on one.
 */
function semanticScore(candidate: Candidate, { vector, mode }: RankingQuery): number | null {
  if (vector === null || mode === 'lexical') return null
  const window = bestWindow(vector, candidate.windows)
  if (window === null || candidate.semantic === null) return window ?? candidate.semantic
  return Math.max(window, candidate.semantic)
}

/**
 * What the semantic leg did not find is at most as near as the last that it found, and counts as
 * just that: its windows alone would set the lower end of the scale (+0.4 points of nDCG@10 over
 * four sets).
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

/** Nothing where words alone are compared, and where the fused score ranks alone. */
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
 * How far the best hits answer the query at all, 0 to 1: the words of it that stand in one of them,
 * or above it, or its nearness in meaning. Min-max alone would give the best of a hundred misses a
 * 1.
 */
function confidenceOf(best: readonly number[], { candidates, semantic, query, weight }: Evidence): Confidence {
  const grams = createFourGrams(query.words)
  const unspaced = query.terms.filter((term) => !/[\p{scx=Latn}\p{N}]/u.test(term) && [...term].length <= 2)
  // Words of one letter or digit have no run of four characters: `C`, `7`.
  const single = query.words.map(normalizeForMatch).filter((word) => /^ [\p{scx=Latn}\p{N}] $/u.test(word))
  const short = [...unspaced, ...new Set(single)]
  const confidences = best.map((index): Confidence => {
    const { above = '', text = '' } = candidates[index] ?? {}
    const indexed = `${above}\n${text}`
    const found = grams.count(indexed).counts.filter((count) => count > 0).length
    const comparable = short.length > 0 ? normalizeForMatch(indexed) : ''
    const standing = short.filter((term) => comparable.includes(term)).length
    const words = weight === 1 ? null : (found + standing) / Math.max(1, grams.size + short.length)
    const meaning = weight === 0 ? null : Math.max(0, semantic[index] ?? 0)
    return { score: 1 - (1 - (words ?? 0)) * (1 - (meaning ?? 0)), words, meaning }
  })
  return confidences.sort((a, b) => b.score - a.score)[0] ?? { score: 0, words: null, meaning: null }
}
