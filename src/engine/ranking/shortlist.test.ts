import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Match, shortlist } from './shortlist.ts'

function match(over: Partial<Match>): Match {
  return { lexical: null, semantic: null, title: 0, ...over }
}

describe('shortlist', () => {
  const judging = { semanticWeight: 0.5, most: 2 }

  it('takes all where there are no more than wanted', () => {
    assert.deepEqual(shortlist([match({}), match({})], judging), [0, 1])
    assert.deepEqual(shortlist([], judging), [])
  })

  it('takes what both legs found before what one did, in the order it came', () => {
    const matches = [
      match({ lexical: 5 }),
      match({ lexical: 4, semantic: 0.8 }),
      match({ semantic: 0.7 }),
      match({ lexical: 5, semantic: 0.6 }),
      match({ lexical: 1, semantic: 0.2 }),
    ]
    assert.deepEqual(shortlist(matches, judging), [1, 3])
  })

  it('goes by one leg alone where only that one found something', () => {
    const lexical = [1, 3, 2].map((score) => match({ lexical: score }))
    assert.deepEqual(shortlist(lexical, judging), [1, 2])
    const semantic = [0.1, 0.3, 0.2].map((score) => match({ semantic: score }))
    assert.deepEqual(shortlist(semantic, { ...judging, semanticWeight: 1 }), [1, 2])
  })

  it('prefers a match in a title', () => {
    const matches = [
      match({ lexical: 5 }),
      match({ lexical: 4.5 }),
      match({ lexical: 4, title: 1 }),
      match({ lexical: 1 }),
    ]
    assert.deepEqual(shortlist(matches, judging), [0, 2])
  })
})
