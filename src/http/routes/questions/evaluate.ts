import type { Static } from 'typebox'
import { EvaluateBody, EvaluationSchema } from '../../../api/evaluate.ts'
import { EVALUATION, HITS, MAX_REQUEST_BODY_BYTES, QUERY_CHARACTERS } from '../../../limits.ts'
import type { EvaluateRequest } from '../../../services/evaluate/evaluate-service.ts'
import { ok } from '../../answers/answers.ts'
import { defineRoute, type Route } from '../../route.ts'
import { pathParameter } from '../path-parameter.ts'
import { queryBytes } from './query-bytes.ts'

function toEvaluateRequest({ questions, topK, modes }: Static<typeof EvaluateBody>): EvaluateRequest {
  return {
    questions: questions.map(({ query, documentIds = [], externalIds = [], grades = {} }) => {
      return { query, documentIds, externalIds, grades }
    }),
    topK: topK ?? HITS.default,
    modes: [...new Set(modes ?? (['lexical', 'semantic', 'hybrid'] as const))],
  }
}

/** Contract, "Evaluate". It costs no query of the plan. */
export const EVALUATE_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/evaluate',
    operationId: 'evaluate',
    summary: 'Ask questions whose answers are known, and measure how well each mode finds them',
    tag: 'Search',
    mayBeUnkept: true,
    access: 'memory',
    body: EvaluateBody,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: { 200: { description: 'The figures by mode and by question.', schema: EvaluationSchema } },
    errors: ['memory_not_found', 'rate_limited', 'model_failed'],
    handle: async ({ services, caller, params, body, warnings, signal, closing, reserveMemory }) => {
      const memoryId = pathParameter(params, 'id')
      const { questions, modes } = toEvaluateRequest(body)
      // One search at a time, and a line of figures for each.
      const characters = questions.length * modes.length * EVALUATION.shownCharacters
      reserveMemory(queryBytes({ characters: QUERY_CHARACTERS, hits: HITS.max }) + characters)
      // It may take minutes, and nothing is lost: a service that stops does not wait for it.
      const until = AbortSignal.any([signal, closing])
      const answer = await services.evaluate.evaluate(caller, memoryId, toEvaluateRequest(body), until)
      return ok({ ...answer, warnings: [...warnings, ...answer.warnings] })
    },
  }),
]
