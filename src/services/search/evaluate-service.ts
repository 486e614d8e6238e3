import type { Kysely } from 'kysely'
import type { EvaluatedMode, EvaluationResource } from '../../api/evaluate.ts'
import type { Warning } from '../../api/values.ts'
import { type KnownDocument, listKnownDocuments } from '../../database/memories/documents-table.ts'
import type { Tables } from '../../database/schema.ts'
import { measureRanking, type RankingFigures } from '../../engine/measure-ranking.ts'
import { ApiError, type ErrorDetail } from '../../errors.ts'
import { isId } from '../../ids.ts'
import { EVALUATION } from '../../limits.ts'
import type { Caller } from '../caller.ts'
import { createFairLimiter, type TakeTurn } from '../fair-limiter.ts'
import { roundFigure } from './figures.ts'
import type { SearchService } from './search.ts'
import { openMemory } from './search-service.ts'

/** What the service of evaluations is made of. */
type EvaluateDeps = { db: Kysely<Tables>; search: Pick<SearchService, 'rank'> }

/**
 * Asks questions whose answers are known as a find would, one search at a time in this process, so that finds of others go on beside it. A
 * document stands where its best passage does. Corrections come before all else by intention: they are passed over, but for those
 * that a question names.
 */
export function createEvaluateService({ db, search }: EvaluateDeps): EvaluateService {
  const turns = createFairLimiter({
    most: EVALUATION.atOnce,
    mostOfOrganization: EVALUATION.atOnceOfOrganization,
    works: 'evaluations',
  })
  return {
    async evaluate(caller, memoryId, request) {
      await openMemory(db, caller, memoryId)
      const { questions, warnings } = await resolveQuestions(db, memoryId, request.questions)
      const asked = await turns.join(caller.organizationId, request.signal, (takeTurn) =>
        askAll({ db, search, takeTurn }, { caller, memoryId, questions, request }),
      )
      return describe(request, asked, warnings)
    },
  }
}

/** One question in one mode. */
type Asked = { index: number; query: string; mode: EvaluatedMode } & RankingFigures & {
    ms: number
    warnings: Warning[]
  }

type Asking = {
  caller: Caller
  memoryId: string
  questions: readonly ResolvedQuestion[]
  request: EvaluateRequest & Abortable
}

