/** Corrections: statements that rank above documents. */
import { type Static, Type } from 'typebox'
import { CORRECTION_BOOST, CORRECTION_FIELDS } from '../limits.ts'
import { HANDBOOK, IDS, LATER, PASSAGE_ID, REFUNDS } from './example-data.ts'
import { BOOST, StatementSchema, TopicsSchema } from './fields.ts'
import { PASSAGE_FIELDS } from './search.ts'
import { Count, Flag, List, Nullable, NullableTimestamp, Share, Text, Timestamp, WarningsSchema } from './values.ts'

/** A correction in a request. */
export const CorrectionBody = Type.Object({
  statement: StatementSchema,
  topics: Type.Optional(TopicsSchema),
  boost: Type.Optional(
    Type.Number({
      ...BOOST,
      default: CORRECTION_BOOST.default,
      description: 'Weight of the correction relative to other corrections, above 0 and at most 10.',
    }),
  ),
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Time in the future from which searches ignore the correction. Without it, the correction never expires.',
    }),
  ),
})

/** Request body of PATCH …/corrections/{documentId}. */
export const ChangeCorrectionBody = Type.Object({
  statement: Type.Optional(StatementSchema),
  topics: Type.Optional(TopicsSchema),
  boost: Type.Optional(
    Type.Number({ ...BOOST, description: 'New weight relative to other corrections, above 0 and at most 10.' }),
  ),
  expiresAt: Type.Optional(
    NullableTimestamp(
      'Time in the future from which searches ignore the correction. Null: the correction never expires.',
    ),
  ),
})

/** Request body of POST corrections. */
export const CorrectionsBody = Type.Object({
  corrections: Type.Array(CorrectionBody, {
    minItems: 1,
    maxItems: CORRECTION_FIELDS.perRequest,
    description: 'Corrections to add. Either all of them are added or none.',
  }),
})

const SCORES = Type.Object(
  {
    lexical: Nullable(Type.Number(), 'BM25 score. Null if the lexical search did not find the passage.'),
    semantic: Nullable(Type.Number(), 'Cosine similarity. Null if the vector search did not find the passage.'),
  },
  { description: 'Parts of the score.' },
)
const SCORE = Share('Similarity of the passage to the statement, from 0 to 1.')
const { documentId, chunkId, title, page, startOffset, endOffset } = PASSAGE_FIELDS

const OutrankedSchema = Type.Object(
  {
    documentId,
    chunkId,
    title,
    page,
    snippet: Text('Matching part of the passage, HTML-escaped.'),
    score: SCORE,
    scores: SCORES,
  },
  { $id: 'Outranked', description: 'A passage that a correction outranks.' },
)

/** Passage that a correction outranks. */
export type OutrankedPassage = Static<typeof OutrankedSchema>

const LastOutrankedSchema = Type.Object(
  {
    at: Timestamp('Time of that search.'),
    passages: List(
      Type.Object({ documentId, chunkId, title, page, startOffset, endOffset, score: SCORE, scores: SCORES }),
      'Best passages of that search, up to 5, without deleted ones.',
    ),
  },
  { $id: 'LastOutranked', description: 'Passages that a correction outranked in its most recent search.' },
)

/**
 * Passages that a correction outranked in its most recent search, best first and without deleted
 * ones. The limit is the same as in `outranks`.
 */
export type LastOutranked = Static<typeof LastOutrankedSchema>

/** A correction in a response. */
export const CorrectionSchema = Type.Object(
  {
    id: Text('Unique identifier of the correction. Starts with `doc_`: it is a document.'),
    memoryId: Text('Memory of the correction.'),
    statement: Text('Statement of the correction.'),
    topics: List(Type.String(), 'Topics of the correction.'),
    boost: Type.Number({
      description: 'Weight of the correction relative to other corrections, above 0 and at most 10.',
    }),
    createdBy: Nullable(
      Type.Object({
        keyId: Text('Identifier of the key.'),
        name: Nullable(Type.String(), 'Name of the key when it created the correction. Null if it had none.'),
      }),
      'Key that created the correction. Null without authentication. A memory key sees only itself.',
    ),
    expiresAt: NullableTimestamp('Time from which searches ignore the correction. Null if it never expires.'),
    isExpired: Flag('True if the correction has expired. Searches ignore expired corrections.'),
    outranks: Nullable(
      Type.Array(OutrankedSchema),
      'Passages that the correction outranks or contradicts: the up to 5 closest to its statement. Null ' +
        'if not computed: in lists without `include`, after the 20th correction of a request, and if the ' +
        'search failed.',
    ),
    lastOutranked: Nullable(
      LastOutrankedSchema,
      'Passages that the correction outranked in the most recent find, search, ask or extract request ' +
        'that returned it, recorded within a second. Null if it never outranked a passage.',
    ),
    createdAt: Timestamp('Time at which the correction was created.'),
  },
  { $id: 'Correction', description: 'A statement that ranks above documents for matching queries.' },
)

/** Response of PATCH …/corrections/{documentId}. */
export const ChangedCorrectionSchema = Type.Object(
  { ...CorrectionSchema.properties, warnings: WarningsSchema },
  { $id: 'ChangedCorrection', description: 'A correction after a change.' },
)

/** A correction in a response. */
export type CorrectionResource = Static<typeof CorrectionSchema>

/** Response of POST corrections. */
export const CorrectionsSchema = Type.Object({
  corrections: List(
    CorrectionSchema,
    'Added corrections, in request order. Trailing items are omitted if the response would exceed 4 ' +
      'MB; `ids` is always complete.',
  ),
  ids: List(Type.String(), 'Identifiers of all added corrections, in request order.'),
  count: Count('Number of added corrections.'),
})

/** Response of POST corrections. */
export type CorrectionBatch = Static<typeof CorrectionsSchema>

/** Example correction of the handbook. */
export const CORRECTION_EXAMPLE: CorrectionResource = {
  id: IDS.correction,
  memoryId: IDS.memory,
  statement: 'Since May, refunds arrive within two working days.',
  topics: ['refunds'],
  boost: 2,
  createdBy: { keyId: IDS.key, name: 'helpdesk' },
  expiresAt: null,
  isExpired: false,
  outranks: [
    {
      documentId: IDS.document,
      chunkId: PASSAGE_ID,
      title: HANDBOOK,
      page: null,
      snippet: REFUNDS,
      score: 0.604,
      scores: { lexical: 0.575, semantic: 0.612 },
    },
  ],
  lastOutranked: null,
  createdAt: LATER,
}
