import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import {
  AskAcrossBody,
  type AskAnswer,
  AskAnswerSchema,
  AskBody,
  type AskOnceAnswer,
  AskOnceAnswerSchema,
  AskOnceBody,
} from '../../api/ask.ts'
import { ExtractAnswerSchema, ExtractBody } from '../../api/extract.ts'
import type { Warning } from '../../api/values.ts'
import { invalid } from '../../errors.ts'
import { ASK, EXTRACTION, FIND_BODY_BYTES, MAX_REQUEST_BODY_BYTES, SEVERAL_MEMORIES } from '../../limits.ts'
import type { AskEvent, AskRequest, AskService } from '../../services/ask/ask-service.ts'
import type { ExtractRequest } from '../../services/extract/extract-service.ts'
import { readFilter } from '../../services/filters/read-filter.ts'
import { limitWarnings } from '../../services/paging.ts'
import { hasVisibleText } from '../../text/characters.ts'
import { ok } from '../answers/answers.ts'
import { eventStream, prefersEvents, type ServerEvent } from '../answers/event-stream.ts'
import { type Answer, defineRoute, type PublicContext, type Route } from '../route.ts'
import { pathParameter } from './parameters.ts'
import { countQuery, countQueryOfSeveral, estimateQueryBytes } from './query-cost.ts'

/**
 * Maximum number of ranked passages of a request text (`services/ask/find-in-content.ts`). The
 * request body budget covers the text.
 */
const MAX_CONTENT_PASSAGES = 400

/** Reads the question with the messages before it. Throws `validation_failed`. */
function readConversation({ question, messages }: Pick<Static<typeof AskBody>, 'question' | 'messages'>) {
  if (question !== undefined && messages !== undefined)
    throw invalid('messages', 'cannot be combined with question: send one of them')
  if (question !== undefined) return { question }
  if (messages === undefined) throw invalid('question', 'is required unless messages is given')
  const last = messages.at(-1)
  const param = `messages[${messages.length - 1}]`
  if (last?.role !== 'user') throw invalid(`${param}.role`, 'must be user: the last message is the question')
  if (!hasVisibleText(last.content)) throw invalid(`${param}.content`, 'must not be blank')
  const earlier = messages.slice(0, -1).map(({ role, content }) => ({ role, text: content }))
  return { question: last.content, earlier }
}

function toAskRequest(
  question: string,
  model: string | undefined,
  { maxContextChunks, minConfidence, includeSources }: NonNullable<Static<typeof AskOnceBody>['options']>,
): AskRequest {
  return {
    question,
    model: model ?? null,
    maxContextChunks: maxContextChunks ?? ASK.contextChunks.default,
    minConfidence,
    includeSources: includeSources ?? false,
  }
}

const EVENTS =
  'Events `token` (the next part of the answer) and `citation`, followed by `done` with the complete ' +
  'answer or `error` with an error. Only the answer in `done` is final.'

type StreamContext = { warnings: readonly Warning[]; signal: AbortSignal; describeError(error: unknown): object }

/** The `done` event carries the JSON response, which is also stored for replay. */
function toStream(
  events: AsyncIterable<AskEvent<AskAnswer | AskOnceAnswer>>,
  context: StreamContext,
): Answer<200, Readable> {
  const { promise, resolve } = Promise.withResolvers<Answer | null>()
  // A client that disconnects before the first event never iterates the stream, so only the signal
  // ends the wait.
  context.signal.addEventListener('abort', () => resolve(null), { once: true })
  if (context.signal.aborted) resolve(null)
  return { ...eventStream(toEvents(events, context, resolve)), finalAnswer: promise }
}

/** Errors after the first byte become an `error` event, because the status is already sent. */
async function* toEvents(
  events: AsyncIterable<AskEvent<AskAnswer | AskOnceAnswer>>,
  { warnings, signal, describeError }: StreamContext,
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
    // No error event for a disconnected client.
    if (!signal.aborted) yield { event: 'error', data: describeError(error) }
  } finally {
    end(null)
  }
}

function withWarnings<Answer extends AskAnswer | AskOnceAnswer>(answer: Answer, warnings: readonly Warning[]): Answer {
  return { ...answer, warnings: [...warnings, ...answer.warnings] }
}

type AskContext = StreamContext & Pick<PublicContext<TSchema, TSchema>, 'services' | 'headers'>

/** Answers from one or several memories, as events if the client prefers them. */
async function answerQuestion(
  context: AskContext,
  searched: Parameters<AskService['ask']>[0],
  request: AskRequest,
): Promise<Answer<200, AskAnswer | Readable>> {
  const { services, headers, warnings, signal } = context
  if (prefersEvents(headers.accept)) return toStream(await services.ask.streamAsk(searched, request, signal), context)
  return ok(withWarnings(await services.ask.ask(searched, request, signal), warnings))
}

