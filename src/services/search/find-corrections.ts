import { anySignal } from '../../concurrency/wait.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { Span } from '../../engine/chunking/split-text.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { createFourGrams } from '../../engine/ranking/four-grams.ts'
import { createIdentifierTest } from '../../engine/ranking/identifiers.ts'
import { type CorrectionRule, chooseCorrectionRule, matchesCorrection } from '../../engine/ranking/match-correction.ts'
import { maxWindowCosine } from '../../engine/ranking/scores.ts'
import { dotProduct } from '../../engine/vectors.ts'
import { ApiError } from '../../errors.ts'
import type { ChunkFilter } from '../../memory-file/memory-file.ts'
import { type Embedder, isCalibrated } from '../../models/embedder.ts'
import type { Log } from '../../observability/log.ts'
import type { Question } from './question.ts'
import type { RankedCandidate } from './rank-documents.ts'
import { type Candidate, type RetrievalDeps, type RetrievalRequest, retrieve } from './retrieve.ts'

/** Maximum wait of a lexical search for the query vector, used only for corrections. */
const EMBED_TIMEOUT_MS = 1000
/** Corrections examined per query. */
const MIN_CORRECTION_CANDIDATES = 50
/** Upper limit when most candidates have expired. */
const MAX_CORRECTION_CANDIDATES = 5000

/** A correction that matches the query, with the scores of the match. */
export type MatchingCorrection = {
  candidate: Candidate
  cosine: number | null
  boost: number
  /** Share of the query's terms in the correction. */
  coverage: number
  /** Sort key. */
  strength: number
  /** False for a correction with some words of the query only (`selectCorrections`). */
  isLikely: boolean
}

/** Corrections with some words of the query; each is compared with the passages. */
const MAX_UNLIKELY = 10

/**
 * Returns the corrections that match the query, best first, sorted by similarity times boost. At
 * most 10 that have some words of the query follow; they may replace the passage that matches.
 * Corrections are retrieved by vector in every mode, because a missed correction is worse than a
 * slow answer. Without an embedder only the lexical retriever runs.
 */
export async function findCorrections(
  deps: RetrievalDeps & {
    analyzer: Analyzer
    embedder: Embedder | null
    log: Pick<Log, 'warn'>
    now: () => Date
    yieldToEventLoop: () => Promise<void>
  },
  question: Question,
  filter: ChunkFilter,
): Promise<MatchingCorrection[]> {
  const vector = question.vector ?? (await embedForCorrections(deps, question.query))
  const terms = [...question.terms, ...question.forms]
  const looked = { terms, vector, filter: { ...filter, kind: 'correction' as const } }
  const candidates = await retrieveUnexpired(deps, looked, MIN_CORRECTION_CANDIDATES)
  const measure = createCorrectionMatcher(deps, { ...question, vector })
  const matching = await filterMatching(candidates, measure, deps.yieldToEventLoop)
  const found = dedupeByDocument(matching.sort((a, b) => b.strength - a.strength))
  return [
    ...found.filter(({ isLikely }) => isLikely),
    ...found.filter(({ isLikely }) => !isLikely).slice(0, MAX_UNLIKELY),
  ]
}

/**
 * Keeps the candidates that match or may match, in order. Measuring a candidate against a long
 * query takes a millisecond, so the loop yields between candidates
 * (`concurrency/event-loop-yield.ts`).
 */
export async function filterMatching(
  candidates: readonly Candidate[],
  measure: (candidate: Candidate) => Pick<CorrectionMatch, 'cosine' | 'coverage' | 'rule' | 'matches'>,
  yieldToEventLoop: () => Promise<void>,
): Promise<MatchingCorrection[]> {
  const matching: MatchingCorrection[] = []
  for (const candidate of candidates) {
    await yieldToEventLoop()
    const { cosine, coverage, rule, matches } = measure(candidate)
    const boost = candidate.document.boost ?? 1
    const strength = (coverage + Math.max(0, cosine ?? 0)) * boost
    const isPossible = coverage > 0 && rule !== 'identifier' && rule !== 'number'
    if (matches || isPossible) matching.push({ candidate, cosine, boost, coverage, strength, isLikely: matches })
  }
  return matching
}

/** Retrieves unexpired candidates; retrieves more when expired corrections filled the limit. */
async function retrieveUnexpired(
  deps: RetrievalDeps & { now: () => Date },
  looked: Omit<RetrievalRequest, 'limit'>,
  limit: number,
): Promise<Candidate[]> {
  const candidates = await retrieve(deps, { ...looked, limit })
  const now = deps.now()
  const valid = candidates.filter(({ document }) => !hasExpired(document.expires_at, now))
  const isCrowded = valid.length < candidates.length && candidates.length >= limit && limit < MAX_CORRECTION_CANDIDATES
  return isCrowded ? retrieveUnexpired(deps, looked, limit * 10) : valid
}

/**
 * Embeds the query for corrections. Returns `null` when the embedder does not know the query, fails
 * or times out: lexical retrieval finds corrections as well. Rejects with the reason of the signal.
 */
export async function embedForCorrections(
  { embedder, log, signal }: { embedder: Embedder | null; log: Pick<Log, 'warn'>; signal?: AbortSignal | undefined },
  query: string,
): Promise<Float32Array | null> {
  if (embedder === null) return null
  const late = AbortSignal.timeout(EMBED_TIMEOUT_MS)
  const until = anySignal(signal, late)
  try {
    const [vector] = await embedder.embed([query], 'query', { signal: until })
    return vector?.some((component) => component !== 0) ? vector : null
  } catch (err) {
    signal?.throwIfAborted()
    if (!late.aborted && !(err instanceof ApiError)) throw err
    log.warn({ err, model: embedder.model }, 'corrections are only searched by keywords')
    return null
  }
}