/** Question by question, so that no mode has a warmer memory file than the others. */
async function askAll(
  { db, search, takeTurn }: EvaluateDeps & { takeTurn: TakeTurn },
  { caller, memoryId, questions, request: { modes, topK, signal } }: Asking,
): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const [index, { query, gains }] of questions.entries()) {
    for (const mode of modes) {
      const { ranked, ms, warnings } = await takeTurn(async () => {
        const started = performance.now()
        // Minutes may pass between two questions, in which the memory's file is replaced.
        const searched = await openMemory(db, caller, memoryId)
        const found = await search.rank(searched, { query, mode, signal })
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
  asked: readonly Asked[],
  warnings: readonly Warning[],
): EvaluationResource {
  const inMode = modes.map((mode) => ({ mode, all: asked.filter((one) => one.mode === mode) }))
  return {
    questions: questions.length,
    topK,
    results: inMode.map(({ mode, all }) => ({
      mode,
      ndcg: mean(all.map(({ ndcg }) => ndcg)),
      recall: mean(all.map(({ recall }) => recall)),
      mrr: mean(all.map(({ reciprocalRank }) => reciprocalRank)),
      precision: mean(all.map(({ precision }) => precision)),
      meanMs: Math.round(mean(all.map(({ ms }) => ms)) * 10) / 10,
    })),
    perQuestion: asked.map(({ index, query, mode, rank, ndcg, recall }) => {
      const shown = query.slice(0, EVALUATION.shownCharacters).toWellFormed()
      return { index, query: shown, mode, rank, ndcg: roundFigure(ndcg), recall: roundFigure(recall) }
    }),
    warnings: [...warnings, ...inMode.flatMap(({ mode, all }) => sumWarnings(mode, all))],
  }
}

/** What the searches of a mode warned of, each kind once: a hundred questions mostly have the same to say. */
function sumWarnings(mode: EvaluatedMode, asked: readonly Asked[]): Warning[] {
  const byCode = new Map<string, Warning[]>()
  for (const warning of asked.flatMap(({ warnings }) => warnings)) {
    byCode.set(warning.code, [...(byCode.get(warning.code) ?? []), warning])
  }
  return [...byCode].map(([code, some]) => {
    const message = `${some.length} of ${asked.length} searches in mode ${mode}: ${some[0]?.message}`
    return { code, message, param: null }
  })
}

function mean(values: readonly number[]): number {
  return roundFigure(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length))
}

/** What is asked of an evaluation, and what it answers. */
/** A question whose answer is known: what stands in these documents of the memory. */
type KnownQuestion = {
  query: string
  documentIds: readonly string[]
  externalIds: readonly string[]
  /** How much each of them is worth, by its identifier as it stands above; 1 where none is given. */
  grades: Readonly<Record<string, number>>
}

/** What is evaluated: the questions, how many documents of each answer count, and the modes, each once. */
export type EvaluateRequest = {
  questions: readonly KnownQuestion[]
  topK: number
  modes: readonly EvaluatedMode[]
}

type Abortable = { signal: AbortSignal }

/** Evaluations of memories. */
export type EvaluateService = {
  /**
   * Asks a memory questions whose answers are known. Rejects with `validation_failed` that names every document which is not there, with `rate_limited`
   * where too many evaluations run, and with the reason of the request's signal.
   */
  evaluate(caller: Caller, memoryId: string, request: EvaluateRequest & Abortable): Promise<EvaluationResource>
}

/** A question with the gains of the documents that answer it, by their identifiers. */
type ResolvedQuestion = { query: string; gains: ReadonlyMap<string, number> }

/** Wrong fields named in one answer; more help nobody. */
const MAX_DETAILS = 50

/**
 * Looks up what the questions name, in one memory. Throws `validation_failed` that names every document which is not there, every question that
 * names none, and every grade of none of its documents. Documents that cannot be found yet are a warning.
 */
async function resolveQuestions(
  db: Kysely<Tables>,
  memoryId: string,
  questions: readonly KnownQuestion[],
): Promise<{ questions: ResolvedQuestion[]; warnings: Warning[] }> {
  const known = await listKnownDocuments(db, memoryId, {
    ids: [...new Set(questions.flatMap(({ documentIds }) => documentIds))].filter((id) => isId('doc', id)),
    externalIds: [...new Set(questions.flatMap(({ externalIds }) => externalIds))],
  })
  const details = questions.flatMap((question, index) => listWrong(question, `questions[${index}]`, known))
  throwWrong(details)
  return {
    questions: questions.map((question) => ({ query: question.query, gains: readGains(question, known) })),
    warnings: warnOfUnready(known),
  }
}

type Known = Awaited<ReturnType<typeof listKnownDocuments>>

function listWrong(question: KnownQuestion, at: string, { byId, byExternalId }: Known): ErrorDetail[] {
  const { documentIds, externalIds, grades } = question
  const named = new Set([...documentIds, ...externalIds])
  const message = 'names no document of this memory'
  const ofNone =
    named.size > 0 ? [] : [{ param: `${at}.documentIds`, message: 'must name a document, or externalIds must' }]
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
      named.has(id) ? [] : [{ param: `${at}.grades.${id.slice(0, 100)}`, message: 'is no document of this question' }],
    ),
  ]
}

function throwWrong(details: readonly ErrorDetail[]): void {
  const [first] = details
  if (first === undefined) return
  const { param } = first
  const message = `${param} ${first.message}`
  throw new ApiError('validation_failed', { message, param, details: details.slice(0, MAX_DETAILS) })
}

function readGains({ documentIds, externalIds, grades }: KnownQuestion, { byId, byExternalId }: Known) {
  const gains = new Map<string, number>()
  const take = (document: KnownDocument | undefined, name: string) => {
    if (document === undefined) return
    // What every object has, such as `constructor`, is no grade.
    const grade = Object.hasOwn(grades, name) ? (grades[name] ?? 1) : 1
    gains.set(document.id, Math.max(gains.get(document.id) ?? 0, grade))
  }
  for (const id of documentIds) take(byId.get(id), id)
  for (const id of externalIds) take(byExternalId.get(id), id)
  return gains
}

function warnOfUnready({ byId, byExternalId }: Known): Warning[] {
  const unready = new Set(
    [...byId.values(), ...byExternalId.values()].filter(({ isLive }) => !isLive).map(({ id }) => id),
  )
  if (unready.size === 0) return []
  const some = [...unready].slice(0, MAX_DETAILS).join(', ')
  const message = `Documents that are not ready cannot be found, and count as missed: ${some}.`
  return [{ code: 'document_not_ready', message, param: 'questions' }]
}
