import type { Kysely } from 'kysely'
import type { EvaluatedMode, EvaluationResource } from '../../api/evaluate.ts'
import type { Warning } from '../../api/values.ts'
import { type FoundDocument, findDocumentsByIds } from '../../database/memories/documents-table.ts'
import type { Tables } from '../../database/schema.ts'
import { ApiError, type ErrorDetail } from '../../errors.ts'
import { isId } from '../../ids.ts'
import { EVALUATION } from '../../limits.ts'
import type { Caller } from '../caller.ts'
import { createFairLimiter, type RunStep } from '../fair-limiter.ts'
import type { DocumentFilter } from '../filters/read-filter.ts'
import { roundScore } from './score-format.ts'
import type { SearchService } from './search.ts'
import { openMemory } from './search-service.ts'

/** Dependencies of the evaluation service. */
type EvaluateDeps = { db: Kysely<Tables>; search: Pick<SearchService, 'rank'> }

/**
 * Runs questions with known answers through the search, one search at a time per process, so that
 * other searches continue. A document ranks by its best passage. Corrections outrank documents by
 * design, so they are left out unless a question names them.
 */
export function createEvaluateService({ db, search }: EvaluateDeps): EvaluateService {
  const turns = createFairLimiter({
    max: EVALUATION.atOnce,
    maxPerOrganization: EVALUATION.atOnceOfOrganization,
    works: 'evaluations',
  })
  return {
    async evaluate(caller, memoryId, request) {
      await openMemory(db, caller, memoryId)
      const { questions, warnings } = await resolveQuestions(db, memoryId, request.questions)
      const asked = await turns.run(caller.organizationId, request.signal, (takeTurn) =>
        runQuestions({ db, search, takeTurn }, { caller, memoryId, questions, request }),
      )
      return describe(request, asked, warnings)
    },
  }
}

/** Result of one question in one mode. */
type QuestionResult = { index: number; query: string; mode: EvaluatedMode } & RankingMetrics & {
    ms: number
    warnings: Warning[]
  }

type EvaluationRun = {
  caller: Caller
  memoryId: string
  questions: readonly ResolvedQuestion[]
  request: EvaluateRequest & EvaluateCallOptions
}

/** Iterates by question, then by mode, so that no mode benefits from a warmer memory file. */
async function runQuestions(
  { db, search, takeTurn }: EvaluateDeps & { takeTurn: RunStep },
  { caller, memoryId, questions, request: { modes, topK, filter = null, signal } }: EvaluationRun,
): Promise<QuestionResult[]> {
  const asked: QuestionResult[] = []
  for (const [index, { query, gains }] of questions.entries()) {
    for (const mode of modes) {
      const { ranked, ms, warnings } = await takeTurn(async () => {
        const started = performance.now()
        // Minutes may pass between two questions, and the memory's file may be replaced.
        const searched = await openMemory(db, caller, memoryId)
        const found = await search.rank(searched, { query, mode, filter, signal })
        const named = found.corrections.filter((id) => gains.has(id))
        return { ranked: [...named, ...found.documents], ms: performance.now() - started, warnings: found.warnings }
      })
      asked.push({ index, query, mode, ...measureRanking(ranked, { gains, depth: topK }), ms, warnings })
    }
  }
  return asked
}

function describe(
  { questions, topK, modes }: EvaluateRequest,
  asked: readonly QuestionResult[],
  warnings: readonly Warning[],
): EvaluationResource {
  const inMode = modes.map((mode) => ({ mode, all: asked.filter((one) => one.mode === mode) }))
  return {
    questions: questions.length,
    topK,
    results: inMode.map(({ mode, all }) => ({
      mode,
      ndcg: roundedMean(all.map(({ ndcg }) => ndcg)),
      recall: roundedMean(all.map(({ recall }) => recall)),
      mrr: roundedMean(all.map(({ reciprocalRank }) => reciprocalRank)),
      precision: roundedMean(all.map(({ precision }) => precision)),
      meanMs: Math.round(roundedMean(all.map(({ ms }) => ms)) * 10) / 10,
    })),
    perQuestion: asked.map(({ index, query, mode, rank, ndcg, recall }) => {
      const shown = query.slice(0, EVALUATION.shownCharacters).toWellFormed()
      return { index, query: shown, mode, rank, ndcg: roundScore(ndcg), recall: roundScore(recall) }
    }),
    warnings: [...warnings, ...inMode.flatMap(({ mode, all }) => aggregateWarnings(mode, all))],
  }
}

