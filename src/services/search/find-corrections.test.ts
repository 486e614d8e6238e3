import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createEventLoopYielder } from '../../concurrency/event-loop-yield.ts'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import { createCorrectionMatcher, dedupeByDocument, filterMatching } from './find-corrections.ts'
import { analyzeQuery } from './question.ts'
import type { Candidate } from './retrieve.ts'

it('ranks a long correction once, by its best chunk', () => {
  const found = [
    ['a', 3],
    ['b', 2],
    ['a', 1],
  ].map(([id, strength]) => ({ candidate: { document: { id: String(id) } }, strength }))
  assert.deepEqual(
    dedupeByDocument(found).map(({ candidate, strength }) => [candidate.document.id, strength]),
    [
      ['a', 3],
      ['b', 2],
    ],
  )
})

it('yields while measuring thousands of corrections', async () => {
  let turns = 0
  let measured = 0
  const count = (): void => {
    turns += 1
    if (measured < 1000) setImmediate(count)
  }
  setImmediate(count)
  const candidates = Array.from({ length: 1000 }, () => ({ document: { boost: null } }) as Candidate)
  const measure = () => {
    measured += 1
    return { cosine: null, coverage: measured, rule: 'runs' as const, matches: measured % 2 === 0 }
  }
  // A fake clock: each measurement takes a millisecond.
  const matching = await filterMatching(
    candidates,
    measure,
    createEventLoopYielder(8, () => measured),
  )
  const likely = matching.filter(({ isLikely }) => isLikely)
  assert.deepEqual([likely.length, likely[0]?.strength], [500, 2])
  assert.ok(turns >= 100, `${turns} turns`)
})

it("analyses a correction in the memory's language once", () => {
  const analyzer = createAnalyzer()
  const read: (string | null)[] = []
  const terms: typeof analyzer.terms = (text, language) => {
    read.push(language)
    return analyzer.terms(text, language)
  }
  const words = analyzeQuery(analyzer, { query: 'crane', mode: 'lexical' }, ['en', 'de'])
  const question = { ...words, mode: 'lexical', vector: null } as const
  const measure = createCorrectionMatcher({ analyzer: { ...analyzer, terms }, embedder: null }, question)
  const document = { statement: 'The crane is red.', topics: null, language: 'de' }
  assert.equal(measure({ document, chunk: {} } as Candidate).coverage, 1)
  assert.deepEqual(read.sort(), ['de', 'en'])
})
