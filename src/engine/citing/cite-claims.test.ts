import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { citeClaims } from './cite-claims.ts'

const analyzer = createAnalyzer()
const SOURCES = [
  'The workshop is let to Mara Lindqvist.',
  'The rent is 1,250 euros a month. Notice has to be given three months ahead.',
]

function cite(answer: string) {
  return citeClaims(analyzer, { answer, sources: SOURCES, languages: ['en'] })
}

test('each sentence whose words stand in a source cites the one that has most of them', () => {
  const { answer, citations } = cite(
    'The workshop is let to Mara Lindqvist. Bananas are yellow. The rent: 1,250 euros.',
  )
  assert.equal(answer, 'The workshop is let to Mara Lindqvist. [1] Bananas are yellow. The rent: 1,250 euros. [2]')
  assert.deepEqual(
    citations.map(({ index, answerStart, answerEnd }) => [index, answer.slice(answerStart, answerEnd)]),
    [
      [1, '[1]'],
      [2, '[2]'],
    ],
  )
})

test('an answer of which no source has the words, or another number, stays without citation', () => {
  for (const answer of ['Paris is the capital of France.', 'The rent is 9,999 euros a month.', 'Yes.', '']) {
    assert.deepEqual(cite(answer), { answer, citations: [] })
  }
})
