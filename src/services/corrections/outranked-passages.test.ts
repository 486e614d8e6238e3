import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HitResource } from '../../api/search.ts'
import type { SearchedMemory, SearchService } from '../search/search.ts'
import { listOutranked } from './outranked-passages.ts'

type Facts = { text: string; semantic: number | null; standing: readonly string[] }

const WORDS = ['refunds', 'arrive', 'ten', 'days']

/** Texts listed for a statement of four words, if the search returns these hits. */
async function listed(hits: readonly Facts[]): Promise<(string | undefined)[]> {
  const found = hits.map(({ text, semantic, standing }) => {
    const terms = WORDS.map((word) => ({
      term: word,
      asked: [word],
      words: [],
      count: standing.includes(word) ? 1 : 0,
    }))
    const scores = { lexical: standing.length, semantic, fused: 1, rerank: 1, boost: 1 }
    return { text, snippet: text, score: 0.5, scores, explanation: { terms } } as unknown as HitResource
  })
  const find = (async () => ({ hits: found })) as unknown as SearchService['find']
  const about = { searched: {} as SearchedMemory, statement: WORDS.join(' ') }
  const outranked = await listOutranked({ search: { find }, log: { warn: () => undefined } }, about)
  return outranked?.map(({ snippet }) => snippet) ?? []
}

describe('listOutranked', () => {
  it('lists passages with half of the words, with a word and some similarity, or with high similarity', async () => {
    const hits = [
      { text: 'half', semantic: 0.1, standing: ['refunds', 'days'] },
      { text: 'by words alone', semantic: null, standing: ['refunds', 'arrive'] },
      { text: 'one, and like it', semantic: 0.4, standing: ['days'] },
      { text: 'one, and unlike it', semantic: 0.39, standing: ['days'] },
      { text: 'like it', semantic: 0.6, standing: [] },
      { text: 'not enough like it', semantic: 0.59, standing: [] },
    ]
    assert.deepEqual(await listed(hits), ['half', 'by words alone', 'one, and like it', 'like it'])
  })

  it('lists at most five passages without duplicates', async () => {
    const texts = ['a', 'a', 'b', 'c', 'b', 'd', 'e', 'f']
    const hits = texts.map((text) => ({ text, semantic: 0.7, standing: ['refunds'] }))
    assert.deepEqual(await listed(hits), ['a', 'b', 'c', 'd', 'e'])
  })
})
