/** Score explanations of hits, and of documents that a search did not return. */
import { type Static, Type } from 'typebox'
import { PASSAGE_END, REFUNDS } from './example-data.ts'
import { Count, List, Nullable, OneOf, Text } from './values.ts'

const PART_NAMES = [
  'words',
  'meaning',
  'runs',
  'pairs',
  'nearlyWords',
  'title',
  'inText',
  'speaker',
  'phrase',
  'period',
  'neighbours',
  'alike',
  'model',
  'correction',
  'place',
] as const

const ScorePartSchema = Type.Object(
  {
    name: OneOf(
      PART_NAMES,
      'Name of the part. `words` and `meaning` are the lexical and the vector search, `model` is the ' +
        'effect of a reranking model. `correction` and `place` occur in corrections only.',
    ),
    raw: Nullable(
      Type.Number(),
      'Raw value in its own unit. BM25 for `words`, `runs`, `pairs` and `title`; cosine similarity for ' +
        '`meaning`. A count for `phrase`; borrowed score for `neighbours` and `alike`. Null if the part ' +
        'has no unit.',
    ),
    zero: Nullable(Type.Number(), 'Raw value at which `share` is 0. Null if the part has no scale.'),
    one: Nullable(Type.Number(), 'Raw value at which `share` is 1. Null if the part has no scale.'),
    share: Nullable(
      Type.Number(),
      '(raw - zero) / (one - zero), at least 0, and 1 if both ends are equal. Null if the part has no scale.',
    ),
    weight: Nullable(Type.Number(), 'Factor of the share. Null if the part has no share.'),
    points: Type.Number({ description: 'Contribution to the score. The points of all parts add up to the score.' }),
    message: Text('Explanation of the part, with its numbers.'),
  },
  { $id: 'ScorePart', description: 'One part of a score.' },
)

/** One part of a score. */
export type ExplainedPart = Static<typeof ScorePartSchema>

const TopScoreSchema = Type.Object(
  {
    score: Type.Number({
      description: 'Highest value of 1 - (1 - words) * (1 - meaning) among the first five passages.',
    }),
    total: Type.Number({
      description:
        'Weighted sum of the shares of the best passage. The points of a part are share * weight * score / ' + 'total.',
    }),
    words: Nullable(
      Type.Number(),
      "Share of the query's character 4-grams that occur in the passage. Null if words are not scored.",
    ),
    meaning: Nullable(Type.Number(), 'Cosine similarity of the passage. Null if meaning is not scored.'),
    message: Text('Explanation, with its numbers.'),
  },
  { $id: 'TopScore', description: 'Overall match quality of the query. All scores are scaled by it.' },
)

/** Overall match quality: the top score before reranking. All other scores are scaled by it. */
export type ExplainedTop = Static<typeof TopScoreSchema>

const TermSchema = Type.Object({
  term: Text('Term as indexed.'),
  asked: List(Type.String(), 'Query words that map to the term. Empty for a spelling variant.'),
  words: List(Type.String(), 'Words of the passage that contain the term.'),
  count: Count('Number of occurrences in the passage.'),
})

/**
 * Search term with the matching words of the query and the passage. A spelling variant has no query
 * words.
 */
export type ExplainedTerm = Static<typeof TermSchema>

/** Explanation of the score of a hit. */
export const HitExplanationSchema = Type.Object(
  {
    summary: Text('Summary of the score and its parts.'),
    parts: List(ScorePartSchema, 'Parts of the score. The score is their sum.'),
    top: Nullable(
      TopScoreSchema,
      'Overall match quality: top score before reranking; all scores are scaled by it. Null for corrections.',
    ),
    terms: List(
      TermSchema,
      'Search terms with the matching words: up to 100 that occur in the passage, and up to 20 that do ' +
        'not (`count` is 0).',
    ),
    window: Nullable(
      Type.Object({
        startOffset: Count('Start of the sentences in the extracted text, in UTF-16 code units.'),
        endOffset: Count('End of the sentences in the extracted text, in UTF-16 code units.'),
        cosine: Type.Number({ description: 'Cosine similarity of the sentences to the query, from -1 to 1.' }),
      }),
      'Sentences with the closest meaning. Null if no vectors were compared, or if the title is closest.',
    ),
  },
  { $id: 'HitExplanation', description: 'Explanation of the score of a hit.' },
)

