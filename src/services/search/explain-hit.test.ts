import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import type { Token } from '../../engine/analysis/split-words.ts'
import { createExplainContext, explainHit } from './explain-hit.ts'
import { analyzeQuery } from './question.ts'
import type { RankedCandidate } from './rank-documents.ts'

const HITS = 10
const analyzer = createAnalyzer()

/** Counts the reads of token terms while hits with `words` query words are explained. */
function countLooks(words: number): number {
  let looks = 0
  const query = Array.from({ length: words }, (_, index) => `word${index}`).join(' ')
  const question = analyzeQuery(analyzer, { query, mode: 'lexical' }, ['en'])
  const findTerms = (...asked: Parameters<typeof analyzer.findTerms>) =>
    analyzer.findTerms(...asked).map(({ term, start, end }): Token => {
      return {
        get term() {
          looks += 1
          return term
        },
        start,
        end,
      }
    })
  const explaining = createExplainContext({ analyzer: { ...analyzer, findTerms }, question, windowCharacters: null })
  const hit = {
    candidate: { chunk: { text: query } },
    score: 0,
    scores: { lexical: 1, semantic: null, fused: 1, rerank: null },
    parts: [],
  } as unknown as RankedCandidate
  for (let index = 0; index < HITS; index++) {
    const { terms } = explainHit(explaining, hit)
    assert.deepEqual(terms[1], { term: 'word1', asked: ['word1'], words: ['word1'], count: 1 })
  }
  return looks
}

test('reads each word of the query and the hits once per explanation', () => {
  assert.equal(countLooks(200), 2 * countLooks(100))
})
