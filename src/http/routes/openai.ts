import type { Readable } from 'node:stream'
import type { Static } from 'typebox'
import type { AskAnswer } from '../../api/ask.ts'
import type { MemoryResource } from '../../api/memory.ts'
import {
  type Annotation,
  type ChatAnswer,
  ChatAnswerSchema,
  ChatBody,
  EmbeddingsBody,
  EmbeddingsSchema,
  ModelListSchema,
  type ModelResource,
  ModelSchema,
  OPENAI_LIMITS,
  type StoreResult,
  StoreSearchBody,
  StoreSearchSchema,
} from '../../api/openai.ts'
import type { Warning } from '../../api/values.ts'
import { invalid } from '../../errors.ts'
import { ASK, CONVERSATION, FILTER, HITS, JSON_BODY_BYTES, PAGE_LIMIT, QUERY_CHARACTERS } from '../../limits.ts'
import type { EarlierMessage } from '../../services/ask/answer-generator.ts'
import type { AskEvent, AskRequest } from '../../services/ask/ask-service.ts'
import type { Caller } from '../../services/caller.ts'
import { type DocumentFilter, readFilter } from '../../services/filters/read-filter.ts'
import type { Services } from '../../services/services.ts'
import { ok } from '../answers/answers.ts'
import { eventStream, type ServerEvent } from '../answers/event-stream.ts'
import { type Answer, defineRoute, type Route } from '../route.ts'
import { pathParameter } from './parameters.ts'
import { countQuery, estimateQueryBytes } from './query-cost.ts'

const OWNER = 'recollect'

function toModel({ id, name, createdAt }: MemoryResource): ModelResource {
  return { id, object: 'model', created: toSeconds(Date.parse(createdAt)), owned_by: OWNER, name }
}

function toEmbeddingModel(name: string): ModelResource {
  return { id: name, object: 'model', created: 0, owned_by: OWNER, name }
}

function toSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000)
}

