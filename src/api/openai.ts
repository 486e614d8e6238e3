/**
 * Requests and responses for clients of OpenAI's API (platform.openai.com/docs/api-reference). A
 * memory is a model and a vector store. Field names are those of OpenAI; all others are optional
 * for its clients.
 */
import { type Static, Type } from 'typebox'
import { HITS, QUERY_CHARACTERS } from '../limits.ts'
import { ASK_EXAMPLES, AskAnswerSchema } from './ask.ts'
import { EARLIER, HANDBOOK, IDS, PASSAGE_TEXT, QUESTION } from './example-data.ts'
import { MetadataSchema, NON_BLANK } from './fields.ts'
import { MEMORY_EXAMPLE } from './memory.ts'
import { Count, Flag, List, Nullable, OneOf, Share, Text } from './values.ts'

/** Limits of OpenAI's API, except for the number of listed models, our choice. */
export const OPENAI_LIMITS = { messages: 1000, inputs: 2048, results: 50, models: 1000 } as const

const OBJECT = 'Type of the object.'
const SECONDS = Count('Time of creation, in seconds since 1970.')

/** A memory or an embedding model as a model. */
export const ModelSchema = Type.Object(
  {
    id: Text('ID of a memory, or name of an embedding model.'),
    object: OneOf(['model'], OBJECT),
    created: SECONDS,
    owned_by: Text('Always `recollect`.'),
    name: Text('Name of the memory, which `model` of a request accepts as well, or of the embedding model.'),
  },
  { description: 'A memory as a model that answers questions, or an embedding model.' },
)

/** A memory or an embedding model. */
export type ModelResource = Static<typeof ModelSchema>

/** Response of the list of models. */
export const ModelListSchema = Type.Object(
  { object: OneOf(['list'], OBJECT), data: List(ModelSchema, 'Embedding models, then memories, newest first.') },
  { description: `The models. At most ${OPENAI_LIMITS.models} memories are listed.` },
)

const PART = Type.Object({ type: OneOf(['text'], 'Always `text`.'), text: Text('Text of the part.') })
const MESSAGE = Type.Object({
  role: OneOf(['system', 'developer', 'user', 'assistant', 'tool', 'function'], 'Author of the message.'),
  content: Type.Optional(
    Type.Union([Type.String(), Type.Array(PART), Type.Null()], { description: 'Text, or parts of text.' }),
  ),
})

/** Request body of a chat completion. */
export const ChatBody = Type.Object({
  model: Type.String({ ...NON_BLANK, description: 'ID or name of the memory that answers.' }),
  messages: Type.Array(MESSAGE, {
    minItems: 1,
    maxItems: OPENAI_LIMITS.messages,
    description: 'Conversation. The last message must be a question of the user. Instructions are ignored.',
  }),
  stream: Type.Optional(
    Nullable(Type.Boolean(), 'If true, returns server-sent events: chunks of the answer, then `[DONE]`.'),
  ),
  stream_options: Type.Optional(
    Nullable(
      Type.Object({ include_usage: Type.Optional(Flag('If true, the last chunk has `usage`.')) }),
      'Options of the stream.',
    ),
  ),
})

const AnnotationSchema = Type.Object(
  {
    type: OneOf(['url_citation'], 'Always `url_citation`.'),
    url_citation: Type.Object(
      {
        url: Text('Path of the text of the cited document on this server.'),
        title: Text('Title of the document; its ID if there is no title.'),
        start_index: Count('Start of the citation mark in `content`, in UTF-16 code units.'),
        end_index: Count('End of the citation mark, in UTF-16 code units.'),
      },
      { description: 'The cited document, and the place of the mark.' },
    ),
  },
  { description: 'A citation mark of the answer.' },
)

/** Citation mark of an answer. */
export type Annotation = Static<typeof AnnotationSchema>

const { answered, confidence, citations, warnings } = AskAnswerSchema.properties

