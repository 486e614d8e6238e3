/** Requests and responses of ask and ask-once. */
import { type Static, Type } from 'typebox'
import { ASK, CONVERSATION, QUERY_CHARACTERS } from '../limits.ts'
import { DOCUMENT_EXAMPLE, FilterSchema } from './document.ts'
import {
  HANDBOOK,
  IDS,
  PASSAGE_END,
  PASSAGE_ID,
  PASSAGE_START,
  PASSAGE_TEXT,
  QUESTION,
  REFUNDS,
} from './example-data.ts'
import { NON_BLANK } from './fields.ts'
import { CorrectionMarkSchema, KIND_FIELDS, MEMORIES_FIELDS, OWNER_FIELD, PASSAGE_FIELDS } from './search.ts'
import { Count, Flag, List, Nullable, OneOf, Share, Text, WarningsSchema } from './values.ts'

const ASKED = Type.String({ ...NON_BLANK, maxLength: QUERY_CHARACTERS, description: 'Question to answer.' })
const MODEL = Type.String({
  ...NON_BLANK,
  maxLength: ASK.modelCharacters,
  default: ASK.model,
  description: 'Ignored. The configured model always answers; the response returns its name in `model`.',
})

const OPTIONS = {
  maxContextChunks: Type.Optional(
    Type.Integer({
      ...{ minimum: ASK.contextChunks.min, maximum: ASK.contextChunks.max, default: ASK.contextChunks.default },
      description: 'Maximum number of passages used to answer.',
    }),
  ),
  minConfidence: Type.Optional(
    Type.Number({
      ...{ minimum: 0, maximum: 1 },
      description:
        'Minimum confidence of an answer; an answer below it is declined. The default, about 0.5, declines answers ' +
        'that are likelier wrong than right; a lower value returns them. Ignored if `confidence` is null.',
    }),
  ),
  includeSources: Type.Optional(
    Type.Boolean({ default: false, description: 'If true, returns the retrieved passages in `sources`.' }),
  ),
}
const OPTIONS_NOTE = { description: 'Options of the answer.' }

const MessageSchema = Type.Object(
  {
    role: OneOf(['user', 'assistant'], 'Author of the message.'),
    content: Type.String({ maxLength: CONVERSATION.messageCharacters, description: 'Text of the message.' }),
  },
  { description: 'A message of a conversation.' },
)

/** Request body of ask. */
export const AskBody = Type.Object({
  question: Type.Optional({ ...ASKED, description: 'Question to answer. Required unless `messages` is given.' }),
  messages: Type.Optional(
    Type.Array(MessageSchema, {
      minItems: 1,
      maxItems: CONVERSATION.messages,
      description:
        'Conversation, oldest message first, instead of `question`. The last message is the question of the user. ' +
        'A question that needs the messages before it is rewritten, and returned in `rewrittenQuestion`.',
    }),
  ),
  options: Type.Optional(
    Type.Object({ model: Type.Optional(MODEL), ...OPTIONS, filter: Type.Optional(FilterSchema) }, OPTIONS_NOTE),
  ),
})

/** Request body of an ask over several memories. */
export const AskAcrossBody = Type.Object({ ...AskBody.properties, ...MEMORIES_FIELDS })

/** Request body of ask-once. */
export const AskOnceBody = Type.Object({
  question: ASKED,
  content: Type.String({ ...NON_BLANK, description: 'Text to answer from. It is not stored.' }),
  model: Type.Optional(MODEL),
  options: Type.Optional(Type.Object(OPTIONS, OPTIONS_NOTE)),
})

const INDEX = Type.Integer({
  minimum: 1,
  description: 'Citation number, as in the brackets in `answer`. Sources have the same number.',
})
const MARK_FIELDS = {
  answerStart: Count(
    'Start of the citation mark `[index]` in `draft` if present, else in `answer`, in UTF-16 code units.',
  ),
  answerEnd: Count('End of the citation mark, in UTF-16 code units.'),
}
const { startOffset, endOffset, ...DOCUMENT_PLACE } = PASSAGE_FIELDS