/** Match of a correction with a question. */
export type CorrectionMatch = {
  /** Share of the question's terms in the correction. */
  coverage: number
  /** Cosine similarity; `null` when unknown or when the embedder does not support the language. */
  cosine: number | null
  /** Share of the question's character four-grams in the correction. */
  runs: number
  /** Rule that decides when the question names no topic of the correction. */
  rule: CorrectionRule
  /** True if the rule is satisfied. */
  matches: boolean
}

/**
 * Creates a function that matches corrections with a question. `embedder` is the memory's embedder.
 */
export function createCorrectionMatcher(
  { analyzer, embedder }: { analyzer: Analyzer; embedder: Embedder | null },
  question: Question,
): (candidate: Candidate) => CorrectionMatch {
  const { query, languages, terms: queryTerms } = question
  const runs = createFourGrams(question.words)
  const namesOthers = createIdentifierTest(query)

  return ({ document, chunk, vector }) => {
    const isKnown = embedder !== null && isCalibrated(embedder, document.language ?? languages[0] ?? DEFAULT_LANGUAGE)
    const cosine =
      question.vector === null || !isKnown ? null : (maxWindowCosine(question.vector, chunk.windows) ?? vector)
    const statement = document.statement ?? ''
    const topics = JSON.parse(document.topics ?? '[]') as string[]
    const text = `${statement}\n${topics.join('\n')}`
    const spoken = new Set([...languages, document.language ?? DEFAULT_LANGUAGE])
    const terms = new Set([...spoken].flatMap((language) => analyzer.terms(text, language)))
    const standing = runs.count(text).counts.filter((count) => count > 0).length
    const share = standing / Math.max(1, runs.size)
    const match = {
      ...{ query, queryTerms, topics, statement, cosine },
      correctionTerms: terms,
      runs: share,
      namesOtherIdentifiers: namesOthers(text),
    }
    const rule = chooseCorrectionRule(match)
    return {
      coverage: queryTerms.filter((term) => terms.has(term)).length / Math.max(1, queryTerms.length),
      cosine,
      runs: share,
      rule,
      matches: matchesCorrection(match, rule),
    }
  }
}

/** Keeps the first chunk of each correction; a long correction has several chunks. */
export function dedupeByDocument<Found extends { candidate: { document: { id: string } } }>(
  found: readonly Found[],
): Found[] {
  const first = new Map<string, Found>()
  for (const one of found) {
    const { id } = one.candidate.document
    if (!first.has(id)) first.set(id, one)
  }
  return [...first.values()]
}

/** True once the expiry time has passed; `null` never expires. Expired corrections do not match. */
export function hasExpired(expiresAt: string | null, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now.toISOString()
}

/** Passages that show what else the memory knows; more cost time and change little. */
const MAX_COMPARED_PASSAGES = 8

type KeepDeps = { analyzer: Analyzer; embedder: Embedder | null; question: Question; signal?: AbortSignal | undefined }

/** Keeps the corrections about the thing asked for, judged by the best passages of documents. */
export async function keepCorrections(
  deps: KeepDeps,
  matching: readonly MatchingCorrection[],
  documents: readonly RankedCandidate[],
): Promise<MatchingCorrection[]> {
  if (matching.length === 0) return []
  // Loaded on first use: their patterns would take a tenth of a start.
  const { splitSentences } = await import('../../engine/answering/split-sentences.ts')
  const { selectCorrections } = await import('../../engine/answering/subjects/select-corrections.ts')
  const { analyzer, question } = deps
  const passages = documents.slice(0, MAX_COMPARED_PASSAGES).map(({ candidate: { chunk, document } }) => ({
    text: chunk.text,
    title: document.title,
    section: chunk.section ?? '',
    sentences: splitSentences(chunk.text),
  }))
  const statements = matching.map(({ candidate: { document } }) => document.statement ?? '')
  const sentences = passages.flatMap(({ text, sentences: own }) => own.map((span) => sliceOf(text, span)))
  const cosines = await compareWithQuery(deps, [...statements, ...sentences])
  const corrections = matching.map(({ candidate: { document }, isLikely }, index) => ({
    statement: statements[index] ?? '',
    topics: JSON.parse(document.topics ?? '[]') as string[],
    createdAt: document.created_at,
    boost: document.boost ?? 1,
    cosine: cosines[index] ?? 0,
    isLikely,
  }))
  let next = statements.length
  const compared = passages.map((passage) => {
    next += passage.sentences.length
    return { ...passage, cosines: cosines.slice(next - passage.sentences.length, next) }
  })
  const { query, languages } = question
  const kept = selectCorrections({ analyzer, query, languages }, corrections, compared)
  return kept.flatMap((index) => matching[index] ?? [])
}

function sliceOf(text: string, { start, end }: Span): string {
  return text.slice(start, end)
}

/** Cosines of the query and texts; none for a remote model, which would cost a request. */
async function compareWithQuery({ embedder, question, signal }: KeepDeps, texts: readonly string[]): Promise<number[]> {
  if (embedder === null || embedder.windowCharacters === null) return []
  const [[asked], vectors] = await Promise.all([
    embedder.embed([question.query], 'query', { signal }),
    embedder.embed([...texts], 'passage', { signal }),
  ])
  return asked === undefined ? [] : vectors.map((vector) => dotProduct(asked, vector))
}