/** Groups the warnings of a mode by code: a hundred questions mostly repeat the same warning. */
function aggregateWarnings(mode: EvaluatedMode, asked: readonly QuestionResult[]): Warning[] {
  const byCode = new Map<string, Warning[]>()
  for (const warning of asked.flatMap(({ warnings }) => warnings)) {
    byCode.set(warning.code, [...(byCode.get(warning.code) ?? []), warning])
  }
  return [...byCode].map(([code, some]) => {
    const message = `${some.length} of ${asked.length} searches in mode ${mode}: ${some[0]?.message}`
    return { code, message, param: null }
  })
}

function roundedMean(values: readonly number[]): number {
  return roundScore(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length))
}

/** A question and the documents of the memory that answer it. */
type KnownQuestion = {
  query: string
  documentIds: readonly string[]
  externalIds: readonly string[]
  /** Relevance grades by document id or external id; 1 by default. */
  grades: Readonly<Record<string, number>>
}

/** Questions, number of ranked documents to judge, and modes without duplicates. */
export type EvaluateRequest = {
  questions: readonly KnownQuestion[]
  topK: number
  modes: readonly EvaluatedMode[]
  /** Documents to search. */
  filter?: DocumentFilter | null
}

type EvaluateCallOptions = { signal: AbortSignal }

/** Evaluates search quality. */
export type EvaluateService = {
  /**
   * Evaluates a memory with known questions. Rejects with `validation_failed` for documents that do
   * not exist, with `rate_limited` for too many evaluations, and with the reason of the request's
   * signal.
   */
  evaluate(
    caller: Caller,
    memoryId: string,
    request: EvaluateRequest & EvaluateCallOptions,
  ): Promise<EvaluationResource>
}

/** A question with the gains of its relevant documents by id. */
type ResolvedQuestion = { query: string; gains: ReadonlyMap<string, number> }

/** Maximum number of invalid fields in an error. */
const MAX_DETAILS = 50

/**
 * Resolves the documents of all questions. Throws `validation_failed` for each missing document,
 * each question without a document, and each grade of an unrelated document. Warns of documents
 * that are not searchable yet.
 */
async function resolveQuestions(
  db: Kysely<Tables>,
  memoryId: string,
  questions: readonly KnownQuestion[],
): Promise<{ questions: ResolvedQuestion[]; warnings: Warning[] }> {
  const known = await findDocumentsByIds(db, memoryId, {
    ids: [...new Set(questions.flatMap(({ documentIds }) => documentIds))].filter((id) => isId('doc', id)),
    externalIds: [...new Set(questions.flatMap(({ externalIds }) => externalIds))],
  })
  const details = questions.flatMap((question, index) => listInvalidFields(question, `questions[${index}]`, known))
  throwInvalidFields(details)
  return {
    questions: questions.map((question) => ({ query: question.query, gains: toGains(question, known) })),
    warnings: warnOfUnreadyDocuments(known),
  }
}

type KnownDocuments = Awaited<ReturnType<typeof findDocumentsByIds>>

