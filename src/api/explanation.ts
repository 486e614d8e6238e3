/** What a find says of why a hit stands where it stands, and of a document that someone misses. */
import { type Static, Type } from 'typebox'
import { PASSAGE_END, REFUNDS } from './story.ts'
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
      'The name of the part. words and meaning are the two searches; model is what a reranking model ' +
        'changed; correction and place are those of corrections.',
    ),
    raw: Nullable(
      Type.Number(),
      'The figure in its own unit: BM25 for words, runs, pairs and title, the cosine for meaning, a count ' +
        'for phrase, what others lend; null for what has no unit.',
    ),
    zero: Nullable(Type.Number(), 'The raw figure whose share is 0; null where there is no such scale.'),
    one: Nullable(Type.Number(), 'The raw figure whose share is 1; null where there is no such scale.'),
    share: Nullable(
      Type.Number(),
      '(raw - zero) / (one - zero), not below 0, and 1 where both ends are the same; null where there is ' +
        'no such scale.',
    ),
    weight: Nullable(Type.Number(), 'What the share is multiplied with; null where the part has no share.'),
    points: Type.Number({ description: 'What the part adds to the score. The points of all parts add up to it.' }),
    message: Text('The part as a sentence with its figures.'),
  },
  { $id: 'ScorePart', description: 'A part of a score, in words and numbers.' },
)

/** A part of a score, in words and numbers. */
export type ExplainedPart = Static<typeof ScorePartSchema>

const TopScoreSchema = Type.Object(
  {
    score: Type.Number({
      description: '1 - (1 - words) * (1 - meaning), of the one of the first five passages that has most.',
    }),
    total: Type.Number({
      description:
        "The sum of the best passage's shares, each times its weight. The points of a part are share * " +
        'weight * score / total.',
    }),
    words: Nullable(
      Type.Number(),
      "The share of the query's runs of four characters that stand in that passage; null where words do not count.",
    ),
    meaning: Nullable(Type.Number(), 'The cosine of that passage; null where meaning does not count.'),
    message: Text('The figures as a sentence.'),
  },
  { $id: 'TopScore', description: 'How well the query is answered at all, of which every hit has a share.' },
)

/** How well the query is answered at all: the score of the best passage, before a model reads it again, of which all others have a share. */
export type ExplainedTop = Static<typeof TopScoreSchema>

const TermSchema = Type.Object({
  term: Text('The term as it is indexed.'),
  asked: List(Type.String(), 'The words of the query that ask for the term; empty for another way of writing them.'),
  words: List(Type.String(), 'The words of the passage that have the term.'),
  count: Count('How often the term stands in the passage.'),
})

/** A term that was looked up, the words of the query that asked for it, none for another way of writing them, and those of the passage that have it. */
export type ExplainedTerm = Static<typeof TermSchema>

/** Why a hit has its score. */
export const HitExplanationSchema = Type.Object(
  {
    summary: Text('The score and its parts as a sentence.'),
    parts: List(ScorePartSchema, 'The parts that the score is the sum of.'),
    top: Nullable(
      TopScoreSchema,
      'How well the query is answered at all: the score of the best passage before a model reads it again, ' +
        'of which all have a share; null for corrections.',
    ),
    terms: List(
      TermSchema,
      'The terms that were looked up, with the words that have them: up to 100 that stand in the passage, ' +
        'and up to 20 that do not, of which count is 0.',
    ),
    window: Nullable(
      Type.Object({
        startOffset: Count('Where these sentences begin in the extracted text, in UTF-16 code units.'),
        endOffset: Count('Where they end.'),
        cosine: Type.Number({ description: 'How near their meaning is to that of the query, from -1 to 1.' }),
      }),
      'The sentences nearest in meaning; null where nothing was compared, and where the title is nearest.',
    ),
  },
  { $id: 'HitExplanation', description: 'Why a hit has its score.' },
)

/** Why a passage has its score. */
export type HitExplanation = Static<typeof HitExplanationSchema>

const REASONS = [
  'hit',
  'outranked',
  'not_read',
  'not_a_candidate',
  'filtered_out',
  'correction_not_matching',
  'expired',
  'not_ready',
  'not_found',
] as const

/** Where a document stands, or why it does not. */
export const DocumentExplanationSchema = Type.Object(
  {
    documentId: Text('The identifier that was asked for.'),
    title: Nullable(Type.String(), 'The title of the document; null where there is no such document.'),
    reason: OneOf(REASONS, 'Where the document stands: hit where it is among the hits, why it is not otherwise.'),
    message: Text('The reason as a sentence with its figures.'),
    rank: Nullable(
      Type.Integer({ minimum: 1 }),
      'The place of its best passage among all that were ranked, from 1; null where it was not ranked.',
    ),
    score: Nullable(Type.Number(), 'The score of its best passage; null where it was not ranked.'),
    neededScore: Nullable(
      Type.Number(),
      'The score of the last hit, which it would have to exceed; null where it is a hit, and where there ' +
        'is no such score.',
    ),
    legs: List(
      Type.Object({
        leg: OneOf(['lexical', 'semantic'], 'The search: by words or by meaning.'),
        best: Nullable(
          Type.Number(),
          'The BM25 or the cosine of its best passage; null where no passage of it was found at all.',
        ),
        needed: Nullable(Type.Number(), 'The figure of the last candidate; null where there was room for more.'),
      }),
      'How near a document that was not ranked came to the candidates of each search that ran; empty where ' +
        'it is among them.',
    ),
    explanation: Nullable(HitExplanationSchema, 'Why its best passage has its score; null where it was not ranked.'),
  },
  { $id: 'DocumentExplanation', description: 'Where a document stands in a find, or why it does not.' },
)

/** Where a document stands, or why it does not. */
export type DocumentExplanation = Static<typeof DocumentExplanationSchema>

/** Why the passage on refunds is found. */
export const EXPLANATION_EXAMPLE: HitExplanation = {
  summary: '0.91: its words 0.55, its meaning 0.36.',
  parts: [
    {
      name: 'words',
      raw: 0.575,
      zero: 0.112,
      one: 0.575,
      share: 1,
      weight: 0.6,
      points: 0.547,
      message: 'Its words: BM25 0.575, which is 1 on the scale from 0.112 to 0.575 of all that was found.',
    },
    {
      name: 'meaning',
      raw: 0.432,
      zero: 0.081,
      one: 0.432,
      share: 1,
      weight: 0.4,
      points: 0.365,
      message: 'Its meaning: cosine 0.432, which is 1 on the scale from 0.081 to 0.432 of all that was found.',
    },
  ],
  top: {
    score: 0.912,
    total: 1,
    words: 0.845,
    meaning: 0.432,
    message:
      'How well the query is answered at all is 0.912, the score of the best passage and the measure of ' +
      'all others: one of the first five has 0.845 of the query, counted in runs of four characters, and a ' +
      'cosine of 0.432: 1 - (1 - 0.845) * (1 - 0.432).',
  },
  terms: [
    { term: 'refund', asked: ['refunds'], words: ['refunds'], count: 2 },
    { term: 'arriv', asked: ['arrive'], words: [], count: 0 },
  ],
  window: { startOffset: PASSAGE_END - REFUNDS.length, endOffset: PASSAGE_END, cosine: 0.432 },
}