const CitationSchema = Type.Object(
  {
    index: INDEX,
    ...DOCUMENT_PLACE,
    correction: CorrectionMarkSchema,
    startOffset,
    endOffset,
    ...MARK_FIELDS,
    ...OWNER_FIELD,
  },
  {
    $id: 'Citation',
    description: 'A passage that supports the answer: the extracted text of a document from startOffset to endOffset.',
  },
)

/**
 * Passage that supports an answer, with the position of the mark `[index]`. Offsets are UTF-16 code
 * units.
 */
type AskCitation = Static<typeof CitationSchema>

const SOURCE_FIELDS = {
  index: INDEX,
  snippet: Text('Matching part of the passage, HTML-escaped.'),
  text: Text('Full text of the passage.'),
}
const SCORE = Share('Relevance of the passage to the question, from 0 to 1.')

const SourceSchema = Type.Object(
  {
    ...SOURCE_FIELDS,
    startOffset,
    endOffset,
    score: SCORE,
    documentId: PASSAGE_FIELDS.documentId,
    chunkId: PASSAGE_FIELDS.chunkId,
    title: PASSAGE_FIELDS.title,
    filename: Nullable(Type.String(), 'Name of the file. Null if the document was added as text.'),
    page: PASSAGE_FIELDS.page,
    ...KIND_FIELDS,
    ...OWNER_FIELD,
  },
  { $id: 'Source', description: 'A passage that was retrieved for the answer.' },
)

/** Passage that was retrieved for the answer. */
export type AskSource = Static<typeof SourceSchema>

const GroundingSchema = Type.Object(
  {
    score: Share(
      'Share of the words and numbers in the answer that also occur in the cited passages, from 0 to 1. ' +
        'It measures word overlap, not truth.',
    ),
    unsupported: List(
      Type.Object({
        start: Count('Start of the sentence in `draft` if present, else in `answer`, in UTF-16 code units.'),
        end: Count('End of the sentence, in UTF-16 code units.'),
      }),
      'Sentences with little word overlap with the cited passages, or with the opposite meaning.',
    ),
  },
  { $id: 'Grounding', description: 'Degree to which the cited passages support the text that a model generated.' },
)

const ANSWER = {
  question: Text('Question from the request.'),
  answer: Text(
    'Answer with citation marks [n]. Only the marks listed in `citations` are citations; quoted text ' +
      'can contain other brackets.',
  ),
  model: Text('Model that answered. `extractive` if no language model is configured.'),
  requestedModel: Text('Model named in the request.'),
  answered: Flag(
    'True if the question was answered. False if nothing relevant was found, or if the sources do not support the ' +
      'text of the model; `answer` then says so.',
  ),
  confidence: Nullable(
    Share('Probability that the quoted passages answer the question, from 0 to 1.'),
    'Confidence in the answer, also in a declined one. Null if a model answered.',
  ),
  draft: Type.Optional(
    Text(
      'Text of the model that the cited passages do not support, with its citation marks. Only present with the ' +
        'warning `unsupported_answer` or `answer_withheld`. Do not show it as an answer.',
    ),
  ),
}
const FACTS = {
  usage: Type.Object(
    {
      retrieved: Count('Number of retrieved passages.'),
      promptTokens: Count('Tokens that the model read. 0 without a model.'),
      completionTokens: Count('Tokens that the model generated. 0 without a model.'),
      totalTokens: Count('Total number of tokens.'),
    },
    { description: 'Resources that the answer used.' },
  ),
  stats: Type.Object(
    {
      retrievalMs: Count('Retrieval time, in milliseconds.'),
      generationMs: Count('Generation time, in milliseconds.'),
      totalMs: Count('Total time, in milliseconds.'),
    },
    { description: 'Duration of the answer.' },
  ),
  grounding: Nullable(
    GroundingSchema,
    'Degree to which the cited passages support the generated text. Null if the answer consists of quotes.',
  ),
  warnings: WarningsSchema,
}
const CITATIONS_NOTE =
  'Passages that support the answer, or that the model cites in `draft`, in the order of their marks.'
const SOURCES_NOTE = 'Retrieved passages. Empty unless includeSources is true.'

