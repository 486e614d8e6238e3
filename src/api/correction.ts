/** What a memory is told to be so, before whatever its documents say. */
import { type Static, Type } from 'typebox'
import { CORRECTION_BOOST, CORRECTION_FIELDS } from '../limits.ts'
import { BOOST, StatementSchema, TopicsSchema } from './fields.ts'
import { PASSAGE_FIELDS } from './search.ts'
import { HANDBOOK, IDS, LATER, PASSAGE_ID, REFUNDS } from './story.ts'
import { Count, Flag, List, Nullable, NullableTimestamp, Share, Text, Timestamp } from './values.ts'

/** A correction as it is sent. */
export const CorrectionBody = Type.Object({
  statement: StatementSchema,
  topics: Type.Optional(TopicsSchema),
  boost: Type.Optional(
    Type.Number({
      ...BOOST,
      default: CORRECTION_BOOST.default,
      description: 'How much the correction counts, above 0 and at most 10.',
    }),
  ),
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'In the future: it is not found from then on. Without it, it holds for ever.',
    }),
  ),
})

/** The body of corrections. */
export const CorrectionsBody = Type.Object({
  corrections: Type.Array(CorrectionBody, {
    minItems: 1,
    maxItems: CORRECTION_FIELDS.perRequest,
    description: 'The corrections to add, all or none.',
  }),
})

const SCORES = Type.Object(
  {
    lexical: Nullable(Type.Number(), 'The BM25 of the words; null where that search did not find the passage.'),
    semantic: Nullable(Type.Number(), 'The cosine of the meaning; null where that search did not find the passage.'),
  },
  { description: 'The parts of the score.' },
)
const SCORE = Share('How near the passage is, from 0 to 1.')
const { documentId, chunkId, title, page, startOffset, endOffset } = PASSAGE_FIELDS

const OutrankedSchema = Type.Object(
  {
    documentId,
    chunkId,
    title,
    page,
    snippet: Text('A part of the passage that fits, HTML-escaped.'),
    score: SCORE,
    scores: SCORES,
  },
  { $id: 'Outranked', description: 'A passage that a correction stands before.' },
)

/** A passage that a correction stands before. */
export type OutrankedPassage = Static<typeof OutrankedSchema>

const LastOutrankedSchema = Type.Object(
  {
    at: Timestamp('When that was.'),
    passages: List(
      Type.Object({ documentId, chunkId, title, page, startOffset, endOffset, score: SCORE, scores: SCORES }),
      'The best passages then, at most 5, without those that were deleted since.',
    ),
  },
  { $id: 'LastOutranked', description: 'What a correction stood before when it was last found.' },
)

/** What a correction stood before in the last find that it was found by, the best first: as many as in `outranks`, without those that are gone since. */
export type LastOutranked = Static<typeof LastOutrankedSchema>

/** A correction as callers see it. */
export const CorrectionSchema = Type.Object(
  {
    id: Text('The identifier of the correction. It begins with doc_, as a correction is a document.'),
    memoryId: Text('The memory of the correction.'),
    statement: Text('What is so.'),
    topics: List(Type.String(), 'What the correction is about.'),
    boost: Type.Number({ description: 'How much the correction counts, above 0 and at most 10.' }),
    createdBy: Nullable(
      Type.Object({
        keyId: Text('The identifier of the key.'),
        name: Nullable(Type.String(), 'The name of the key when it made the correction; null where it had none.'),
      }),
      'The key that made it, by the name it had then; null where keys are switched off. A key of one ' +
        'memory sees itself alone.',
    ),
    expiresAt: NullableTimestamp('When the correction stops being found; null where it never does.'),
    isExpired: Flag('Whether the correction is not found any more.'),
    outranks: Nullable(
      Type.Array(OutrankedSchema),
      'The passages that it stands before or contradicts: those nearest to its statement by words and ' +
        'meaning, at most 5; null where that was not looked for: in lists unless include asks, behind the ' +
        '20th of a request, and where the search failed.',
    ),
    lastOutranked: Nullable(
      LastOutrankedSchema,
      'What it stood before in the last find, search, question or extraction that found it, written down ' +
        'within a second; null where it never stood before anything.',
    ),
    createdAt: Timestamp('When the correction was made.'),
  },
  { $id: 'Correction', description: 'A statement that is found before whatever the documents say.' },
)

/** A correction as callers see it. */
export type CorrectionResource = Static<typeof CorrectionSchema>

/** The answer of corrections. */
export const CorrectionsSchema = Type.Object({
  corrections: List(
    CorrectionSchema,
    'The corrections in the order sent; the last are left out where all would be larger than 4 MB. ids has all.',
  ),
  ids: List(Type.String(), 'The identifiers of all corrections, in the order sent.'),
  count: Count('How many corrections were added.'),
})

/** The answer of corrections. */
export type CorrectionBatch = Static<typeof CorrectionsSchema>

/** A correction of the handbook. */
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