async function listMemoryModels(services: Services, caller: Caller): Promise<ModelResource[]> {
  const models: ModelResource[] = []
  for (let cursor: string | null = null; models.length < OPENAI_LIMITS.models; ) {
    const page = await services.memories.list(caller, { projectId: null }, { limit: PAGE_LIMIT.memories, cursor })
    models.push(...page.memories.map(toModel))
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  return models.slice(0, OPENAI_LIMITS.models)
}

type ChatMessage = Static<typeof ChatBody>['messages'][number]

function textOf({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n')
}

/** The latest messages before the question, without instructions and calls of tools. */
function listEarlier(messages: readonly ChatMessage[]): EarlierMessage[] {
  const said = messages.slice(0, -1).flatMap((message) => {
    const { role } = message
    const text = textOf(message).slice(0, CONVERSATION.messageCharacters).toWellFormed()
    return (role === 'user' || role === 'assistant') && text !== '' ? [{ role, text }] : []
  })
  return said.slice(-CONVERSATION.messages)
}

/** The last question of a conversation. Throws `validation_failed` for another last message. */
function readQuestion(messages: readonly ChatMessage[]): string {
  const last = messages.at(-1)
  const question = last === undefined ? '' : textOf(last)
  const param = `messages[${messages.length - 1}].content`
  if (last?.role !== 'user' || question.trim() === '') throw invalid(param, 'must be a question of the user')
  if (question.length > QUERY_CHARACTERS) throw invalid(param, `must have at most ${QUERY_CHARACTERS} characters`)
  return question.toWellFormed()
}

function toAnnotation(
  memoryId: string,
  { documentId, title, answerStart, answerEnd }: AskAnswer['citations'][number],
): Annotation {
  const url = `/v1/memories/${memoryId}/documents/${documentId}/text`
  return {
    type: 'url_citation',
    url_citation: { url, title: title ?? documentId, start_index: answerStart, end_index: answerEnd },
  }
}

/** Facts of a chat completion that are known before the answer. */
type Completion = { id: string; created: number; memoryId: string; warnings: readonly Warning[] }

function toUsage({ usage: { promptTokens, completionTokens, totalTokens } }: AskAnswer): ChatAnswer['usage'] {
  return { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens }
}

/** Fields of ask. The citations of a draft are not those of the answer. */
function toAskFields(answer: AskAnswer, { warnings }: Completion) {
  const { answered, confidence } = answer
  const citations = answered ? answer.citations : []
  return { answered, confidence, citations, warnings: [...warnings, ...answer.warnings] }
}

function toChatAnswer(answer: AskAnswer, completion: Completion): ChatAnswer {
  const { id, created, memoryId } = completion
  const fields = toAskFields(answer, completion)
  const annotations = fields.citations.map((citation) => toAnnotation(memoryId, citation))
  const message = { role: 'assistant' as const, content: answer.answer, refusal: null, annotations }
  return {
    ...{ id, object: 'chat.completion', created, model: memoryId },
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: toUsage(answer),
    ...fields,
  }
}

type ChatStream = Completion & {
  hasUsage: boolean
  signal: AbortSignal
  describeError(error: unknown): object
}

/** Chunks of an answer, ended by `[DONE]`. */
async function* toChunks(events: AsyncIterable<AskEvent<AskAnswer>>, stream: ChatStream): AsyncGenerator<ServerEvent> {
  const { id, created, memoryId: model, hasUsage, signal, describeError } = stream
  const base = { id, object: 'chat.completion.chunk', created, model }
  const chunk = (delta: object, finish: 'stop' | null = null, more: object = {}): ServerEvent => ({
    data: { ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...more },
  })
  try {
    yield chunk({ role: 'assistant', content: '' })
    for await (const event of events) {
      if (event.type === 'token') yield chunk({ content: event.text })
      if (event.type !== 'done') continue
      const { answer } = event
      // The tokens were those of the draft, which the sources do not support.
      if (answer.draft !== undefined) yield chunk({ content: `\n\n${answer.answer}` })
      const fields = toAskFields(answer, stream)
      const annotations = fields.citations.map((citation) => toAnnotation(model, citation))
      yield chunk({ annotations }, 'stop', fields)
      if (hasUsage) yield { data: { ...base, choices: [], usage: toUsage(answer) } }
    }
    yield { data: '[DONE]' }
  } catch (error) {
    if (!signal.aborted) yield { data: describeError(error) }
  }
}

function toStream(events: AsyncIterable<AskEvent<AskAnswer>>, stream: ChatStream): Answer<200, Readable> {
  return eventStream(toChunks(events, stream))
}

/** Operators of OpenAI's filters, which are named as those of metadata. */
const COMPARISONS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin'] as const
const GROUPS = ['and', 'or'] as const
const FILTERS_PARAM = 'filters'

/** Reads a filter of OpenAI as conditions on metadata. Throws `validation_failed`. */
function readStoreFilter(filters: Record<string, unknown> | undefined): DocumentFilter | null {
  return filters === undefined ? null : readFilter({ metadata: toConditions(filters, 0) }, FILTERS_PARAM)
}

function toConditions(filter: unknown, depth: number): Record<string, unknown> {
  const { type, key, value, filters } = Object(filter) as Record<string, unknown>
  const isGroup = GROUPS.some((name) => name === type) && Array.isArray(filters) && depth < FILTER.depth
  if (isGroup) return { [`$${type}`]: filters.map((one) => toConditions(one, depth + 1)) }
  if (COMPARISONS.some((name) => name === type) && typeof key === 'string' && !key.startsWith('$'))
    return { [key]: { [`$${type}`]: value } }
  const types = [...COMPARISONS, ...GROUPS].join(', ')
  const shapes = `{"type", "key", "value"}, or {"type", "filters"} at most ${FILTER.depth} deep`
  throw invalid(FILTERS_PARAM, `must be ${shapes}. Types: ${types}`)
}

/** Vectors as numbers, or as base64 of little-endian 32-bit floats. */
function encodeVectors(vectors: readonly Float32Array[], format: 'float' | 'base64') {
  return vectors.map((vector, index) => ({
    object: 'embedding' as const,
    index,
    embedding: format === 'float' ? [...vector] : encodeFloats(vector),
  }))
}

function encodeFloats(vector: Float32Array): string {
  const bytes = Buffer.alloc(4 * vector.length)
  vector.forEach((number, place) => void bytes.writeFloatLE(number, 4 * place))
  return bytes.toString('base64')
}

/** Endpoints of OpenAI's API, for its clients (docs/guides/openai.md). */
export const OPENAI_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    url: '/v1/models',
    operationId: 'listModels',
    summary: 'List memories and embedding models as models',
    description: 'Lists the embedding models, and the memories as models that answer, for clients of OpenAI.',
    tag: 'OpenAI',
    access: 'memory',
    answers: { 200: { description: 'The models.', schema: ModelListSchema } },
    errors: [],
    handle: async ({ services, caller, reserveMemory }) => {
      reserveMemory(estimateQueryBytes({ characters: 0, hits: OPENAI_LIMITS.models }))
      const memories = await listMemoryModels(services, caller)
      return ok({ object: 'list', data: [...services.search.embeddingModels.map(toEmbeddingModel), ...memories] })
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/models/:id',
    operationId: 'getModel',
    summary: 'Get a memory or an embedding model as a model',
    description: 'Returns a memory, by ID or name, or an embedding model, for clients of OpenAI.',
    tag: 'OpenAI',
    access: 'memory',
    answers: { 200: { description: 'The model.', schema: ModelSchema } },
    errors: ['memory_not_found'],
    handle: async ({ services, caller, params }) => {
      const name = pathParameter(params, 'id')
      if (services.search.embeddingModels.includes(name)) return ok(toEmbeddingModel(name))
      return ok(toModel(await services.memories.getByName(caller, name)))
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/chat/completions',
    operationId: 'createChatCompletion',
    summary: 'Answer the last message of a conversation',
    description:
      'Answers like ask, for clients of OpenAI: `model` is a memory, the last message of the user is the question. ' +
      'Messages before it complete a follow-up question. Parameters of sampling are ignored. Counts as one query.',
    tag: 'OpenAI',
    access: 'memory',
    role: 'reader',
    body: ChatBody,
    maxBodyBytes: JSON_BODY_BYTES,
    replayable: false,
    answers: {
      200: {
        description: 'The answer, including the case that the question could not be answered.',
        schema: ChatAnswerSchema,
        events:
          'Chunks `chat.completion.chunk` without an event name, then `[DONE]`. The last chunk has the citations.',
      },
    },
    errors: ['memory_not_found', 'query_quota_exceeded', 'model_failed'],
    handle: async (context) => {
      const { services, caller, body, signal } = context
      const question = readQuestion(body.messages)
      const { id: memoryId } = await services.memories.getByName(caller, body.model)
      const request: AskRequest = {
        ...{
          question,
          earlier: listEarlier(body.messages),
          model: null,
          maxContextChunks: ASK.contextChunks.default,
          includeSources: false,
        },
      }
      context.reserveMemory(estimateQueryBytes({ characters: question.length, hits: request.maxContextChunks }))
      const searched = await countQuery(services, caller, memoryId)
      const created = toSeconds(context.serviceInfo.now().getTime())
      const completion = { id: `chatcmpl-${context.requestId}`, created, memoryId, warnings: context.warnings }
      if (body.stream !== true) return ok(toChatAnswer(await services.ask.ask(searched, request, signal), completion))
      const hasUsage = body.stream_options?.include_usage === true
      const stream = { ...completion, hasUsage, signal, describeError: context.describeError }
      return toStream(await services.ask.streamAsk(searched, request, signal), stream)
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/embeddings',
    operationId: 'createEmbeddings',
    summary: 'Embed texts',
    description: 'Embeds texts with an embedding model of this server, for clients of OpenAI. Counts as one query.',
    tag: 'OpenAI',
    access: 'memory',
    role: 'reader',
    body: EmbeddingsBody,
    maxBodyBytes: JSON_BODY_BYTES,
    replayable: false,
    answers: { 200: { description: 'The vectors.', schema: EmbeddingsSchema } },
    errors: ['model_not_found', 'query_quota_exceeded', 'model_failed'],
    handle: async ({ services, caller, body, signal, reserveMemory }) => {
      const { model, input, encoding_format: format = 'float', dimensions } = body
      const texts = typeof input === 'string' ? [input] : input
      reserveMemory(estimateQueryBytes({ characters: texts.join('').length, hits: texts.length }))
      await services.account.countQuery(caller)
      const vectors = await services.search.embed(model, texts, signal)
      const length = vectors[0]?.length ?? 0
      if (dimensions !== undefined && dimensions !== length) throw invalid('dimensions', `must be ${length}`)
      const usage = { prompt_tokens: 0, total_tokens: 0 }
      return ok({ object: 'list', data: encodeVectors(vectors, format), model, usage })
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/vector_stores/:id/search',
    operationId: 'searchVectorStore',
    summary: 'Search a memory as a vector store',
    description: 'Works like find, for clients of OpenAI. Counts as one query.',
    tag: 'OpenAI',
    isSafeToRepeat: true,
    access: 'memory',
    role: 'reader',
    body: StoreSearchBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 200: { description: 'The passages.', schema: StoreSearchSchema } },
    errors: ['memory_not_found', 'query_quota_exceeded'],
    handle: async ({ services, caller, params, body, signal, reserveMemory }) => {
      const { query: asked, max_num_results: limit = HITS.default, ranking_options: ranking = {} } = body
      const query = typeof asked === 'string' ? asked : asked.join(' ')
      reserveMemory(estimateQueryBytes({ characters: query.length, hits: limit }))
      const searched = await countQuery(services, caller, pathParameter(params, 'id'))
      const filter = readStoreFilter(body.filters)
      const minScore = ranking.score_threshold ?? 0
      const find = { query, limit, mode: 'auto', highlight: false, filter, minScore, signal } as const
      const { hits } = await services.search.find(searched, find)
      const data = hits.map(({ documentId, filename, title, score, metadata, text }): StoreResult => {
        const name = filename ?? title ?? documentId
        return { file_id: documentId, filename: name, score, attributes: metadata, content: [{ type: 'text', text }] }
      })
      const page = { search_query: [query], data, has_more: false, next_page: null }
      return ok({ object: 'vector_store.search_results.page', ...page })
    },
  }),
]
