/** What is asked, and how it is answered. */
import { type Static, Type } from 'typebox'
import { ASK, QUERY_CHARACTERS } from '../limits.ts'
import { DOCUMENT_EXAMPLE } from './document.ts'
import { SOMETHING } from './fields.ts'
import { CorrectionMarkSchema, KIND_FIELDS, PASSAGE_FIELDS } from './search.ts'
import { HANDBOOK, IDS, PASSAGE_END, PASSAGE_ID, PASSAGE_START, PASSAGE_TEXT, QUESTION, REFUNDS } from './story.ts'
import { Count, Flag, List, Nullable, Share, Text, WarningsSchema } from './values.ts'

const ASKED = Type.String({ ...SOMETHING, maxLength: QUERY_CHARACTERS, description: 'What is asked.' })
const MODEL = Type.String({
  ...SOMETHING,
  maxLength: ASK.modelCharacters,
  default: ASK.model,
  description: 'A wish: the configured model answers, and model of the answer says which it was.',
})

const OPTIONS = {
  maxContextChunks: Type.Optional(
    Type.Integer({
      ...{ minimum: ASK.contextChunks.min, maximum: ASK.contextChunks.max, default: ASK.contextChunks.default },
      description: 'The most passages that the answer is made of.',
    }),
  ),
  includeSources: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether the answer gives these passages as sources.' }),
  ),
}
const OPTIONS_NOTE = { description: 'How to answer.' }

/** The body of ask. */
export const AskBody = Type.Object({
  question: ASKED,
  options: Type.Optional(Type.Object({ model: Type.Optional(MODEL), ...OPTIONS }, OPTIONS_NOTE)),
})

/** The body of ask-once. */
export const AskOnceBody = Type.Object({
  question: ASKED,
  content: Type.String({ ...SOMETHING, description: 'The text to answer over. It is not kept.' }),
  model: Type.Optional(MODEL),
  options: Type.Optional(Type.Object(OPTIONS, OPTIONS_NOTE)),
})

const INDEX = Type.Integer({ minimum: 1, description: 'The number in brackets in the answer, and of the source.' })
const MARK_FIELDS = {
  answerStart: Count('Where the mark [index] begins in the answer, in UTF-16 code units.'),
  answerEnd: Count('Where the mark ends in the answer, in UTF-16 code units.'),
}
const { startOffset, endOffset, ...DOCUMENT_PLACE } = PASSAGE_FIELDS

const CitationSchema = Type.Object(
  { index: INDEX, ...DOCUMENT_PLACE, correction: CorrectionMarkSchema, startOffset, endOffset, ...MARK_FIELDS },
  {
    $id: 'Citation',
    description: 'A passage that supports the answer: startOffset to endOffset of the extracted text of its document.',
  },
)

/** A passage that supports an answer, and where its mark `[index]` stands in the answer. Offsets are UTF-16 code units. */
type AskCitation = Static<typeof CitationSchema>

const SOURCE_FIELDS = {
  index: INDEX,
  snippet: Text('A part of the passage that fits, HTML-escaped.'),
  text: Text('The whole passage.'),
}
const SCORE = Share('How well the passage fits the question, from 0 to 1.')

const SourceSchema = Type.Object(
  {
    ...SOURCE_FIELDS,
    startOffset,
    endOffset,
    score: SCORE,
    documentId: PASSAGE_FIELDS.documentId,
    chunkId: PASSAGE_FIELDS.chunkId,
    title: PASSAGE_FIELDS.title,
    filename: Nullable(Type.String(), 'The name of the file; null where the document came as text.'),
    page: PASSAGE_FIELDS.page,
    ...KIND_FIELDS,
  },
  { $id: 'Source', description: 'A passage that was retrieved for the answer.' },
)

/** A passage that was retrieved for the answer. */
export type AskSource = Static<typeof SourceSchema>

const GroundingSchema = Type.Object(
  {
    score: Share(
      'How far the words and numbers of the answer stand in the passages it cites, from 0 to 1. It is a ' +
        'measure of words, no proof of truth.',
    ),
    unsupported: List(
      Type.Object({
        start: Count('Where the sentence begins in the answer, in UTF-16 code units.'),
        end: Count('Where the sentence ends in the answer, in UTF-16 code units.'),
      }),
      'The sentences of the answer, as places in it, whose words mostly stand in no cited passage.',
    ),
  },
  { $id: 'Grounding', description: "How far a model's words stand in what it cites." },
)

