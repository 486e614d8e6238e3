import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import { copyKeyOf } from '../../engine/ranking/shortlist.ts'
import { analyzeQuery } from './question.ts'
import type { RankedCandidate } from './rank-documents.ts'
import { selectHits } from './select-hits.ts'

const words = analyzeQuery(createAnalyzer(), { query: 'where to go', mode: 'hybrid' }, ['en'])
const question = { ...words, mode: 'hybrid' } as const

type Facts = {
  text: string
  score?: number
  isNear?: boolean
  lexical?: number | null
  semantic?: number
  section?: string | null
}

function ranked({
  text,
  score = 0.5,
  lexical = 1,
  semantic = 0.1,
  section = null,
  isNear = false,
}: Facts): RankedCandidate {
  const chunk = { text, section, header: null }
  const scores = { lexical, semantic, fused: 1, rerank: 1 }
  const candidate = { lexical, isNear, chunk, copyKey: copyKeyOf(chunk), unrankedCopies: 0 }
  return { candidate, score, scores } as unknown as RankedCandidate
}

function select(facts: readonly Facts[], options: Parameters<typeof selectHits>[1] = {}): [string, number][] {
  const found = { question, documents: facts.map(ranked), embedder: { minSimilarity: 0.4 } }
  return selectHits(found, options).map(({ candidate, duplicates }) => [candidate.chunk.text, duplicates])
}

test('copies take one place, with their number; an amendment keeps its place', () => {
  const copies = [
    'Go to car park F.',
    'Go to  car park F',
    'GO TO CAR PARK F.',
    'Go to car park F.',
    'Go to car park G.',
  ]
  const facts = copies.map((text) => ({ text }))
  assert.deepEqual(select(facts), [
    ['Go to car park F.', 3],
    ['Go to car park G.', 0],
  ])
  assert.equal(select(facts, { collapseDuplicates: false }).length, 5)
})

test('equal texts below different headings are no copies', () => {
  const facts = ['Starter', 'Team'].map((section) => ({ text: 'It is included.', section }))
  assert.equal(select(facts).length, 2)
})

test('passages below the minimum score are no hits', () => {
  const facts = [0.9, 0.5, 0.2].map((score) => ({ text: String(score), score }))
  assert.deepEqual(select(facts, { minScore: 0.5 }), [
    ['0.9', 0],
    ['0.5', 0],
  ])
})

test('without a word of the query, only related passages are hits', () => {
  const near = { text: 'near', lexical: null, semantic: 0.6 }
  const far = { text: 'far', lexical: null, semantic: 0.3 }
  assert.deepEqual(select([near, far]), [['near', 0]])
  assert.deepEqual(select([far]), [])
  assert.deepEqual(select([{ text: 'wrod', isNear: true }, far]), [['wrod', 0]])
  assert.equal(select([{ text: 'word' }, far]).length, 2)
})

test('passages that are nearest without being near are hits on demand only', () => {
  const facts = [{ text: 'Born on 8 June 1991.', lexical: null }]
  assert.deepEqual(select(facts), [])
  assert.equal(select(facts, { keepUnrelated: true }).length, 1)
})
