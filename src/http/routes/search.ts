import type { Static } from 'typebox'
import { EvaluateBody, EvaluationSchema } from '../../api/evaluate.ts'
import { FindAcrossBody, FindAnswerSchema, FindBody, SearchAnswerSchema, SearchBody } from '../../api/search.ts'
import {
  EVALUATION,
  FIND_BODY_BYTES,
  HITS,
  MAX_REQUEST_BODY_BYTES,
  QUERY_CHARACTERS,
  SEVERAL_MEMORIES,
} from '../../limits.ts'
import { readFilter } from '../../services/filters/read-filter.ts'
import type { EvaluateRequest } from '../../services/search/evaluate-service.ts'
import type { FindRequest } from '../../services/search/search.ts'
import { ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { pathParameter } from './parameters.ts'
import { countQuery, countQueryOfSeveral, estimateQueryBytes } from './query-cost.ts'

function toFindRequest({ query, topK, options = {} }: Static<typeof FindBody>): FindRequest {
  return {
    query,
    limit: options.limit ?? topK ?? HITS.default,
    ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
    mode: options.mode ?? 'auto',
    highlight: options.highlight ?? false,
    filter: readFilter(options.filter),
    ...(options.minScore === undefined ? {} : { minScore: options.minScore }),
    ...(options.collapseDuplicates === undefined ? {} : { collapseDuplicates: options.collapseDuplicates }),
    ...(options.explain === undefined ? {} : { explain: options.explain }),
    ...(options.explainDocumentId === undefined ? {} : { explainDocumentId: options.explainDocumentId }),
  }
}

function toEvaluateRequest({ questions, topK, modes, options }: Static<typeof EvaluateBody>): EvaluateRequest {
  return {
    questions: questions.map(({ query, documentIds = [], externalIds = [], grades = {} }) => {
      return { query, documentIds, externalIds, grades }
    }),
    topK: topK ?? HITS.default,
    modes: [...new Set(modes ?? (['lexical', 'semantic', 'hybrid'] as const))],
    filter: readFilter(options?.filter),
  }
}

/** API document, "Search". */
export const SEARCH_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/find',
    operationId: 'find',
    summary: 'Find passages',
    description:
      'Searches a memory: lexical (keywords), semantic (vectors) or hybrid (both). Semantic search also ' +
      'finds passages without any word of the query. Counts as one query.',
    tag: 'Search',
    isSafeToRepeat: true,
    access: 'memory',
    role: 'reader',
    body: FindBody,
    maxBodyBytes: FIND_BODY_BYTES,
    answers: { 200: { description: 'The hits, best first.', schema: FindAnswerSchema } },
    errors: ['memory_not_found', 'query_quota_exceeded', 'invalid_cursor'],
    handle: async ({ services, caller, params, body, warnings, signal, reserveMemory }) => {
      const memoryId = pathParameter(params, 'id')
      const request = toFindRequest(body)
      const { query, limit: hits, explain = false } = request
      reserveMemory(estimateQueryBytes({ characters: query.length, hits, explain }))
      const searched = await countQuery(services, caller, memoryId)
      const answer = await services.search.find(searched, { ...request, signal })
      return ok({ ...answer, warnings: [...warnings, ...answer.warnings] })
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/find',
    operationId: 'findAcross',
    summary: 'Find passages in several memories',
    description:
      'Searches several memories like find, and returns the best passages of all, each with its memory. Corrections ' +
      'apply to their own memory. Counts as one query.',
    tag: 'Search',
    isSafeToRepeat: true,
    access: 'memory',
    role: 'reader',
    body: FindAcrossBody,
    maxBodyBytes: FIND_BODY_BYTES,
    answers: { 200: { description: 'The hits, best first.', schema: FindAnswerSchema } },
    errors: ['memory_not_found', 'project_not_found', 'query_quota_exceeded'],
    handle: async ({ services, caller, body, warnings, signal, reserveMemory }) => {
      const { memoryIds, projectId, ...asked } = body
      const request = toFindRequest(asked)
      const { query, limit, explain = false } = request
      const hits = limit * (memoryIds?.length ?? SEVERAL_MEMORIES)
      reserveMemory(estimateQueryBytes({ characters: query.length, hits, explain }))
      const memories = await countQueryOfSeveral(services, caller, { memoryIds, projectId })
      const answer = await services.search.findAcross(memories, { ...request, signal })
      return ok({ ...answer, warnings: [...warnings, ...answer.warnings] })
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/search',
    operationId: 'search',
    summary: 'Find passages with default options',
    description: 'Works like find, with default options and a shorter response. Counts as one query.',
    tag: 'Search',
    isSafeToRepeat: true,
    access: 'memory',
    role: 'reader',
    body: SearchBody,
    maxBodyBytes: FIND_BODY_BYTES,
    answers: { 200: { description: 'The hits, best first.', schema: SearchAnswerSchema } },
    errors: ['memory_not_found', 'query_quota_exceeded'],
    handle: async ({ services, caller, params, body, signal, reserveMemory }) => {
      const memoryId = pathParameter(params, 'id')
      const { query, limit = HITS.default, options } = body
      const filter = readFilter(options?.filter)
      reserveMemory(estimateQueryBytes({ characters: query.length, hits: limit }))
      const searched = await countQuery(services, caller, memoryId)
      return ok(await services.search.search(searched, { query, limit, filter, signal }))
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/evaluate',
    operationId: 'evaluate',
    summary: 'Evaluate search quality',
    description:
      'Runs known questions in each mode and compares the results with the documents that answer them. ' +
      'Does not count as a query.',
    tag: 'Search',
    isSafeToRepeat: true,
    access: 'memory',
    role: 'reader',
    body: EvaluateBody,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: { 200: { description: 'Metrics per mode and per question.', schema: EvaluationSchema } },
    errors: ['memory_not_found', 'rate_limited', 'model_failed'],
    handle: async ({ services, caller, params, body, warnings, signal, closing, reserveMemory }) => {
      const memoryId = pathParameter(params, 'id')
      const request = toEvaluateRequest(body)
      // Searches run one at a time; each leaves a row of metrics.
      const characters = request.questions.length * request.modes.length * EVALUATION.shownCharacters
      reserveMemory(estimateQueryBytes({ characters: QUERY_CHARACTERS, hits: HITS.max }) + characters)
      // An evaluation can take minutes and is repeatable, so a shutdown does not wait for it.
      const until = AbortSignal.any([signal, closing])
      const answer = await services.evaluate.evaluate(caller, memoryId, { ...request, signal: until })
      return ok({ ...answer, warnings: [...warnings, ...answer.warnings] })
    },
  }),
]