/** Explanation of the score of a passage. */
export type HitExplanation = Static<typeof HitExplanationSchema>

const REASONS = [
  'hit',
  'outranked',
  'left_out',
  'not_read',
  'not_a_candidate',
  'filtered_out',
  'correction_not_matching',
  'expired',
  'not_ready',
  'not_found',
] as const

/** Rank of a document, or the reason why a search did not return it. */
export const DocumentExplanationSchema = Type.Object(
  {
    documentId: Text('Identifier from the request.'),
    title: Nullable(Type.String(), 'Title of the document. Null if the document does not exist.'),
    reason: OneOf(REASONS, '`hit` if the document is among the hits; otherwise the reason why not.'),
    message: Text('Explanation of the reason, with its numbers.'),
    rank: Nullable(
      Type.Integer({ minimum: 1 }),
      'Rank of the best passage of the document, starting at 1. Null if the document was not ranked.',
    ),
    score: Nullable(Type.Number(), 'Score of the best passage of the document. Null if the document was not ranked.'),
    neededScore: Nullable(
      Type.Number(),
      'Score of the last hit, which the document would have to exceed. Null if the document is a hit, or ' +
        'if there is no such score.',
    ),
    legs: List(
      Type.Object({
        leg: OneOf(['lexical', 'semantic'], 'Retriever: lexical or semantic.'),
        best: Nullable(
          Type.Number(),
          'BM25 score or cosine similarity of the best passage. Null if the retriever found no passage of ' +
            'the document.',
        ),
        needed: Nullable(
          Type.Number(),
          'Value of the last candidate. Null if the retriever had room for more candidates.',
        ),
      }),
      'Distance of an unranked document to the candidates of each retriever. Empty if the document was a ' +
        'candidate.',
    ),
    explanation: Nullable(
      HitExplanationSchema,
      'Explanation of the score of the best passage. Null if the document was not ranked.',
    ),
  },
  { $id: 'DocumentExplanation', description: 'Rank of a document in a search, or the reason why it is missing.' },
)

/** Rank of a document, or the reason why a search did not return it. */
export type DocumentExplanation = Static<typeof DocumentExplanationSchema>

/** Example explanation of a hit. */
export const EXPLANATION_EXAMPLE: HitExplanation = {
  summary: '0.91: lexical match 0.55, semantic match 0.36.',
  parts: [
    {
      name: 'words',
      raw: 0.575,
      zero: 0.112,
      one: 0.575,
      share: 1,
      weight: 0.6,
      points: 0.547,
      message: 'Lexical: BM25 0.575, which is 1 on the scale from 0.112 to 0.575 of all matches.',
    },
    {
      name: 'meaning',
      raw: 0.432,
      zero: 0.081,
      one: 0.432,
      share: 1,
      weight: 0.4,
      points: 0.365,
      message: 'Semantic: cosine 0.432, which is 1 on the scale from 0.081 to 0.432 of all matches.',
    },
  ],
  top: {
    score: 0.912,
    total: 1,
    words: 0.845,
    meaning: 0.432,
    message:
      'Overall match 0.912, the score of the best passage and the scale of all others: ' +
      'one of the first five passages has a four-gram overlap of 0.845 and a cosine of 0.432: ' +
      '1 - (1 - 0.845) * (1 - 0.432).',
  },
  terms: [
    { term: 'refund', asked: ['refunds'], words: ['refunds'], count: 2 },
    { term: 'arriv', asked: ['arrive'], words: [], count: 0 },
  ],
  window: { startOffset: PASSAGE_END - REFUNDS.length, endOffset: PASSAGE_END, cosine: 0.432 },
}
