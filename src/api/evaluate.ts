/** What is asked of an evaluation, and what it answers. */
import { type Static, Type } from 'typebox'
import { DOCUMENT_FIELDS, EVALUATION, HITS, QUERY_CHARACTERS } from '../limits.ts'
import { SOMETHING } from './fields.ts'
import { IDS, QUESTION } from './story.ts'
import { Count, List, Nullable, OneOf, Share, Text, WarningsSchema } from './values.ts'

const MODES = ['lexical', 'semantic', 'hybrid', 'auto'] as const

/** How a question may be searched. */
export type EvaluatedMode = (typeof MODES)[number]

const ID = Type.String({ minLength: 1, maxLength: DOCUMENT_FIELDS.externalIdCharacters })
const { documentsPerQuestion, grade, shownCharacters } = EVALUATION

const KnownQuestionSchema = Type.Object(
  {
    query: Type.String({ ...SOMETHING, maxLength: QUERY_CHARACTERS, description: 'What is asked.' }),
    documentIds: Type.Optional(
      List(ID, 'The documents or corrections of the memory that answer it. These or externalIds name at least one.', {
        maxItems: documentsPerQuestion,
      }),
    ),
    externalIds: Type.Optional(
      List(ID, 'The same by externalId, which stays when a document is replaced.', { maxItems: documentsPerQuestion }),
    ),
    grades: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: grade.min, maximum: grade.max }), {
        maxProperties: 2 * documentsPerQuestion,
        description:
          'How much a document answers, by its identifier as it stands above; 1 where none is given. Only nDCG ' +
          'uses it.',
      }),
    ),
  },
  { $id: 'KnownQuestion', description: 'A question whose answer is known.' },
)

/** The body of evaluate. */
export const EvaluateBody = Type.Object({
  questions: Type.Array(KnownQuestionSchema, {
    minItems: 1,
    maxItems: EVALUATION.questions,
    description: 'The questions to ask.',
  }),
  topK: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: HITS.max, default: HITS.default },
      description: 'The documents of each answer that count.',
    }),
  ),
  modes: Type.Optional(
    Type.Array(OneOf(MODES), {
      minItems: 1,
      maxItems: MODES.length,
      default: ['lexical', 'semantic', 'hybrid'],
      description: 'How to search for each question.',
    }),
  ),
})

/** The answer of evaluate. */
export const EvaluationSchema = Type.Object(
  {
    questions: Count('How many questions were asked.'),
    topK: Count('The documents of each answer that counted.'),
    results: List(
      Type.Object({
        mode: OneOf(MODES, 'How was searched.'),
        ndcg: Share('The normalised discounted cumulative gain: 1 where the best documents come first.'),
        recall: Share('The share of the known documents that were found.'),
        mrr: Share('The mean of 1 / rank of the first document that answers.'),
        precision: Share('The share of the documents found that answer.'),
        meanMs: Type.Number({ minimum: 0, description: 'The mean time of a search, in milliseconds.' }),
      }),
      'By mode, the means over all questions, of the first topK documents.',
    ),
    perQuestion: List(
      Type.Object({
        index: Count('The place of the question in the request, from 0.'),
        query: Text(`The first ${shownCharacters} characters of the question.`),
        mode: OneOf(MODES, 'How was searched.'),
        rank: Nullable(
          Type.Integer({ minimum: 1 }),
          'The place of the first document that answers, among documents; null where none is among the first topK.',
        ),
        ndcg: Share('The normalised discounted cumulative gain of the question.'),
        recall: Share('The share of the known documents of the question that were found.'),
      }),
      'The figures of each question, by mode.',
    ),
    warnings: WarningsSchema,
  },
  { $id: 'Evaluation', description: 'How well a memory finds the answers to known questions.' },
)

/** How well a memory finds the answers to known questions; figures from 0 to 1, rounded to six places. */
export type EvaluationResource = Static<typeof EvaluationSchema>

/** An evaluation of the help desk's memory. */
export const EVALUATE_BODY_EXAMPLE: Static<typeof EvaluateBody> = {
  questions: [{ query: QUESTION, documentIds: [IDS.document] }],
  topK: 10,
  modes: ['lexical', 'hybrid'],
}

const PERFECT = { ndcg: 1, recall: 1, mrr: 1, precision: 0.1 }
const FOUND = { index: 0, query: QUESTION, rank: 1, ndcg: 1, recall: 1 }

/** What it comes to. */
export const EVALUATION_EXAMPLE: EvaluationResource = {
  questions: 1,
  topK: 10,
  results: [
    { mode: 'lexical', ...PERFECT, meanMs: 6.2 },
    { mode: 'hybrid', ...PERFECT, meanMs: 14.8 },
  ],
  perQuestion: [
    { ...FOUND, mode: 'lexical' },
    { ...FOUND, mode: 'hybrid' },
  ],
  warnings: [],
}