/** API document, "Ask". */
export const ASK_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/ask',
    operationId: 'ask',
    summary: 'Answer a question with citations',
    description:
      'Retrieves passages of a memory and answers from them, with citations. Without a language model, ' +
      'the answer quotes the best sentences. If nothing relevant is found, `answered` is false. Counts ' +
      'as one query.',
    tag: 'Ask',
    isSafeToRepeat: true,
    access: 'memory',
    role: 'reader',
    body: AskBody,
    maxBodyBytes: FIND_BODY_BYTES,
    answers: {
      200: {
        description: 'The answer, including the case that the question could not be answered.',
        schema: AskAnswerSchema,
        events: EVENTS,
      },
    },
    errors: ['memory_not_found', 'query_quota_exceeded', 'model_failed'],
    handle: async (context) => {
      const { services, caller, body } = context
      const memoryId = pathParameter(context.params, 'id')
      const { options = {} } = body
      const { question, ...conversation } = readConversation(body)
      const filter = readFilter(options.filter)
      const request = { ...toAskRequest(question, options.model, options), ...conversation, filter }
      context.reserveMemory(estimateQueryBytes({ characters: question.length, hits: request.maxContextChunks }))
      const searched = await countQuery(services, caller, memoryId)
      return answerQuestion(context, searched, request)
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/ask',
    operationId: 'askAcross',
    summary: 'Answer a question from several memories',
    description:
      'Answers like ask, from the best passages of several memories. Citations and sources name their memory. ' +
      'Counts as one query.',
    tag: 'Ask',
    isSafeToRepeat: true,
    access: 'memory',
    role: 'reader',
    body: AskAcrossBody,
    maxBodyBytes: FIND_BODY_BYTES,
    answers: {
      200: {
        description: 'The answer, including the case that the question could not be answered.',
        schema: AskAnswerSchema,
        events: EVENTS,
      },
    },
    errors: ['memory_not_found', 'project_not_found', 'query_quota_exceeded', 'model_failed'],
    handle: async (context) => {
      const { services, caller, body } = context
      const { memoryIds, projectId, options = {} } = body
      const { question, ...conversation } = readConversation(body)
      const filter = readFilter(options.filter)
      const request = { ...toAskRequest(question, options.model, options), ...conversation, filter }
      const hits = request.maxContextChunks * (memoryIds?.length ?? SEVERAL_MEMORIES)
      context.reserveMemory(estimateQueryBytes({ characters: question.length, hits }))
      const memories = await countQueryOfSeveral(services, caller, { memoryIds, projectId })
      return answerQuestion(context, memories, request)
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/ask-once',
    operationId: 'askOnce',
    summary: 'Answer a question about a text in the request',
    description:
      'Answers a question about a text in the request. Neither the text nor the answer is stored. Counts ' +
      'as one query.',
    tag: 'Ask',
    access: 'organization',
    role: 'reader',
    body: AskOnceBody,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    // The answer quotes `content`, and `content` must never be stored.
    replayable: 'in-process',
    answers: {
      200: {
        description: 'The answer, including the case that the question could not be answered.',
        schema: AskOnceAnswerSchema,
        events: EVENTS,
      },
    },
    errors: ['query_quota_exceeded', 'model_failed'],
    handle: async (context) => {
      const { services, caller, body, signal } = context
      const { question, content, model, options = {} } = body
      const request = { ...toAskRequest(question, model, options), content }
      context.reserveMemory(estimateQueryBytes({ characters: question.length, hits: MAX_CONTENT_PASSAGES }))
      await services.account.countQuery(caller)
      if (prefersEvents(context.headers.accept)) {
        return toStream(await services.ask.streamAskOnce(caller, request, signal), context)
      }
      return ok(withWarnings(await services.ask.askOnce(caller, request, signal), context.warnings))
    },
  }),
]

/**
 * The passages of all fields stay in memory until extraction ends
 * (`services/extract/extract-service.ts`).
 */
const PASSAGES_PER_FIELD = 12

function toExtractRequest({ sections, context, options }: Static<typeof ExtractBody>): ExtractRequest {
  return {
    sections: sections.map(({ id, name, fields }) => ({
      id,
      name,
      fields: fields.map(({ key, label, data_type: hint }) => ({ key, label, dataType: hint ?? null })),
    })),
    context: context ?? null,
    filter: readFilter(options?.filter),
  }
}

/** API document, "Structured extraction". Extraction does not count as a query. */
export const EXTRACT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/extract',
    operationId: 'extract',
    summary: 'Extract structured data',
    description:
      'Extracts a value for each field of a schema, with its source. Fields without a value are null; ' +
      'values are never guessed. Does not count as a query.',
    tag: 'Structured extraction',
    isSafeToRepeat: true,
    access: 'memory',
    role: 'reader',
    body: ExtractBody,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: { 200: { description: 'The extracted values with their sources.', schema: ExtractAnswerSchema } },
    errors: ['memory_not_found', 'model_failed'],
    handle: async ({ services, caller, params, body, warnings, signal, reserveMemory }) => {
      const memoryId = pathParameter(params, 'id')
      const fields = body.sections.reduce((sum, section) => sum + section.fields.length, 0)
      reserveMemory(
        estimateQueryBytes({ characters: 0, hits: Math.min(fields, EXTRACTION.fields) * PASSAGES_PER_FIELD }),
      )
      const answer = await services.extract.extract(caller, memoryId, { ...toExtractRequest(body), signal })
      return ok({ ...answer, warnings: limitWarnings([...warnings, ...answer.warnings]) })
    },
  }),
]
