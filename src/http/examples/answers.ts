/** Examples of what is found and answered: passages of the help desk's handbook. */
import { DOCUMENT, HANDBOOK, IDS, REFUNDS } from './resources.ts'

const QUESTION = 'When do refunds arrive?'
const CHUNK = `${IDS.document}.0`
const SNIPPET = '<mark>Refunds</mark> go back to the card that paid, within five working days.'
const TEXT = `## Refunds\n\n${REFUNDS}`
const START = 145
const ANSWER = `${REFUNDS} [1]`
const PASSAGE = { startOffset: START, endOffset: START + TEXT.length }
const HIT = { rank: 1, score: 0.912, documentId: IDS.document, chunkId: CHUNK, title: HANDBOOK }

const EXPLANATION = {
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
      'How well the query is answered at all is 0.912, the score of the best passage and the measure of all others: one of the first five has 0.845 of the query, counted in runs of four characters, and a cosine of 0.432: 1 - (1 - 0.845) * (1 - 0.432).',
  },
  terms: [
    { term: 'refund', asked: ['refunds'], words: ['refunds'], count: 2 },
    { term: 'arriv', asked: ['arrive'], words: [], count: 0 },
  ],
  window: { startOffset: PASSAGE.endOffset - REFUNDS.length, endOffset: PASSAGE.endOffset, cosine: 0.432 },
}

/** The answer of find. */
export const FIND_ANSWER = {
  query: QUESTION,
  mode: 'hybrid',
  totalHits: 1,
  tookMs: 21,
  hits: [
    {
      ...HIT,
      scores: { lexical: 0.575, semantic: 0.432, fused: 1, rerank: 0.912, boost: 1 },
      kind: 'document',
      correction: null,
      chunkIndex: 0,
      filename: DOCUMENT.filename,
      url: null,
      text: TEXT,
      page: null,
      pageEnd: null,
      section: `${HANDBOOK} > Refunds`,
      header: null,
      ...PASSAGE,
      tags: DOCUMENT.tags,
      metadata: DOCUMENT.metadata,
      createdAt: DOCUMENT.createdAt,
      snippet: SNIPPET,
      explanation: EXPLANATION,
    },
  ],
  warnings: [],
}

/** The answer of search. */
export const SEARCH_ANSWER = {
  query: QUESTION,
  hits: [{ ...HIT, text: TEXT, snippet: REFUNDS, page: null }],
  totalHits: 1,
  tookMs: 18,
}

const ANSWERED = { question: QUESTION, answer: ANSWER, model: 'extractive', requestedModel: 'gpt-4', answered: true }
const FACTS = {
  usage: { retrieved: 1, promptTokens: 0, completionTokens: 0, totalTokens: 0 },
  stats: { retrievalMs: 20, generationMs: 17, totalMs: 37 },
  grounding: null,
  warnings: [],
}
const MARK = { answerStart: ANSWER.length - '[1]'.length, answerEnd: ANSWER.length }
const CITATION = {
  index: 1,
  documentId: IDS.document,
  chunkId: CHUNK,
  title: HANDBOOK,
  page: null,
  correction: null,
  startOffset: PASSAGE.endOffset - REFUNDS.length,
  endOffset: PASSAGE.endOffset,
  ...MARK,
}

/** The answer of ask, with its sources. */
export const ASK_ANSWER = {
  ...ANSWERED,
  citations: [CITATION],
  sources: [
    {
      index: 1,
      snippet: REFUNDS,
      text: TEXT,
      ...PASSAGE,
      score: 0.912,
      documentId: IDS.document,
      chunkId: CHUNK,
      title: HANDBOOK,
      filename: DOCUMENT.filename,
      page: null,
      kind: 'document',
      correction: null,
    },
  ],
  ...FACTS,
}

/** The answer of ask-once. */
export const ASK_ONCE_ANSWER = {
  ...ANSWERED,
  citations: [{ index: 1, startOffset: 0, endOffset: REFUNDS.length, ...MARK }],
  sources: [],
  ...FACTS,
}

/** The beginning of the answer of ask as events; `done` carries the whole of it. */
export const ASK_EVENTS = [
  `event: token\ndata: ${JSON.stringify({ text: `${REFUNDS} ` })}\n\n`,
  `event: token\ndata: ${JSON.stringify({ text: '[1]' })}\n\n`,
  `event: citation\ndata: ${JSON.stringify(CITATION)}\n\n`,
  `event: done\ndata: ${JSON.stringify(ASK_ANSWER)}\n\n`,
].join('')

/** The answer of extract. */
export const EXTRACT_ANSWER = {
  memoryId: IDS.memory,
  values: { invoice: { date: '2026-03-01' } },
  sections: [
    {
      id: 'invoice',
      name: 'Invoice',
      fields: [
        {
          key: 'date',
          label: 'Invoice date',
          data_type: 'date',
          found: true,
          value: '2026-03-01',
          rawValue: '1 March 2026',
          confidence: 0.99,
          sources: [
            {
              documentId: IDS.scan,
              chunkId: `${IDS.scan}.0`,
              title: 'invoice',
              page: 1,
              snippet: 'Invoice date: 1 March 2026',
              startOffset: 39,
              endOffset: 51,
            },
          ],
        },
      ],
    },
  ],
  fieldsTotal: 1,
  fieldsFound: 1,
  model: 'extractive',
  warnings: [],
}