const TokenUsageSchema = Type.Object(
  {
    prompt_tokens: Count('Tokens that a model read. 0 without a model.'),
    completion_tokens: Count('Tokens that a model generated. 0 without a model.'),
    total_tokens: Count('Total number of tokens.'),
  },
  { description: 'Tokens of a language model.' },
)

/** Response of a chat completion. */
export const ChatAnswerSchema = Type.Object(
  {
    id: Text('ID of the response.'),
    object: OneOf(['chat.completion'], OBJECT),
    created: SECONDS,
    model: Text('ID of the memory.'),
    choices: List(
      Type.Object({
        index: Count('Always 0.'),
        message: Type.Object(
          {
            role: OneOf(['assistant'], 'Always `assistant`.'),
            content: Text('Answer with citation marks [n], as `answer` of ask.'),
            refusal: Type.Null({ description: 'Always null.' }),
            annotations: List(AnnotationSchema, 'Citation marks of the answer.'),
          },
          { description: 'The answer.' },
        ),
        logprobs: Type.Null({ description: 'Always null.' }),
        finish_reason: OneOf(['stop'], 'Always `stop`.'),
      }),
      'The answer, as the only choice.',
    ),
    usage: TokenUsageSchema,
    answered,
    confidence,
    citations,
    warnings,
  },
  { description: 'The answer to the last message. The last four fields are those of ask.' },
)

/** Response of a chat completion. */
export type ChatAnswer = Static<typeof ChatAnswerSchema>

/** Request body of embeddings. */
export const EmbeddingsBody = Type.Object({
  model: Type.String({ ...NON_BLANK, description: 'Name of an embedding model of this server.' }),
  input: Type.Union(
    [
      Type.String({ minLength: 1, maxLength: QUERY_CHARACTERS }),
      Type.Array(Type.String({ minLength: 1, maxLength: QUERY_CHARACTERS }), {
        minItems: 1,
        maxItems: OPENAI_LIMITS.inputs,
      }),
    ],
    { description: `A text, or up to ${OPENAI_LIMITS.inputs} texts. Tokens are not accepted.` },
  ),
  encoding_format: Type.Optional(
    OneOf(['float', 'base64'], 'Format of the vectors: numbers, or base64 of little-endian 32-bit floats.'),
  ),
  dimensions: Type.Optional(Count('Length of the vectors. Only the own length of the model is possible.')),
})

/** Response of embeddings. */
export const EmbeddingsSchema = Type.Object(
  {
    object: OneOf(['list'], OBJECT),
    data: List(
      Type.Object({
        object: OneOf(['embedding'], OBJECT),
        index: Count('Place of the text in `input`.'),
        embedding: Type.Union([Type.Array(Type.Number()), Type.String()], {
          description: 'Vector of length 1; all zeros for a text without known words.',
        }),
      }),
      'One vector for each text, in their order.',
    ),
    model: Text('Name of the embedding model.'),
    usage: Type.Object(
      { prompt_tokens: Count('Always 0.'), total_tokens: Count('Always 0.') },
      { description: 'Tokens, which are not counted.' },
    ),
  },
  { description: 'Embeddings of texts.' },
)

/** Request body of a search in a vector store. */
export const StoreSearchBody = Type.Object({
  query: Type.Union(
    [
      Type.String({ ...NON_BLANK, maxLength: QUERY_CHARACTERS }),
      Type.Array(Type.String({ ...NON_BLANK, maxLength: QUERY_CHARACTERS }), { minItems: 1, maxItems: 1 }),
    ],
    { description: 'Query: keywords or a question, alone or as a list of one.' },
  ),
  max_num_results: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: OPENAI_LIMITS.results, default: HITS.default },
      description: 'Maximum number of results.',
    }),
  ),
  filters: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'Condition on metadata, such as `{"type": "gte", "key": "year", "value": 2026}`, with `eq`, `ne`, `gt`, ' +
        '`gte`, `lt`, `lte`, `in` or `nin`; or `and` or `or` of `filters`.',
    }),
  ),
  ranking_options: Type.Optional(
    Type.Object(
      { score_threshold: Type.Optional(Share('Results with a lower score are left out.')) },
      { description: 'Options of the ranking.' },
    ),
  ),
})

