import { Type } from 'typebox'
import { ASK, QUERY_CHARACTERS } from '../../limits.ts'
import { SOMETHING } from '../../services/field-schemas.ts'
import { CorrectionMarkSchema, Count, Nullable, OneOf, WarningSchema } from './values.ts'

const QUESTION = Type.String({ ...SOMETHING, maxLength: QUERY_CHARACTERS })
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
      description: 'Passages that the answer is made of, at most.',
    }),
  ),
  includeSources: Type.Optional(Type.Boolean({ default: false, description: 'Give these passages as sources.' })),
}

/** The body of ask. */
export const AskBody = Type.Object({
  question: QUESTION,
  options: Type.Optional(Type.Object({ model: Type.Optional(MODEL), ...OPTIONS })),
})

/** The body of ask-once. */
export const AskOnceBody = Type.Object({
  question: QUESTION,
  content: Type.String({ ...SOMETHING, description: 'The text to answer over. It is not kept.' }),
  model: Type.Optional(MODEL),
  options: Type.Optional(Type.Object(OPTIONS)),
})

const PLACE = {
  startOffset: Count,
  endOffset: Count,
  answerStart: Type.Integer({ minimum: 0, description: 'Where its mark stands in the answer, in UTF-16 code units.' }),
  answerEnd: Count,
}
const INDEX = Type.Integer({ minimum: 1, description: 'The number in brackets in the answer, and of the source.' })

const CitationSchema = Type.Object(
  {
    index: INDEX,
    documentId: Type.String(),
    chunkId: Type.String(),
    title: Type.String(),
    page: Nullable(Count),
    correction: CorrectionMarkSchema,
    ...PLACE,
  },
  {
    $id: 'Citation',
    description: 'A passage that supports the answer: startOffset to endOffset of the extracted text of its document.',
  },
)

const PASSAGE = {
  index: INDEX,
  snippet: Type.String({ description: 'HTML-escaped.' }),
  text: Type.String(),
  startOffset: Count,
  endOffset: Count,
  score: Type.Number({ minimum: 0, maximum: 1 }),
}

const SourceSchema = Type.Object(
  {
    ...PASSAGE,
    documentId: Type.String(),
    chunkId: Type.String(),
    title: Type.String(),
    filename: Nullable(Type.String()),
    page: Nullable(Count),
    kind: OneOf(['document', 'correction']),
    correction: CorrectionMarkSchema,
  },
  { $id: 'Source' },
)

const GroundingSchema = Type.Object(
  {
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'How far the words and numbers of the answer stand in the passages it cites. A measure of words, no proof of truth.',
    }),
    unsupported: Type.Array(Type.Object({ start: Count, end: Count }), {
      description: 'Sentences of the answer, as places in it, whose words mostly stand in no cited passage.',
    }),
  },
  { $id: 'Grounding' },
)

const ANSWER = {
  question: Type.String(),
  answer: Type.String({
    description: 'Its citations are the [n] that `citations` places; quoted words may have brackets of their own.',
  }),
  model: Type.String({ description: 'The one that answered; extractive where none is configured.' }),
  requestedModel: Type.String(),
  answered: Type.Boolean({ description: 'False where nothing relevant was found; answer says so.' }),
}
const FACTS = {
  usage: Type.Object({ retrieved: Count, promptTokens: Count, completionTokens: Count, totalTokens: Count }),
  stats: Type.Object({ retrievalMs: Count, generationMs: Count, totalMs: Count }),
  grounding: Nullable(GroundingSchema, 'null where every word is quoted.'),
  warnings: Type.Array(WarningSchema),
}
const SOURCES_NOTE = { description: 'Empty unless includeSources.' }

/** The answer of ask. */
export const AskAnswerSchema = Type.Object(
  { ...ANSWER, citations: Type.Array(CitationSchema), sources: Type.Array(SourceSchema, SOURCES_NOTE), ...FACTS },
  { $id: 'AskAnswer' },
)

/** The answer of ask-once; its offsets are into `content`. */
export const AskOnceAnswerSchema = Type.Object(
  {
    ...ANSWER,
    citations: Type.Array(Type.Object({ index: INDEX, ...PLACE })),
    sources: Type.Array(Type.Object(PASSAGE), SOURCES_NOTE),
    ...FACTS,
  },
  { $id: 'AskOnceAnswer' },
)
