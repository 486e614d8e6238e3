import { Type } from 'typebox'
import { DOCUMENT_FIELDS, EVALUATION, HITS, QUERY_CHARACTERS } from '../../limits.ts'
import { SOMETHING } from '../../services/field-schemas.ts'
import { Count, Nullable, OneOf, WarningSchema } from './values.ts'

const MODES = ['lexical', 'semantic', 'hybrid', 'auto'] as const
const SHARE = Type.Number({ minimum: 0, maximum: 1 })
const ID = Type.String({ minLength: 1, maxLength: DOCUMENT_FIELDS.externalIdCharacters })

const KnownQuestionSchema = Type.Object(
  {
    query: Type.String({ ...SOMETHING, maxLength: QUERY_CHARACTERS }),
    documentIds: Type.Optional(
      Type.Array(ID, {
        maxItems: EVALUATION.documentsPerQuestion,
        description: 'Documents or corrections of the memory that answer it. These or externalIds name at least one.',
      }),
    ),
    externalIds: Type.Optional(
      Type.Array(ID, {
        maxItems: EVALUATION.documentsPerQuestion,
        description: 'The same by externalId, which stays when a document is replaced.',
      }),
    ),
    grades: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: EVALUATION.grade.min, maximum: EVALUATION.grade.max }), {
        maxProperties: 2 * EVALUATION.documentsPerQuestion,
        description:
          'How much a document answers, by its id as it stands above; 1 where none is given. Only nDCG uses it.',
      }),
    ),
  },
  { $id: 'KnownQuestion' },
)

/** The body of evaluate. */
export const EvaluateBody = Type.Object({
  questions: Type.Array(KnownQuestionSchema, { minItems: 1, maxItems: EVALUATION.questions }),
  topK: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: HITS.max, default: HITS.default },
      description: 'Documents of each answer that count.',
    }),
  ),
  modes: Type.Optional(
    Type.Array(OneOf(MODES), { minItems: 1, maxItems: MODES.length, default: ['lexical', 'semantic', 'hybrid'] }),
  ),
})

/** The answer of evaluate. */
export const EvaluationSchema = Type.Object(
  {
    questions: Count,
    topK: Count,
    results: Type.Array(
      Type.Object({
        mode: OneOf(MODES),
        ndcg: SHARE,
        recall: SHARE,
        mrr: SHARE,
        precision: SHARE,
        meanMs: Type.Number({ minimum: 0, description: 'Of a search.' }),
      }),
      { description: 'By mode, the means over all questions, of the first topK documents.' },
    ),
    perQuestion: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0, description: 'The place of the question in the request, from 0.' }),
        query: Type.String({ description: `Its first ${EVALUATION.shownCharacters} characters.` }),
        mode: OneOf(MODES),
        rank: Nullable(
          Type.Integer({ minimum: 1 }),
          'Of the first document that answers, among documents; null where none is among the first topK.',
        ),
        ndcg: SHARE,
        recall: SHARE,
      }),
    ),
    warnings: Type.Array(WarningSchema),
  },
  { $id: 'Evaluation' },
)
