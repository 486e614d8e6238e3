import { Type } from 'typebox'
import { Count, Nullable, OneOf } from './values.ts'

const NUMBER = Nullable(Type.Number())

const ScorePartSchema = Type.Object(
  {
    name: OneOf([
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
    ]),
    raw: Type.Union([Type.Number(), Type.Null()], {
      description:
        'BM25 of words, runs, pairs and title, cosine of meaning, phrases that stand in it, what others lend.',
    }),
    zero: Type.Union([Type.Number(), Type.Null()], { description: 'The raw figure whose share is 0.' }),
    one: Type.Union([Type.Number(), Type.Null()], { description: 'The raw figure whose share is 1.' }),
    share: Type.Union([Type.Number(), Type.Null()], {
      description: '(raw - zero) / (one - zero), not below 0; 1 where both ends are the same.',
    }),
    weight: NUMBER,
    points: Type.Number({ description: 'Of the score; those of all parts add up to it.' }),
    message: Type.String(),
  },
  { $id: 'ScorePart' },
)

const TopScoreSchema = Type.Object(
  {
    score: Type.Number({ description: '1 - (1 - words) * (1 - meaning), of the one of the first five that has most.' }),
    total: Type.Number({ description: 'Of the best passage; points are share * weight * score / total.' }),
    words: Type.Union([Type.Number(), Type.Null()], {
      description: "The share of the query's runs of four characters that stand in it; null where words do not count.",
    }),
    meaning: Type.Union([Type.Number(), Type.Null()], {
      description: 'Its cosine; null where meaning does not count.',
    }),
    message: Type.String(),
  },
  { $id: 'TopScore' },
)

/** Why a hit has its score. */
export const HitExplanationSchema = Type.Object(
  {
    summary: Type.String(),
    parts: Type.Array(ScorePartSchema),
    top: Type.Union([TopScoreSchema, Type.Null()], {
      description:
        'How well the query is answered at all: the score of the best passage before a model reads it again, of which all have a share. Null for corrections.',
    }),
    terms: Type.Array(
      Type.Object({
        term: Type.String({ description: 'As it is indexed.' }),
        asked: Type.Array(Type.String(), {
          description: 'The words of the query; none for another way of writing them.',
        }),
        words: Type.Array(Type.String(), { description: 'Those of the passage.' }),
        count: Count,
      }),
      {
        description:
          'What was looked up, with the words that have it: up to 100 terms that stand in the passage, and up to 20 that do not, of which count is 0.',
      },
    ),
    window: Type.Union([Type.Object({ startOffset: Count, endOffset: Count, cosine: Type.Number() }), Type.Null()], {
      description: 'The sentences nearest in meaning; null where nothing was compared, and where the title is nearest.',
    }),
  },
  { $id: 'HitExplanation' },
)

/** Where a document stands, or why it does not. */
export const DocumentExplanationSchema = Type.Object(
  {
    documentId: Type.String(),
    title: Nullable(Type.String()),
    reason: OneOf([
      'hit',
      'outranked',
      'not_read',
      'not_a_candidate',
      'filtered_out',
      'correction_not_matching',
      'expired',
      'not_ready',
      'not_found',
    ]),
    message: Type.String(),
    rank: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Of its best passage among all that were ranked.',
    }),
    score: NUMBER,
    neededScore: Type.Union([Type.Number(), Type.Null()], { description: 'That of the last hit.' }),
    legs: Type.Array(Type.Object({ leg: OneOf(['lexical', 'semantic']), best: NUMBER, needed: NUMBER }), {
      description: 'Of a document that was not ranked: its best BM25 and cosine, and those of the last candidates.',
    }),
    explanation: Nullable(HitExplanationSchema),
  },
  { $id: 'DocumentExplanation' },
)
