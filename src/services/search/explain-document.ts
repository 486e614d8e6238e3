import type { Kysely } from 'kysely'
import type { DocumentExplanation } from '../../api/explanation.ts'
import type { HitResource } from '../../api/search.ts'
import { getDocument } from '../../database/memories/documents-table.ts'
import { LIVE_STATUSES, type Memory, type Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import {
  COSINE_ALONE,
  COSINE_WITH_WORDS,
  COVERAGE_WITH_MEANING,
  MAX_NAMING_WORDS,
  MIN_COVERAGE,
  MIN_FOUR_GRAM_SHARE,
  PAIRS_ALONE,
} from '../../engine/ranking/match-correction.ts'
import { isId } from '../../ids.ts'
import { toDocumentSet } from '../../memory-file/chunk-predicate.ts'
import type { Log } from '../../observability/log.ts'
import { listUnmetConditions } from '../filters/facts-table.ts'
import { createExplainContext, explainHit } from './explain-hit.ts'
import { type CorrectionMatch, createCorrectionMatcher, embedForCorrections, hasExpired } from './find-corrections.ts'
import { type Question, toRetrievers } from './question.ts'
import type { RankedCandidate } from './rank-documents.ts'
import { CANDIDATES_PER_RETRIEVER, type Candidate, findMatches, type Match, retrieve } from './retrieve.ts'
import { roundScore } from './score-format.ts'
import type { FindRequest } from './search.ts'
import type { SearchContext, SearchResult } from './search-service.ts'

/** A finished search. */
type FinishedSearch = {
  memory: Memory
  request: Pick<FindRequest, 'filter' | 'limit'>
  found: SearchResult
  /** Documents without copies and weak matches (`select-hits.ts`). */
  selected: readonly RankedCandidate[]
  hits: readonly HitResource[]
  windowCharacters: number | null
}

type ExplainDeps = { db: Kysely<Tables>; analyzer: Analyzer; log: Pick<Log, 'warn'>; now: () => Date }

/** Maximum number of unmet filter conditions in a message; a filter may have 200. */
const MAX_UNMET_CONDITIONS = 10

/** Fields of a document without a rank. */
const UNRANKED = {
  rank: null,
  score: null,
  neededScore: null,
  legs: [],
  explanation: null,
} satisfies Partial<DocumentExplanation>

/**
 * Explains the rank of a document in a search, or its absence. A document outside of the memory and
 * a document that the caller must not see give the same reason, `not_found`. Queries the memory
 * file for the document only if the search did not find it.
 */
export async function explainDocument(
  deps: ExplainDeps,
  search: FinishedSearch,
  documentId: string,
): Promise<DocumentExplanation> {
  const { memory, request, found } = search
  const key = { organizationId: memory.organization_id, memoryId: memory.id, documentId }
  const document = isId('doc', documentId) ? await getDocument(deps.db, key) : null
  if (document === null) {
    const message = 'This memory has no such document.'
    return { documentId, title: null, reason: 'not_found', message, ...UNRANKED }
  }
  const about = { documentId, title: document.title }
  const ranked = explainRank(deps, search, documentId)
  if (ranked !== null) return { ...about, ...ranked }
  if (!LIVE_STATUSES.includes(document.status)) {
    const why = document.error === null ? '' : `: ${document.error}`
    return { ...about, reason: 'not_ready', message: `Its status is ${document.status}${why}`, ...UNRANKED }
  }
  if (document.enabled === 0)
    return { ...about, reason: 'filtered_out', message: 'It is hidden from searches (enabled: false).', ...UNRANKED }
  const misses = request.filter ? listUnmetConditions(document, request.filter) : []
  if (misses.length > 0) {
    const more =
      misses.length > MAX_UNMET_CONDITIONS ? `; and ${misses.length - MAX_UNMET_CONDITIONS} more conditions` : ''
    const message = `The filter excludes it: ${misses.slice(0, MAX_UNMET_CONDITIONS).join('; ')}${more}.`
    return { ...about, reason: 'filtered_out', message, ...UNRANKED }
  }
  if (hasExpired(document.expires_at, deps.now())) {
    return { ...about, reason: 'expired', message: `It expired at ${document.expires_at}.`, ...UNRANKED }
  }
  if (document.source_type === 'correction') return { ...about, ...(await explainCorrection(deps, found, documentId)) }
  return { ...about, ...(await explainRetrievers(found, documentId)) }
}

const LEFT_OUT =
  'Its passages are copies of other hits (options.collapseDuplicates), have a lower score than options.minScore, ' +
  'or are not related to the query.'

type Explanation = Omit<DocumentExplanation, 'documentId' | 'title'>

/** `null` if the document was not ranked. */
function explainRank(
  { analyzer }: ExplainDeps,
  { request, found, selected, hits, windowCharacters }: FinishedSearch,
  documentId: string,
): Explanation | null {
  const hit = hits.find((one) => one.documentId === documentId)
  const { corrections, documents, question } = found
  const ids = [...corrections, ...documents].map(({ candidate }) => candidate.document.id)
  const place = ids.indexOf(documentId)
  if (place < 0) return null
  if (hit !== undefined) {
    const { rank, score, explanation = null } = hit
    const message = `It is hit ${rank}.`
    return { reason: 'hit', message, rank, score, neededScore: null, legs: [], explanation }
  }
  const ranked = documents[place - corrections.length]
  const neededScore = hits.at(-1)?.score ?? null
  const score = roundScore(ranked?.score ?? null)
  const explanation =
    ranked === undefined ? null : explainHit(createExplainContext({ analyzer, question, windowCharacters }), ranked)
  const [own, last] = score === null ? ['', ''] : [`, with a score of ${score},`, `, the last with ${neededScore}`]
  if (ranked !== undefined && !selected.some(({ candidate }) => candidate.document.id === documentId)) {
    return { reason: 'left_out', message: LEFT_OUT, rank: null, score, neededScore: null, legs: [], explanation }
  }
  const rank = `${place + 1} of ${ids.length}`
  const message = `Its best passage${own} ranks ${rank}; ${request.limit} hits were requested${last}.`
  return { reason: 'outranked', message, rank: place + 1, score, neededScore, legs: [], explanation }
}

async function explainCorrection(
  { analyzer, log }: ExplainDeps,
  { context, question, embedder }: SearchResult,
  documentId: string,
): Promise<Explanation> {
  // Corrections are retrieved by vector in every mode.
  const vector =
    question.vector ?? (await embedForCorrections({ embedder, log, signal: context?.signal }, question.query))
  const asked = { ...question, vector }
  const [candidate] = context === null ? [] : await retrieveCorrection(context, asked, documentId)
  const why = candidate
    ? describeCorrectionMatch(createCorrectionMatcher({ analyzer, embedder }, asked)(candidate))
    : "it contains none of the query's words, and its cosine is unknown."
  const message = `The correction does not match the query: the query names none of its topics, and ${why}`
  return { reason: 'correction_not_matching', message, ...UNRANKED }
}

/** Describes the rule that decided, with its threshold. */
function describeCorrectionMatch({ coverage, cosine, runs, rule }: CorrectionMatch): string {
  if (rule === 'identifier') return 'the correction names different identifiers than the query.'
  if (rule === 'number')
    return `only its numbers differ: in a query of at most ${MAX_NAMING_WORDS} words, the number must match.`
  const words = `its term coverage is ${roundScore(coverage)} (required: ${MIN_COVERAGE})`
  if (rule === 'meaning')
    return (
      `${words}. Its cosine is ${roundScore(cosine)} (required: ${COSINE_ALONE}, ` +
      `or ${COSINE_WITH_WORDS} with a term coverage of ${COVERAGE_WITH_MEANING}).`
    )
  if (rule === 'pairs')
    return (
      `its coverage of character pairs is ${roundScore(coverage)} (required: ${PAIRS_ALONE}). ` +
      'Its cosine is unknown.'
    )
  const required = `(required: ${MIN_FOUR_GRAM_SHARE})`
  return `${words}. Its cosine is unknown; its four-gram coverage is ${roundScore(runs)} ${required}.`
}

/**
 * Explains the absence of a document: compares its best passage with the candidates of each
 * retriever.
 */
async function explainRetrievers(found: SearchResult, documentId: string): Promise<Explanation> {
  const { question, matches, context } = found
  const rows = new Set(await context?.memoryFile.listRowIds(context.file, documentId))
  const among = matches.filter(({ row }) => rows.has(row))
  const isCandidate = among.length > 0
  const own =
    isCandidate || context === null ? among : await retrieveDocumentMatches(context, question, { documentId, rows })
  const legs = [
    ...(question.mode === 'semantic' ? [] : [compareRetriever('lexical', own, matches)]),
    ...(question.vector === null ? [] : [compareRetriever('semantic', own, matches)]),
  ]
  if (isCandidate) {
    const message =
      `It was among the ${matches.length} candidates, but not among the best by retriever score. ` +
      'Only those are read and ranked.'
    return { ...UNRANKED, reason: 'not_read', message, legs }
  }
  const message = `It was not among the candidates. ${legs.map(describeRetriever).join(' ')}`
  return { ...UNRANKED, reason: 'not_a_candidate', message, legs }
}

type RetrieverComparison = DocumentExplanation['legs'][number]

function compareRetriever(
  leg: RetrieverComparison['leg'],
  own: readonly Match[],
  matches: readonly Match[],
): RetrieverComparison {
  const scoreOf = ({ lexical, vector }: Match) => (leg === 'lexical' ? lexical : vector)
  const scores = own.map(scoreOf).filter((score) => score !== null)
  const others = matches.map(scoreOf).filter((score) => score !== null)
  return {
    leg,
    best: scores.length > 0 ? roundScore(Math.max(...scores)) : null,
    needed: others.length >= CANDIDATES_PER_RETRIEVER ? roundScore(Math.min(...others)) : null,
  }
}

function describeRetriever({ leg, best, needed }: RetrieverComparison): string {
  if (leg === 'lexical') {
    if (best === null && needed !== null)
      return `Lexical: it is not among the first ${MAX_LEXICAL_DEPTH} passages, or contains no word of the query.`
    if (best === null) return 'Lexical: no passage contains a word of the query.'
    return needed === null
      ? `Lexical: its BM25 of ${best} was enough for a candidate.`
      : `Lexical: its BM25 is ${best}; the last of the ${CANDIDATES_PER_RETRIEVER} candidates has ${needed}.`
  }
  if (best === null) return 'Semantic: no passage has a vector to compare.'
  return needed === null
    ? `Semantic: its cosine of ${best} was enough for a candidate.`
    : `Semantic: its cosine is ${best}; the last of the ${CANDIDATES_PER_RETRIEVER} candidates has ${needed}.`
}

/** Search depth for the terms of one document, in passages. */
const MAX_LEXICAL_DEPTH = 5000

/**
 * Returns the passages of one document (`rows`) that a deeper search would have found. BM25 depends
 * on the whole index, so searching the document alone would give other scores: the terms are looked
 * up among the first 5,000 passages. Vectors are compared directly.
 */
async function retrieveDocumentMatches(
  { filter, ...context }: SearchContext,
  question: Question,
  { documentId, rows }: { documentId: string; rows: ReadonlySet<bigint> },
): Promise<Match[]> {
  const { terms, vector } = toRetrievers(question)
  const [byWords, byMeaning] = await Promise.all([
    terms === null ? [] : findMatches(context, { terms, vector: null, filter, limit: MAX_LEXICAL_DEPTH }),
    findMatches(context, {
      terms: null,
      vector,
      filter: { documents: toDocumentSet([documentId]) },
      limit: CANDIDATES_PER_RETRIEVER,
    }),
  ])
  return [...byWords.filter(({ row }) => rows.has(row)), ...byMeaning]
}

/** Retrieves the passages of a correction, matching or not. */
function retrieveCorrection(context: SearchContext, question: Question, documentId: string): Promise<Candidate[]> {
  const filter = { documents: toDocumentSet([documentId]), kind: 'correction' as const }
  return retrieve(context, {
    ...toRetrievers(question),
    filter,
    limit: CANDIDATES_PER_RETRIEVER,
  })
}
