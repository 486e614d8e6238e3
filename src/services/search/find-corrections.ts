import { anySignal } from '../../concurrency/wait.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { createFourGrams } from '../../engine/ranking/four-grams.ts'
import { createIdentifierTest } from '../../engine/ranking/identifiers.ts'
import { type CorrectionRule, chooseCorrectionRule, matchesCorrection } from '../../engine/ranking/match-correction.ts'
import { maxWindowCosine } from '../../engine/ranking/scores.ts'
import { ApiError } from '../../errors.ts'
import type { ChunkFilter } from '../../memory-file/memory-file.ts'
import { type Embedder, isCalibrated } from '../../models/embedder.ts'
import type { Log } from '../../observability/log.ts'
import type { Question } from './question.ts'
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
}

/**
 * Returns the corrections that match the query, best first, sorted by similarity times boost.
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
  { memoryId, filter }: { memoryId: string; filter: ChunkFilter },
): Promise<MatchingCorrection[]> {
  const vector = question.vector ?? (await embedForCorrections(deps, question.query))
  const terms = [...question.terms, ...question.forms]
  const looked = { memoryId, terms, vector, filter: { ...filter, kind: 'correction' as const } }
  const candidates = await retrieveUnexpired(deps, looked, MIN_CORRECTION_CANDIDATES)
  const measure = createCorrectionMatcher(deps, { ...question, vector })
  const matching = await filterMatching(candidates, measure, deps.yieldToEventLoop)
  return dedupeByDocument(matching.sort((a, b) => b.strength - a.strength))
}

/**
 * Keeps the candidates that match, in order. Measuring a candidate against a long query takes a
 * millisecond, so the loop yields between candidates (`concurrency/event-loop-yield.ts`).
 */
export async function filterMatching(
  candidates: readonly Candidate[],
  measure: (candidate: Candidate) => Pick<CorrectionMatch, 'cosine' | 'coverage' | 'matches'>,
  yieldToEventLoop: () => Promise<void>,
): Promise<MatchingCorrection[]> {
  const matching: MatchingCorrection[] = []
  for (const candidate of candidates) {
    await yieldToEventLoop()
    const { cosine, coverage, matches } = measure(candidate)
    const boost = candidate.document.boost ?? 1
    if (matches)
      matching.push({ candidate, cosine, boost, coverage, strength: (coverage + Math.max(0, cosine ?? 0)) * boost })
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
    const [vector] = await embedder.embed([query], 'query', until)
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