const StoreResultSchema = Type.Object({
  file_id: Text('ID of the document.'),
  filename: Text('File name of the document, its title if it was added as text, or its ID.'),
  score: Share('Relevance to the query.'),
  attributes: Nullable(MetadataSchema, 'Metadata of the document.'),
  content: List(
    Type.Object({ type: OneOf(['text'], 'Always `text`.'), text: Text('Text of the passage.') }),
    'The passage.',
  ),
})

/** Response of a search in a vector store. */
export const StoreSearchSchema = Type.Object(
  {
    object: OneOf(['vector_store.search_results.page'], OBJECT),
    search_query: List(Type.String(), 'The query.'),
    data: List(StoreResultSchema, 'The passages, best first.'),
    has_more: Flag('Always false.'),
    next_page: Type.Null({ description: 'Always null.' }),
  },
  { description: 'Passages of a memory.' },
)

/** A passage of a memory. */
export type StoreResult = Static<typeof StoreResultSchema>

const CREATED = Math.floor(Date.parse(EARLIER) / 1000)
const MODEL_EXAMPLE: ModelResource = {
  ...{ id: IDS.memory, object: 'model', created: CREATED, owned_by: 'recollect', name: MEMORY_EXAMPLE.name },
}
const { ask: ASKED } = ASK_EXAMPLES
const CHAT_EXAMPLE: ChatAnswer = {
  ...{ id: 'chatcmpl-req_1', object: 'chat.completion', created: CREATED, model: IDS.memory },
  choices: [
    {
      index: 0,
      message: {
        ...{ role: 'assistant', content: ASKED.answer, refusal: null },
        annotations: ASKED.citations.map(({ answerStart, answerEnd }) => ({
          type: 'url_citation' as const,
          url_citation: {
            url: `/v1/memories/${IDS.memory}/documents/${IDS.document}/text`,
            ...{ title: HANDBOOK, start_index: answerStart, end_index: answerEnd },
          },
        })),
      },
      ...{ logprobs: null, finish_reason: 'stop' },
    },
  ],
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  ...{ answered: true, confidence: ASKED.confidence, citations: ASKED.citations, warnings: [] },
}

const CHUNK_EXAMPLE = {
  ...{ id: CHAT_EXAMPLE.id, object: 'chat.completion.chunk', created: CREATED, model: IDS.memory },
  choices: [{ index: 0, delta: { content: ASKED.answer }, logprobs: null, finish_reason: null }],
}

/** Examples of the operations. */
export const OPENAI_EXAMPLES = {
  models: { answers: { 200: { object: 'list', data: [MODEL_EXAMPLE] } } },
  model: { answers: { 200: MODEL_EXAMPLE } },
  chat: {
    body: { model: MEMORY_EXAMPLE.name, messages: [{ role: 'user', content: QUESTION }] },
    answers: { 200: CHAT_EXAMPLE },
    events: `data: ${JSON.stringify(CHUNK_EXAMPLE)}\n\ndata: [DONE]\n\n`,
  },
  embeddings: {
    body: { model: 'static-multi', input: QUESTION },
    answers: {
      200: {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.1, -0.2, 0.3] }],
        model: 'static-multi',
        usage: { prompt_tokens: 0, total_tokens: 0 },
      },
    },
  },
  storeSearch: {
    body: { query: QUESTION, max_num_results: 1 },
    answers: {
      200: {
        ...{ object: 'vector_store.search_results.page', search_query: [QUESTION], has_more: false, next_page: null },
        data: [
          {
            ...{ file_id: IDS.document, filename: HANDBOOK, score: 0.912, attributes: null },
            content: [{ type: 'text', text: PASSAGE_TEXT }],
          },
        ],
      },
    },
  },
} as const