const ANSWER = {
  question: Text('What was asked.'),
  answer: Text(
    'The answer. Its citations are the [n] that citations places; quoted words may have brackets of their own.',
  ),
  model: Text('The model that answered; extractive where none is configured.'),
  requestedModel: Text('The model that was asked for.'),
  answered: Flag('Whether the question is answered; false where nothing relevant was found, and answer says so.'),
}
const FACTS = {
  usage: Type.Object(
    {
      retrieved: Count('The passages that were retrieved.'),
      promptTokens: Count('The tokens that the model read; 0 without a model.'),
      completionTokens: Count('The tokens that the model wrote; 0 without a model.'),
      totalTokens: Count('The tokens that the model read and wrote.'),
    },
    { description: 'What the answer took.' },
  ),
  stats: Type.Object(
    {
      retrievalMs: Count('The time until the passages were retrieved, in milliseconds.'),
      generationMs: Count('The time that the answer took from then on, in milliseconds.'),
      totalMs: Count('The whole time, in milliseconds.'),
    },
    { description: 'How long the answer took.' },
  ),
  grounding: Nullable(
    GroundingSchema,
    "How far a model's words stand in what it cites; null where every word is quoted.",
  ),
  warnings: WarningsSchema,
}
const CITATIONS_NOTE = 'The passages that support the answer, in the order of their places in it.'
const SOURCES_NOTE = 'The passages that were retrieved; empty unless includeSources.'

/** The answer of ask. */
export const AskAnswerSchema = Type.Object(
  {
    ...ANSWER,
    citations: List(CitationSchema, CITATIONS_NOTE),
    sources: List(SourceSchema, SOURCES_NOTE),
    ...FACTS,
  },
  { $id: 'AskAnswer', description: 'The answer to a question over a memory.' },
)

/** The answer to a question over a memory. */
export type AskAnswer = Static<typeof AskAnswerSchema>

const CONTENT_PLACE = {
  startOffset: Count('Where the passage begins in content, in UTF-16 code units.'),
  endOffset: Count('Where the passage ends in content, in UTF-16 code units.'),
}

/** The answer of ask-once; its offsets are into `content`. */
export const AskOnceAnswerSchema = Type.Object(
  {
    ...ANSWER,
    citations: List(Type.Object({ index: INDEX, ...CONTENT_PLACE, ...MARK_FIELDS }), CITATIONS_NOTE),
    sources: List(Type.Object({ ...SOURCE_FIELDS, ...CONTENT_PLACE, score: SCORE }), SOURCES_NOTE),
    ...FACTS,
  },
  { $id: 'AskOnceAnswer', description: 'The answer to a question over a text of the request.' },
)

/** The same over a text of the request; offsets are into that text. */
export type AskOnceAnswer = Static<typeof AskOnceAnswerSchema>

const ANSWER_TEXT = `${REFUNDS} [1]`
const ANSWERED = {
  question: QUESTION,
  answer: ANSWER_TEXT,
  model: 'extractive',
  requestedModel: 'gpt-4',
  answered: true,
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

/** The answer of ask, with its sources. */
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

/** The answer of ask-once. */
const ASK_ONCE_EXAMPLE: AskOnceAnswer = {
  ...ANSWERED,
  citations: [{ index: 1, startOffset: 0, endOffset: REFUNDS.length, ...MARK }],
  sources: [],
  ...ANSWER_FACTS,
}

/** The beginning of the answer of ask as events; `done` carries the whole of it. */
const ASK_EVENTS_EXAMPLE = [
  `event: token\ndata: ${JSON.stringify({ text: `${REFUNDS} ` })}\n\n`,
  `event: token\ndata: ${JSON.stringify({ text: '[1]' })}\n\n`,
  `event: citation\ndata: ${JSON.stringify(CITATION)}\n\n`,
  `event: done\ndata: ${JSON.stringify(ASK_EXAMPLE)}\n\n`,
].join('')

/** The examples of a question over a memory and over a text. */
export const ASK_EXAMPLES = { ask: ASK_EXAMPLE, once: ASK_ONCE_EXAMPLE, events: ASK_EVENTS_EXAMPLE }
