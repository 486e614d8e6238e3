/** Request and response of an evaluation. */
import { type Static, Type } from 'typebox'
import { DOCUMENT_FIELDS, EVALUATION, HITS, QUERY_CHARACTERS } from '../limits.ts'
import { FilterOptions } from './document.ts'
import { IDS, QUESTION } from './example-data.ts'
import { NON_BLANK } from './fields.ts'
import { Count, List, Nullable, OneOf, Share, Text, WarningsSchema } from './values.ts'

const MODES = ['lexical', 'semantic', 'hybrid', 'auto'] as const

/** Search mode of an evaluation. */
export type EvaluatedMode = (typeof MODES)[number]

const ID = Type.String({ minLength: 1, maxLength: DOCUMENT_FIELDS.externalIdCharacters })
const { documentsPerQuestion, grade, shownCharacters } = EVALUATION

const KnownQuestionSchema = Type.Object(
  {
    query: Type.String({ ...NON_BLANK, maxLength: QUERY_CHARACTERS, description: 'Query of the question.' }),
    documentIds: Type.Optional(
      List(ID, 'Documents or corrections that answer the question. Give at least one documentId or externalId.', {
        maxItems: documentsPerQuestion,
      }),
    ),
    externalIds: Type.Optional(
      List(
        ID,
        'Documents that answer the question, by externalId. An externalId stays valid when a document is ' +
          'replaced.',
        { maxItems: documentsPerQuestion },
      ),
    ),
    grades: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: grade.min, maximum: grade.max }), {
        maxProperties: 2 * documentsPerQuestion,
        description:
          'Relevance grade per document, keyed by the documentId or externalId given above. Defaults to 1. ' +
          'Only nDCG uses grades.',
      }),
    ),
  },
  { $id: 'KnownQuestion', description: 'A question with known answers.' },
)

/** Request body of evaluate. */
export const EvaluateBody = Type.Object({
  questions: Type.Array(KnownQuestionSchema, {
    minItems: 1,
    maxItems: EVALUATION.questions,
    description: 'Questions to search for.',
  }),
  topK: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: HITS.max, default: HITS.default },
      description: 'Number of documents to evaluate per question.',
    }),
  ),
  modes: Type.Optional(
    Type.Array(OneOf(MODES), {
      minItems: 1,
      maxItems: MODES.length,
      default: ['lexical', 'semantic', 'hybrid'],
      description: 'Search modes to compare.',
    }),
  ),
  options: Type.Optional(FilterOptions),
})

/** Response of evaluate. */
export const EvaluationSchema = Type.Object(
  {
    questions: Count('Number of questions.'),
    topK: Count('Number of documents evaluated per question.'),
    results: List(
      Type.Object({
        mode: OneOf(MODES, 'Search mode.'),
        ndcg: Share('Normalized discounted cumulative gain. 1 if the best documents are ranked first.'),
        recall: Share('Share of the known documents that were found.'),
        mrr: Share('Mean reciprocal rank of the first relevant document.'),
        precision: Share('Share of the found documents that are relevant.'),
        meanMs: Type.Number({ minimum: 0, description: 'Mean search time, in milliseconds.' }),
      }),
      'Mean metrics per mode, over the first topK documents of all questions.',
    ),
    perQuestion: List(
      Type.Object({
        index: Count('Index of the question in the request, starting at 0.'),
        query: Text(`First ${shownCharacters} characters of the query.`),
        mode: OneOf(MODES, 'Search mode.'),
        rank: Nullable(
          Type.Integer({ minimum: 1 }),
          'Rank of the first relevant document. Null if none is among the first topK.',
        ),
        ndcg: Share('Normalized discounted cumulative gain of the question.'),
        recall: Share('Share of the known documents of the question that were found.'),
      }),
      'Metrics of each question, per mode.',
    ),
    warnings: WarningsSchema,
  },
  { $id: 'Evaluation', description: 'Search quality of a memory, measured with known questions.' },
)

/** Search quality of a memory; metrics are from 0 to 1, rounded to six decimal places. */
export type EvaluationResource = Static<typeof EvaluationSchema>

/** Example request. */
export const EVALUATE_BODY_EXAMPLE: Static<typeof EvaluateBody> = {
  questions: [{ query: QUESTION, documentIds: [IDS.document] }],
  topK: 10,
  modes: ['lexical', 'hybrid'],
}

const PERFECT = { ndcg: 1, recall: 1, mrr: 1, precision: 0.1 }
const FOUND = { index: 0, query: QUESTION, rank: 1, ndcg: 1, recall: 1 }

/** Example response. */
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
