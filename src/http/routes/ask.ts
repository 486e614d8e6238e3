import type { Readable } from 'node:stream'
import type { Static } from 'typebox'
import {
  type AskAnswer,
  AskAnswerSchema,
  AskBody,
  type AskOnceAnswer,
  AskOnceAnswerSchema,
  AskOnceBody,
} from '../../api/ask.ts'
import { ExtractAnswerSchema, ExtractBody } from '../../api/extract.ts'
import type { Warning } from '../../api/values.ts'
import { ASK, EXTRACTION, JSON_BODY_BYTES, MAX_REQUEST_BODY_BYTES } from '../../limits.ts'
import type { AskEvent, AskRequest } from '../../services/ask/ask-service.ts'
import type { ExtractRequest } from '../../services/extract/extract-service.ts'
import { limitWarnings } from '../../services/warning.ts'
import { ok } from '../answers/answers.ts'
import { eventStream, prefersEvents, type ServerEvent } from '../answers/event-stream.ts'
import { type Answer, defineRoute, type Route } from '../route.ts'
import { pathParameter } from './parameters.ts'
import { countQuery, queryBytes } from './query-cost.ts'

/** Of a text in a request so many are ranked at most (`services/ask/find-in-content.ts`); the text itself has room as a body. */
const MAX_CONTENT_PASSAGES = 400

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

const EVENTS =
  'Events token (text, a further piece of the answer) and citation, then done with the whole answer, ' +
  'or error with the error. What done holds is what counts.'

type Told = { warnings: readonly Warning[]; signal: AbortSignal; describeError(error: unknown): object }

/** What `done` holds is the answer of JSON, which a request that comes again gets. */
function toStream(events: AsyncIterable<AskEvent<AskAnswer | AskOnceAnswer>>, told: Told): Answer<200, Readable> {
  const { promise, resolve } = Promise.withResolvers<Answer | null>()
  // Who leaves before the first event reads none, and nothing else would tell.
  told.signal.addEventListener('abort', () => resolve(null), { once: true })
  if (told.signal.aborted) resolve(null)
  return { ...eventStream(toEvents(events, told, resolve)), whole: promise }
}

/** An error that comes now can no longer be the status of the answer. */
async function* toEvents(
  events: AsyncIterable<AskEvent<AskAnswer | AskOnceAnswer>>,
  { warnings, signal, describeError }: Told,
  end: (whole: Answer | null) => void,
): AsyncGenerator<ServerEvent> {
  try {
    for await (const event of events) {
      if (event.type === 'token') yield { event: 'token', data: { text: event.text } }
      else if (event.type === 'citation') yield { event: 'citation', data: event.citation }
      else {
        const whole = withWarnings(event.answer, warnings)
        end(ok<object>(whole))
        yield { event: 'done', data: whole }
      }
    }
  } catch (error) {
    // Who left does not wait for an error.
    if (!signal.aborted) yield { event: 'error', data: describeError(error) }
  } finally {
    end(null)
  }
}

function withWarnings<Answer extends AskAnswer | AskOnceAnswer>(answer: Answer, warnings: readonly Warning[]): Answer {
  return { ...answer, warnings: [...warnings, ...answer.warnings] }
}

/** API document, "Ask". */
export const ASK_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/ask',
    operationId: 'ask',
    summary: 'Answer a question from a memory, with citations',
    description:
      'Retrieves passages and answers from them, with citations. Without a language model the answer ' +
      'quotes the best sentences. Where nothing relevant is found, answered is false. It costs one query ' +
      'of the plan.',
    tag: 'Ask',
    mayBeUnkept: true,
    access: 'memory',
    body: AskBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 200: { description: 'The answer, also where there is none.', schema: AskAnswerSchema, events: EVENTS } },
    errors: ['memory_not_found', 'query_quota_exceeded', 'model_failed'],
    handle: async (context) => {
      const { services, caller, body, signal } = context
      const memoryId = pathParameter(context.params, 'id')
      const { question, options = {} } = body
      const request = toAskRequest(question, options.model, options)
      context.reserveMemory(queryBytes({ characters: question.length, hits: request.maxContextChunks }))
      const searched = await countQuery(services, caller, memoryId)
      if (prefersEvents(context.headers.accept)) {
        return toStream(await services.ask.streamAsk(searched, request, signal), context)
      }
      return ok(withWarnings(await services.ask.ask(searched, request, signal), context.warnings))
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/ask-once',
    operationId: 'askOnce',
    summary: 'Answer a question over a text of the request; nothing of it is kept',
    description:
      'Answers over a text that the request carries. No memory is involved, and nothing of the text or the ' +
      'answer is kept. It costs one query of the plan.',
    tag: 'Ask',
    access: 'organization',
    body: AskOnceBody,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    // The answer quotes the content, of which nothing may be kept.
    keepsNothing: true,
    answers: {
      200: { description: 'The answer, also where there is none.', schema: AskOnceAnswerSchema, events: EVENTS },
    },
    errors: ['query_quota_exceeded', 'model_failed'],
    handle: async (context) => {
      const { services, caller, body, signal } = context
      const { question, content, model, options = {} } = body
      const request = { ...toAskRequest(question, model, options), content }
      context.reserveMemory(queryBytes({ characters: question.length, hits: MAX_CONTENT_PASSAGES }))
      await services.account.countQuery(caller)
      if (prefersEvents(context.headers.accept)) {
        return toStream(await services.ask.streamAskOnce(request, signal), context)
      }
      return ok(withWarnings(await services.ask.askOnce(request, signal), context.warnings))
    },
  }),
]

/** Those of all fields are held until the values are read (`services/extract/extract-service.ts`). */
const PASSAGES_PER_FIELD = 12

function toExtractRequest({ sections, context }: Static<typeof ExtractBody>): ExtractRequest {
  return {
    sections: sections.map(({ id, name, fields }) => ({
      id,
      name,
      fields: fields.map(({ key, label, data_type: hint }) => ({ key, label, dataType: hint ?? null })),
    })),
    context: context ?? null,
  }
}

/** API document, "Structured extraction". It costs no query of the plan. */
export const EXTRACT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/extract',
    operationId: 'extract',
    summary: 'Fill a schema of sections and fields from a memory',
    description:
      'Reads a value for each field of a schema, with the place where it stands. A field that is not found ' +
      'is null, never a guess.',
    tag: 'Structured extraction',
    mayBeUnkept: true,
    access: 'memory',
    body: ExtractBody,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: { 200: { description: 'The values, each with its source.', schema: ExtractAnswerSchema } },
    errors: ['memory_not_found', 'model_failed'],
    handle: async ({ services, caller, params, body, warnings, signal, reserveMemory }) => {
      const memoryId = pathParameter(params, 'id')
      const fields = body.sections.reduce((sum, section) => sum + section.fields.length, 0)
      reserveMemory(queryBytes({ characters: 0, hits: Math.min(fields, EXTRACTION.fields) * PASSAGES_PER_FIELD }))
      const answer = await services.extract.extract(caller, memoryId, { ...toExtractRequest(body), signal })
      return ok({ ...answer, warnings: limitWarnings([...warnings, ...answer.warnings]) })
    },
  }),
]
