import { Type } from 'typebox'
import { CORRECTION_BOOST, CORRECTION_FIELDS, DOCUMENT_FIELDS, HITS, QUERY_CHARACTERS } from '../../limits.ts'
import {
  BOOST,
  MetadataSchema,
  Scalar,
  SOMETHING,
  StatementSchema,
  TagSchema,
  TopicsSchema,
} from '../../services/field-schemas.ts'
import { DocumentExplanationSchema, HitExplanationSchema } from './explanation.ts'
import { CorrectionMarkSchema, Count, Nullable, OneOf, Timestamp, WarningSchema } from './values.ts'

const QUERY = Type.String({ ...SOMETHING, maxLength: QUERY_CHARACTERS })
const HIT_COUNT = Type.Integer({ minimum: 1, maximum: HITS.max, default: HITS.default })

/** Documents that one filter may name, our choice. */
const FILTER_DOCUMENTS = 1000

/** The body of find. */
export const FindBody = Type.Object({
  query: QUERY,
  topK: Type.Optional(HIT_COUNT),
  options: Type.Optional(
    Type.Object({
      mode: Type.Optional(OneOf(['hybrid', 'semantic', 'lexical', 'auto'])),
      limit: Type.Optional(HIT_COUNT),
      highlight: Type.Optional(Type.Boolean({ default: false, description: 'Wrap matches in snippet in mark tags.' })),
      explain: Type.Optional(Type.Boolean({ default: false, description: 'Say why each hit has its score.' })),
      explainDocumentId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Say where this document stands, or why it does not.',
        }),
      ),
      filter: Type.Optional(
        Type.Object({
          tags: Type.Optional(
            Type.Array(TagSchema, {
              maxItems: DOCUMENT_FIELDS.tags,
              description: 'Only documents with all of these tags.',
            }),
          ),
          documentIds: Type.Optional(
            Type.Array(Type.String(), {
              maxItems: FILTER_DOCUMENTS,
              description: 'Only these documents; none where it is empty.',
            }),
          ),
          metadata: Type.Optional(MetadataSchema),
        }),
      ),
    }),
  ),
})

/** The body of search. */
export const SearchBody = Type.Object({ query: QUERY, limit: Type.Optional(HIT_COUNT) })

/** The embedder finds something near to any query, so this is no number of answers. */
const TOTAL_HITS = Type.Integer({
  minimum: 0,
  description: 'Passages that were ranked for the query, at most a few hundred; their score says how well they fit.',
})

const SCORE_PART = Nullable(Type.Number())

const HIT_FIELDS = {
  rank: Type.Integer({ minimum: 1 }),
  score: Type.Number({ minimum: 0, maximum: 1 }),
  documentId: Type.String(),
  chunkId: Type.String(),
  title: Type.String(),
  text: Type.String(),
  snippet: Type.String({ description: 'HTML-escaped; matches in mark tags where highlight is asked for.' }),
  page: Nullable(Count),
}

const HitSchema = Type.Object(
  {
    ...HIT_FIELDS,
    scores: Type.Object({
      lexical: SCORE_PART,
      semantic: SCORE_PART,
      fused: SCORE_PART,
      rerank: SCORE_PART,
      boost: Type.Number(),
    }),
    kind: OneOf(['document', 'correction']),
    correction: CorrectionMarkSchema,
    chunkIndex: Count,
    filename: Nullable(Type.String()),
    url: Nullable(Type.String()),
    pageEnd: Nullable(Count),
    section: Nullable(Type.String()),
    header: Nullable(Type.String()),
    startOffset: Count,
    endOffset: Count,
    tags: Type.Array(Type.String()),
    metadata: Type.Record(Type.String(), Scalar),
    createdAt: Timestamp,
    explanation: Type.Optional(HitExplanationSchema),
  },
  { $id: 'Hit' },
)

/** The answer of find. */
export const FindAnswerSchema = Type.Object(
  {
    query: Type.String(),
    mode: OneOf(['hybrid', 'semantic', 'lexical']),
    totalHits: TOTAL_HITS,
    tookMs: Type.Number({ minimum: 0 }),
    hits: Type.Array(HitSchema),
    warnings: Type.Array(WarningSchema),
    explainedDocument: Type.Optional(DocumentExplanationSchema),
  },
  { $id: 'FindAnswer' },
)

/** The answer of search. */
export const SearchAnswerSchema = Type.Object(
  {
    query: Type.String(),
    hits: Type.Array(Type.Object(HIT_FIELDS)),
    totalHits: TOTAL_HITS,
    tookMs: Type.Number({ minimum: 0 }),
  },
  { $id: 'SearchAnswer' },
)

const { perRequest } = CORRECTION_FIELDS

/** A correction as it is sent. */
export const CorrectionBody = Type.Object({
  statement: StatementSchema,
  topics: Type.Optional(TopicsSchema),
  boost: Type.Optional(Type.Number({ ...BOOST, default: CORRECTION_BOOST.default })),
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'In the future: it is not found from then on. Without it, it holds for ever.',
    }),
  ),
})

/** The body of corrections. */
export const CorrectionsBody = Type.Object({
  corrections: Type.Array(CorrectionBody, { minItems: 1, maxItems: perRequest }),
})

const OutrankedSchema = Type.Object(
  {
    documentId: Type.String(),
    chunkId: Type.String(),
    title: Type.String(),
    page: Nullable(Count),
    snippet: Type.String({ description: 'HTML-escaped.' }),
    score: Type.Number({ minimum: 0, maximum: 1 }),
    scores: Type.Object({ lexical: SCORE_PART, semantic: SCORE_PART }),
  },
  { $id: 'Outranked' },
)

const LastOutrankedSchema = Type.Object(
  {
    at: Timestamp,
    passages: Type.Array(
      Type.Object({
        documentId: Type.String(),
        chunkId: Type.String(),
        title: Type.String(),
        page: Nullable(Count),
        startOffset: Count,
        endOffset: Count,
        score: Type.Number({ minimum: 0, maximum: 1 }),
        scores: Type.Object({ lexical: SCORE_PART, semantic: SCORE_PART }),
      }),
    ),
  },
  { $id: 'LastOutranked' },
)

/** A correction as callers see it. */
export const CorrectionSchema = Type.Object(
  {
    id: Type.String(),
    memoryId: Type.String(),
    statement: Type.String(),
    topics: Type.Array(Type.String()),
    boost: Type.Number(),
    createdBy: Nullable(
      Type.Object({ keyId: Type.String(), name: Nullable(Type.String()) }),
      'The key that made it, by the name it had then. A key of one memory sees itself alone.',
    ),
    expiresAt: Nullable(Timestamp),
    isExpired: Type.Boolean(),
    outranks: Nullable(
      Type.Array(OutrankedSchema),
      'The passages that it stands before or contradicts: those nearest to its statement by words and meaning, at most 5. null where that was not looked for: in lists unless include asks, behind the 20th of a request, and where the search failed.',
    ),
    lastOutranked: Nullable(
      LastOutrankedSchema,
      'What it stood before in the last find, search, question or extraction that found it: the best passages then, at most 5, of which those that were deleted since are left out. Written down within a second; null where it never stood before anything.',
    ),
    createdAt: Timestamp,
  },
  { $id: 'Correction' },
)

/** The answer of corrections. */
export const CorrectionsSchema = Type.Object({
  corrections: Type.Array(CorrectionSchema, {
    description: 'In the order sent; the last are left out where all would be larger than 4 MB. ids has all.',
  }),
  ids: Type.Array(Type.String()),
  count: Count,
})
