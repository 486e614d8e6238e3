import type { Kysely } from 'kysely'
import type { EvaluatedMode, EvaluationResource } from '../../api/evaluate.ts'
import type { Warning } from '../../api/values.ts'
import type { Tables } from '../../database/schema.ts'
import { measureRanking, type RankingFigures } from '../../engine/measure-ranking.ts'
import { EVALUATION } from '../../limits.ts'
import type { Caller } from '../caller.ts'
import { createTurns, type TakeTurn } from '../scheduling/turns.ts'
import { roundFigure } from '../search/figures.ts'
import type { SearchService } from '../search/search.ts'
import { openMemory } from '../search/search-service.ts'
import type { EvaluateRequest, EvaluateService } from './evaluation.ts'
import { type ResolvedQuestion, resolveQuestions } from './resolve-questions.ts'

/** What the service of evaluations is made of. */
export type EvaluateParts = { db: Kysely<Tables>; search: Pick<SearchService, 'rank'> }

/**
 * Asks questions whose answers are known as a find would, one search at a time in this process, so that finds of others go on beside it. A
 * document stands where its best passage does. Corrections come before all else by intention: they are passed over, but for those
 * that a question names.
 */
export function createEvaluateService({ db, search }: EvaluateParts): EvaluateService {
  const turns = createTurns({
    most: EVALUATION.atOnce,
    mostOfOrganization: EVALUATION.atOnceOfOrganization,
    works: 'evaluations',
  })
  return {
    async evaluate(caller, memoryId, request, signal) {
      await openMemory(db, caller, memoryId)
      const { questions, warnings } = await resolveQuestions(db, memoryId, request.questions)
      const asked = await turns.join(caller.organizationId, signal, (takeTurn) =>
        askAll({ db, search, takeTurn }, { caller, memoryId, questions, request, signal }),
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
  request: EvaluateRequest
  signal: AbortSignal
}

/** Question by question, so that no mode has a warmer memory file than the others. */
async function askAll(
  { db, search, takeTurn }: EvaluateParts & { takeTurn: TakeTurn },
  { caller, memoryId, questions, request: { modes, topK }, signal }: Asking,
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
