import { anySignal } from '../../concurrency/wait.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { createFourGrams } from '../../engine/ranking/four-grams.ts'
import { compareIdentifiers } from '../../engine/ranking/identifiers.ts'
import { type CorrectionRule, correctionRule, matchesCorrection } from '../../engine/ranking/match-correction.ts'
import { bestWindow } from '../../engine/ranking/scores.ts'
import { ApiError } from '../../errors.ts'
import type { ChunkFilter } from '../../memory-file/memory-file.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Log } from '../../observability/log.ts'
import type { Question } from './question.ts'
import { type Candidate, type RetrievalDeps, type RetrievalRequest, retrieve } from './retrieve.ts'

/** What a search by words waits for the meaning that only corrections need. */
const BUDGET_MS = 1000
/** Corrections looked at for one query. */
const CORRECTION_CANDIDATES = 50
/** The same where most have expired. */
const MOST_CANDIDATES = 5000

/** A correction that matches, and how well. */
export type MatchingCorrection = {
  candidate: Candidate
  cosine: number | null
  boost: number
  /** The share of the query's terms that stand in it. */
  coverage: number
  /** What it is ordered by. */
  strength: number
}

/**
 * The corrections of a memory that speak of what is asked, best first: by likeness times boost. They are looked for by
 * meaning as well, whatever the mode, since a correction that is overlooked is worse than a slow answer; without an embedder by words alone.
 */
export async function findCorrections(
  parts: RetrievalDeps & {
    analyzer: Analyzer
    embedder: Embedder | null
    log: Pick<Log, 'warn'>
    now: () => Date
    shareLoop: () => Promise<void>
  },
  question: Question,
  { memoryId, filter }: { memoryId: string; filter: ChunkFilter },
): Promise<MatchingCorrection[]> {
  const vector = question.vector ?? (await embedForCorrections(parts, question.query))
  const terms = [...question.terms, ...question.forms]
  const looked = { memoryId, terms, vector, filter: { ...filter, kind: 'correction' as const } }
  const candidates = await retrieveValid(parts, looked, CORRECTION_CANDIDATES)
  const measure = createCorrectionMeter(parts, { ...question, vector })
  const matching = await listMatching(candidates, measure, parts.shareLoop)
  return dedupeByDocument(matching.sort((a, b) => b.strength - a.strength))
}

/** Those that match, in their order. Measuring one against a long query takes a millisecond, so others have their turn between two (`concurrency/event-loop-yield.ts`). */
export async function listMatching(
  candidates: readonly Candidate[],
  measure: (candidate: Candidate) => Pick<CorrectionMeasure, 'cosine' | 'coverage' | 'matches'>,
  shareLoop: () => Promise<void>,
): Promise<MatchingCorrection[]> {
  const matching: MatchingCorrection[] = []
  for (const candidate of candidates) {
    await shareLoop()
    const { cosine, coverage, matches } = measure(candidate)
    const boost = candidate.document.boost ?? 1
    if (matches)
      matching.push({ candidate, cosine, boost, coverage, strength: (coverage + Math.max(0, cosine ?? 0)) * boost })
  }
  return matching
}

/** Those that have not expired; more are looked at where expired ones took the places of others. */
async function retrieveValid(
  parts: RetrievalDeps & { now: () => Date },
  looked: Omit<RetrievalRequest, 'limit'>,
  limit: number,
): Promise<Candidate[]> {
  const candidates = await retrieve(parts, { ...looked, limit })
  const now = parts.now()
  const valid = candidates.filter(({ document }) => !hasExpired(document.expires_at, now))
  const isCrowded = valid.length < candidates.length && candidates.length >= limit && limit < MOST_CANDIDATES
  return isCrowded ? retrieveValid(parts, looked, limit * 10) : valid
}

/** `null` where nothing is known of the query, and where the embedder fails or takes too long: corrections are found by words as well. Rejects with the reason of the signal. */
export async function embedForCorrections(
  { embedder, log, signal }: { embedder: Embedder | null; log: Pick<Log, 'warn'>; signal?: AbortSignal | undefined },
  query: string,
): Promise<Float32Array | null> {
  if (embedder === null) return null
  const late = AbortSignal.timeout(BUDGET_MS)
  const until = anySignal(signal, late)
  try {
    const [vector] = await embedder.embed([query], 'query', until)
    return vector?.some((component) => component !== 0) ? vector : null
  } catch (err) {
    signal?.throwIfAborted()
    if (!late.aborted && !(err instanceof ApiError)) throw err
    log.warn({ err, model: embedder.model }, 'corrections are looked for by words alone')
    return null
  }
}

/** How well a correction fits a question. */
export type CorrectionMeasure = {
  /** The share of the question's terms that stand in it. */
  coverage: number
  /** Its likeness; `null` where nothing is known of it, and in a language that the embedder does not know. */
  cosine: number | null
  /** The share of the question's runs of four characters that stand in it. */
  runs: number
  /** What decides where the question names none of its topics. */
  rule: CorrectionRule
  /** True where that is enough. */
  matches: boolean
}

/** Measures how well corrections fit a question. `embedder` is that of the memory. */
export function createCorrectionMeter(
  { analyzer, embedder }: { analyzer: Analyzer; embedder: Embedder | null },
  question: Question,
): (candidate: Candidate) => CorrectionMeasure {
  const { query, languages, terms: queryTerms } = question
  const runs = createFourGrams(question.words)
  const namesOthers = compareIdentifiers(query)

  return ({ document, chunk, vector }) => {
    const isKnown = embedder !== null && knowsLanguage(embedder, document.language ?? languages[0] ?? DEFAULT_LANGUAGE)
    const cosine = question.vector === null || !isKnown ? null : (bestWindow(question.vector, chunk.windows) ?? vector)
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
    const rule = correctionRule(match)
    return {
      coverage: queryTerms.filter((term) => terms.has(term)).length / Math.max(1, queryTerms.length),
      cosine,
      runs: share,
      rule,
      matches: matchesCorrection(match, rule),
    }
  }
}

/** False where a model counts for less than in English: to one that was made for English all texts in Greek letters are alike. */
function knowsLanguage(embedder: Embedder, language: string): boolean {
  return embedder.fusionWeight(language) >= embedder.fusionWeight(DEFAULT_LANGUAGE)
}

/** The first of each correction, of which a long one has several chunks. */
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

/** True when that moment has come; `null` is never. A correction that has expired stands before nothing. */
export function hasExpired(expiresAt: string | null, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now.toISOString()
}
