/** An evaluation of the help desk's memory. */
import { IDS } from './resources.ts'

const QUESTION = 'When do refunds arrive?'
const FOUND = { index: 0, query: QUESTION, rank: 1, ndcg: 1, recall: 1 }
const PERFECT = { ndcg: 1, recall: 1, mrr: 1, precision: 0.1 }

/** The body of evaluate. */
export const EVALUATE_BODY = {
  questions: [{ query: QUESTION, documentIds: [IDS.document] }],
  topK: 10,
  modes: ['lexical', 'hybrid'],
}

/** The answer of evaluate. */
export const EVALUATION = {
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