function listInvalidFields(question: KnownQuestion, at: string, { byId, byExternalId }: KnownDocuments): ErrorDetail[] {
  const { documentIds, externalIds, grades } = question
  const named = new Set([...documentIds, ...externalIds])
  const message = 'does not exist in this memory'
  const ofNone =
    named.size > 0
      ? []
      : [{ param: `${at}.documentIds`, message: 'must contain a document ID, unless externalIds does' }]
  return [
    ...ofNone,
    ...documentIds.flatMap((id, place) =>
      byId.has(id) ? [] : [{ param: `${at}.documentIds[${place}]`, message: `${message}: ${id.slice(0, 100)}` }],
    ),
    ...externalIds.flatMap((id, place) =>
      byExternalId.has(id)
        ? []
        : [{ param: `${at}.externalIds[${place}]`, message: `${message}: ${id.slice(0, 100)}` }],
    ),
    ...Object.keys(grades).flatMap((id) =>
      named.has(id)
        ? []
        : [{ param: `${at}.grades.${id.slice(0, 100)}`, message: 'is not a document of this question' }],
    ),
  ]
}

function throwInvalidFields(details: readonly ErrorDetail[]): void {
  const [first] = details
  if (first === undefined) return
  const { param } = first
  const message = `${param} ${first.message}`
  throw new ApiError('validation_failed', { message, param, details: details.slice(0, MAX_DETAILS) })
}

function toGains({ documentIds, externalIds, grades }: KnownQuestion, { byId, byExternalId }: KnownDocuments) {
  const gains = new Map<string, number>()
  const take = (document: FoundDocument | undefined, name: string) => {
    if (document === undefined) return
    // Inherited properties such as `constructor` are not grades.
    const grade = Object.hasOwn(grades, name) ? (grades[name] ?? 1) : 1
    gains.set(document.id, Math.max(gains.get(document.id) ?? 0, grade))
  }
  for (const id of documentIds) take(byId.get(id), id)
  for (const id of externalIds) take(byExternalId.get(id), id)
  return gains
}

function warnOfUnreadyDocuments({ byId, byExternalId }: KnownDocuments): Warning[] {
  const unready = new Set(
    [...byId.values(), ...byExternalId.values()].filter(({ isLive }) => !isLive).map(({ id }) => id),
  )
  if (unready.size === 0) return []
  const some = [...unready].slice(0, MAX_DETAILS).join(', ')
  const message = `These documents are not ready and count as missed: ${some}.`
  return [{ code: 'document_not_ready', message, param: 'questions' }]
}

/**
 * Quality of the first places of a ranking for one question; all but `rank` are between 0 and 1.
 */
type RankingMetrics = {
  /** Rank of the first relevant document, from 1; `null` if none is found. */
  rank: number | null
  ndcg: number
  recall: number
  reciprocalRank: number
  precision: number
}

/**
 * Judges the first `depth` places of a ranking without duplicates. `gains` holds the relevant names
 * with gains above 0. All metrics are 0 if nothing is relevant.
 * - nDCG: gains over log2(rank + 1), relative to the ideal order. Järvelin and Kekäläinen,
 * "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20(4), 2002. The discount applies to
 * every rank, as in Burges et al., "Learning to rank using gradient descent", ICML 2005.
 * - Recall and precision: the share of relevant documents that were found, and the share of places
 * that are relevant. Manning, Raghavan and Schütze, "Introduction to Information Retrieval", 2008,
 * chapter 8. An empty place counts as not relevant.
 * - Reciprocal rank: 1 / `rank`, 0 without a rank. Voorhees, "The TREC-8 question answering track
 * report", 1999.
 */
export function measureRanking(
  ranked: readonly string[],
  { gains, depth }: { gains: ReadonlyMap<string, number>; depth: number },
): RankingMetrics {
  const found = ranked.slice(0, depth).map((name) => gains.get(name) ?? 0)
  const ideal = [...gains.values()].sort((a, b) => b - a).slice(0, depth)
  const first = found.findIndex((gain) => gain > 0)
  const relevant = found.filter((gain) => gain > 0).length
  return {
    rank: first < 0 ? null : first + 1,
    ndcg: ideal.length === 0 ? 0 : sumDiscounted(found) / sumDiscounted(ideal),
    recall: gains.size === 0 ? 0 : relevant / gains.size,
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
    precision: relevant / depth,
  }
}

function sumDiscounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}
