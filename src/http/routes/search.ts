import type { Static } from 'typebox'
import { EvaluateBody, EvaluationSchema } from '../../api/evaluate.ts'
import { FindAnswerSchema, FindBody, SearchAnswerSchema, SearchBody } from '../../api/search.ts'
import {
  EVALUATION,
  FIND_BODY_BYTES,
  HITS,
  JSON_BODY_BYTES,
  MAX_REQUEST_BODY_BYTES,
  QUERY_CHARACTERS,
} from '../../limits.ts'
import type { EvaluateRequest } from '../../services/search/evaluate-service.ts'
import type { FindRequest } from '../../services/search/search.ts'
import { ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { pathParameter } from './parameters.ts'
import { countQuery, queryBytes } from './query-cost.ts'

function toFindRequest({ query, topK, options = {} }: Static<typeof FindBody>): FindRequest {
  const { tags = [], documentIds = null, metadata = {} } = options.filter ?? {}
  return {
    query,
    limit: options.limit ?? topK ?? HITS.default,
    mode: options.mode ?? 'auto',
    highlight: options.highlight ?? false,
    filter: { tags, documentIds, metadata },
    ...(options.explain === undefined ? {} : { explain: options.explain }),
    ...(options.explainDocumentId === undefined ? {} : { explainDocumentId: options.explainDocumentId }),
  }
}

function toEvaluateRequest({ questions, topK, modes }: Static<typeof EvaluateBody>): EvaluateRequest {
  return {
    questions: questions.map(({ query, documentIds = [], externalIds = [], grades = {} }) => {
      return { query, documentIds, externalIds, grades }
    }),
    topK: topK ?? HITS.default,
    modes: [...new Set(modes ?? (['lexical', 'semantic', 'hybrid'] as const))],
  }
}

/** API document, "Search". */
export const SEARCH_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/find',
    operationId: 'find',
    summary: 'Find passages: hybrid, semantic or lexical',
    description:
      'Searches by words, by meaning or by both. No word of the query has to stand in a passage. It costs ' +
      'one query of the plan.',
    tag: 'Search',
    mayBeUnkept: true,
    access: 'memory',
    body: FindBody,
    maxBodyBytes: FIND_BODY_BYTES,
    answers: { 200: { description: 'The passages, best first.', schema: FindAnswerSchema } },
    errors: ['memory_not_found', 'query_quota_exceeded'],
    handle: async ({ services, caller, params, body, warnings, signal, reserveMemory }) => {
      const memoryId = pathParameter(params, 'id')
      const { query, limit: hits, explain = false } = toFindRequest(body)
      reserveMemory(queryBytes({ characters: query.length, hits, explain }))
      const searched = await countQuery(services, caller, memoryId)
      const answer = await services.search.find(searched, { ...toFindRequest(body), signal })
      return ok({ ...answer, warnings: [...warnings, ...answer.warnings] })
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/search',
    operationId: 'search',
    summary: 'Find passages with the defaults of the service',
    description:
      'Searches as find does, with the defaults of the service and a shorter answer. It costs one query of the plan.',
    tag: 'Search',
    mayBeUnkept: true,
    access: 'memory',
    body: SearchBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 200: { description: 'The passages, best first.', schema: SearchAnswerSchema } },
    errors: ['memory_not_found', 'query_quota_exceeded'],
    handle: async ({ services, caller, params, body, signal, reserveMemory }) => {
      const memoryId = pathParameter(params, 'id')
      reserveMemory(queryBytes({ characters: body.query.length, hits: body.limit ?? HITS.default }))
      const searched = await countQuery(services, caller, memoryId)
      const request = { query: body.query, limit: body.limit ?? HITS.default, signal }
      return ok(await services.search.search(searched, request))
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/evaluate',
    operationId: 'evaluate',
    summary: 'Ask questions whose answers are known, and measure how well each mode finds them',
    description:
      'Searches for every question in every mode and compares what is found with the documents that are ' +
      'known to answer. It costs no query of the plan.',
    tag: 'Search',
    mayBeUnkept: true,
    access: 'memory',
    body: EvaluateBody,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: { 200: { description: 'The figures by mode and by question.', schema: EvaluationSchema } },
    errors: ['memory_not_found', 'rate_limited', 'model_failed'],
    handle: async ({ services, caller, params, body, warnings, signal, closing, reserveMemory }) => {
      const memoryId = pathParameter(params, 'id')
      const request = toEvaluateRequest(body)
      // One search at a time, and a line of figures for each.
      const characters = request.questions.length * request.modes.length * EVALUATION.shownCharacters
      reserveMemory(queryBytes({ characters: QUERY_CHARACTERS, hits: HITS.max }) + characters)
      // It may take minutes, and nothing is lost: a service that stops does not wait for it.
      const until = AbortSignal.any([signal, closing])
      const answer = await services.evaluate.evaluate(caller, memoryId, { ...request, signal: until })
      return ok({ ...answer, warnings: [...warnings, ...answer.warnings] })
    },
  }),
]
