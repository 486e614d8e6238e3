import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findMatches, type Match, type RetrievalDeps, searchUntilFresh } from './retrieve.ts'

/**
 * A file with two matches, a lexical one and two semantic ones, at different rows in every search.
 */
function openMovingFile() {
  let searches = 0
  const memoryFile = {
    searchLexical: async () => {
      searches += 1
      return [{ row: BigInt(10 * searches), score: 5 }]
    },
    searchVector: async () =>
      [1, 0].map((place) => ({ row: BigInt(10 * (searches || 1) + place), score: 0.5 + place })),
  }
  return { parts: { memoryFile } as unknown as RetrievalDeps, count: () => searches }
}

const RETRIEVAL = { terms: ['word'], vector: new Float32Array(1), filter: {}, limit: 5 }

describe('searchUntilWhole', () => {
  it('merges the matches of both retrievers by row, with both scores', async () => {
    const { parts, count } = openMovingFile()
    const { seen } = await searchUntilFresh(parts, RETRIEVAL, async (matches) => ({ stale: [], seen: matches }))
    assert.deepEqual(seen, [
      { row: 10n, lexical: 5, vector: 0.5, isNear: false },
      { row: 11n, lexical: null, vector: 1.5, isNear: false },
    ])
    assert.equal(count(), 1)
  })

  it('searches again while matches are stale, at most three times', async () => {
    const { parts, count } = openMovingFile()
    const goneBefore = (whole: number) => async (matches: readonly Match[]) => ({
      stale: Number(matches[0]?.row) < whole ? matches.slice(0, 1) : [],
      row: matches[0]?.row,
    })
    assert.equal((await searchUntilFresh(parts, RETRIEVAL, goneBefore(20))).row, 20n)
    assert.equal(count(), 2)
    const { stale } = await searchUntilFresh(parts, RETRIEVAL, goneBefore(1000))
    assert.deepEqual([count(), stale.length], [5, 1])
  })
})

describe('findMatches', () => {
  it('searches similar terms when none match, and pairs that start with a single Chinese character', async () => {
    const asked: (readonly string[])[] = []
    const memoryFile = {
      searchLexical: async () => [],
      searchNear: async (_memoryId: string, terms: readonly string[]) => {
        asked.push(terms)
        return [{ row: 1n, score: 2 }]
      },
    }
    const parts = { memoryFile } as unknown as RetrievalDeps
    const terms = ['paylaod', 'кнгиа', 'err', '4012', '猫', '东京', 'か', '책']
    const found = await findMatches(parts, { ...RETRIEVAL, terms, vector: null })
    assert.deepEqual(found, [{ row: 1n, lexical: 2, vector: null, isNear: true }])
    assert.deepEqual(asked, [['paylaod', 'кнгиа', '猫']])
  })

  it('searches a query of a single Chinese character in pairs and at the ends of runs at once', async () => {
    const memoryFile = { searchNear: async () => [{ row: 1n, score: 2 }] }
    const found = await findMatches({ memoryFile } as unknown as RetrievalDeps, {
      ...RETRIEVAL,
      terms: ['猫'],
      vector: null,
    })
    assert.deepEqual(found, [{ row: 1n, lexical: 2, vector: null, isNear: false }])
  })
})