/** Response of ask. */
export const AskAnswerSchema = Type.Object(
  {
    ...ANSWER,
    rewrittenQuestion: Type.Optional(
      Text('The question that was answered, if the messages before it were needed to complete it.'),
    ),
    citations: List(CitationSchema, CITATIONS_NOTE),
    sources: List(SourceSchema, SOURCES_NOTE),
    ...FACTS,
  },
  { $id: 'AskAnswer', description: 'The answer to a question over a memory.' },
)

/** Answer to a question over a memory. */
export type AskAnswer = Static<typeof AskAnswerSchema>

const CONTENT_PLACE = {
  startOffset: Count('Start of the passage in `content`, in UTF-16 code units.'),
  endOffset: Count('End of the passage in `content`, in UTF-16 code units.'),
}

/** Response of ask-once; offsets refer to `content`. */
export const AskOnceAnswerSchema = Type.Object(
  {
    ...ANSWER,
    citations: List(Type.Object({ index: INDEX, ...CONTENT_PLACE, ...MARK_FIELDS }), CITATIONS_NOTE),
    sources: List(Type.Object({ ...SOURCE_FIELDS, ...CONTENT_PLACE, score: SCORE }), SOURCES_NOTE),
    ...FACTS,
  },
  { $id: 'AskOnceAnswer', description: 'The answer to a question over the text in the request.' },
)

/** Answer to a question over the text in the request; offsets refer to that text. */
export type AskOnceAnswer = Static<typeof AskOnceAnswerSchema>

const ANSWER_TEXT = `${REFUNDS} [1]`
const ANSWERED = {
  question: QUESTION,
  answer: ANSWER_TEXT,
  model: 'extractive',
  requestedModel: 'gpt-4',
  answered: true,
  confidence: 0.93,
}
const ANSWER_FACTS = {
  usage: { retrieved: 1, promptTokens: 0, completionTokens: 0, totalTokens: 0 },
  stats: { retrievalMs: 20, generationMs: 17, totalMs: 37 },
  grounding: null,
  warnings: [],
}
const MARK = { answerStart: ANSWER_TEXT.length - '[1]'.length, answerEnd: ANSWER_TEXT.length }

const CITATION: AskCitation = {
  index: 1,
  documentId: IDS.document,
  chunkId: PASSAGE_ID,
  title: HANDBOOK,
  page: null,
  correction: null,
  startOffset: PASSAGE_END - REFUNDS.length,
  endOffset: PASSAGE_END,
  ...MARK,
}

/** Example response of ask, with sources. */
const ASK_EXAMPLE: AskAnswer = {
  ...ANSWERED,
  citations: [CITATION],
  sources: [
    {
      index: 1,
      snippet: REFUNDS,
      text: PASSAGE_TEXT,
      startOffset: PASSAGE_START,
      endOffset: PASSAGE_END,
      score: 0.912,
      documentId: IDS.document,
      chunkId: PASSAGE_ID,
      title: HANDBOOK,
      filename: DOCUMENT_EXAMPLE.filename,
      page: null,
      kind: 'document',
      correction: null,
    },
  ],
  ...ANSWER_FACTS,
}

/** Example response of ask-once. */
const ASK_ONCE_EXAMPLE: AskOnceAnswer = {
  ...ANSWERED,
  citations: [{ index: 1, startOffset: 0, endOffset: REFUNDS.length, ...MARK }],
  sources: [],
  ...ANSWER_FACTS,
}

/** Example response of ask as events; `done` carries the complete answer. */
const ASK_EVENTS_EXAMPLE = [
  `event: token\ndata: ${JSON.stringify({ text: `${REFUNDS} ` })}\n\n`,
  `event: token\ndata: ${JSON.stringify({ text: '[1]' })}\n\n`,
  `event: citation\ndata: ${JSON.stringify(CITATION)}\n\n`,
  `event: done\ndata: ${JSON.stringify(ASK_EXAMPLE)}\n\n`,
].join('')

/** Examples of ask and ask-once. */
export const ASK_EXAMPLES = { ask: ASK_EXAMPLE, once: ASK_ONCE_EXAMPLE, events: ASK_EVENTS_EXAMPLE }
