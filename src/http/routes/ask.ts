import type { Static } from 'typebox'
import { ASK, JSON_BODY_BYTES, MAX_REQUEST_BODY_BYTES } from '../../limits.ts'
import type { AskRequest } from '../../service/services.ts'
import { ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { AskAnswerSchema, AskBody, AskOnceAnswerSchema, AskOnceBody } from '../schemas/ask.ts'
import { countQuery } from './count-query.ts'
import { pathParameter } from './path-parameter.ts'

function toAskRequest(
  question: string,
  model: string | undefined,
  { maxContextChunks, includeSources }: NonNullable<Static<typeof AskOnceBody>['options']>,
): AskRequest {
  return {
    question,
    model: model ?? ASK.model,
    maxContextChunks: maxContextChunks ?? ASK.contextChunks.default,
    includeSources: includeSources ?? false,
  }
}

/** API document, "Ask". */
export const ASK_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/ask',
    operationId: 'ask',
    summary: 'Answer a question from a memory, with citations',
    tag: 'Ask',
    access: 'memory',
    body: AskBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 200: { description: 'The answer, also where there is none.', schema: AskAnswerSchema } },
    errors: ['memory_not_found', 'query_quota_exceeded', 'model_failed'],
    handle: async ({ services, caller, params, body, warnings, signal }) => {
      const memoryId = pathParameter(params, 'id')
      const { question, options = {} } = body
      const request = toAskRequest(question, options.model, options)
      await countQuery(services, caller, memoryId)
      const answer = await services.ask.ask(caller, memoryId, request, signal)
      return ok({ ...answer, warnings: [...warnings, ...answer.warnings] })
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/ask-once',
    operationId: 'askOnce',
    summary: 'Answer a question over a text of the request; nothing of it is kept',
    tag: 'Ask',
    access: 'organization',
    body: AskOnceBody,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: { 200: { description: 'The answer, also where there is none.', schema: AskOnceAnswerSchema } },
    errors: ['query_quota_exceeded', 'model_failed'],
    handle: async ({ services, caller, body, warnings, signal }) => {
      const { question, content, model, options = {} } = body
      await services.account.countQuery(caller)
      const answer = await services.ask.askOnce({ ...toAskRequest(question, model, options), content }, signal)
      return ok({ ...answer, warnings: [...warnings, ...answer.warnings] })
    },
  }),
]
