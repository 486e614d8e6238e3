import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { citeClaims, measureClaims, summarizeGrounding } from './grounding.ts'
import { resolveCitations } from './resolve-citations.ts'

const analyzer = createAnalyzer()
const SOURCES = ['The gate opens at 9 and closes at dusk.', 'Lunch costs 12 euros on weekdays. Soup is free.']

function ground(text: string, languages: readonly string[] = ['en']) {
  const { answer, citations } = resolveCitations(text, SOURCES.length)
  const claims = measureClaims(analyzer, { answer, citations, sources: SOURCES, languages })
  const { score, unsupported } = summarizeGrounding(claims)
  return { score, unsupported: unsupported.map(({ start, end }) => answer.slice(start, end)) }
}

test('an answer in the words of its sources is grounded', () => {
  assert.deepEqual(ground('The gate opens at 9 [1]. Lunch on weekdays costs 12 euros [2].'), {
    score: 1,
    unsupported: [],
  })
})

test('an unsupported sentence is marked', () => {
  const { score, unsupported } = ground('The gate opens at 9 [1]. The mayor owns seven horses and a vineyard.')
  assert.deepEqual(unsupported, ['The mayor owns seven horses and a vineyard.'])
  assert.ok(score > 0 && score < 0.6)
})

test('a number missing in the cited source is not grounded', () => {
  assert.deepEqual(ground('The gate opens at 8 [1].').unsupported, ['The gate opens at 8 [1].'])
})

test('a sentence is compared with its cited sources only', () => {
  assert.deepEqual(ground('Lunch costs 12 euros [1].').unsupported, ['Lunch costs 12 euros [1].'])
})

test('a sentence without citations is compared with all cited sources', () => {
  assert.deepEqual(ground('The gate opens at 9. It closes at dusk [1].').unsupported, [])
})

test('inflected words count, also in a memory of several languages', () => {
  assert.deepEqual(ground('It is opening at 9 [1].', ['en', 'de']), { score: 1, unsupported: [] })
})

test('an answer without content words is not marked', () => {
  assert.deepEqual(ground('…'), { score: 1, unsupported: [] })
})

const CLAIM_SOURCES = [
  'The workshop is let to Mara Lindqvist.',
  'The rent is 1,250 euros a month. Notice has to be given three months ahead.',
]

function cite(answer: string) {
  return citeClaims(analyzer, { answer, sources: CLAIM_SOURCES, languages: ['en'] })
}

test('each supported sentence cites the source with most of its words', () => {
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

test('an answer without support, or with another number, stays without citations', () => {
  for (const answer of ['Paris is the capital of France.', 'The rent is 9,999 euros a month.', 'Yes.', '']) {
    assert.deepEqual(cite(answer), { answer, citations: [] })
  }
})
