import type { Static } from 'typebox'
import { FindAnswerSchema, FindBody, SearchAnswerSchema, SearchBody } from '../../../api/search.ts'
import { FIND_BODY_BYTES, HITS, JSON_BODY_BYTES } from '../../../limits.ts'
import type { FindRequest } from '../../../services/search/find-request.ts'
import { ok } from '../../answers/answers.ts'
import { defineRoute, type Route } from '../../route.ts'
import { pathParameter } from '../path-parameter.ts'
import { countQuery } from './count-query.ts'
import { queryBytes } from './query-bytes.ts'

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

/** API document, "Search". */
export const SEARCH_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/find',
    operationId: 'find',
    summary: 'Find passages: hybrid, semantic or lexical',
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
]
