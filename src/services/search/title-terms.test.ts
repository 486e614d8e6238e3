import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import { createTitleStatsCache, createTitleTerms } from './title-terms.ts'

const titleTerms = createTitleTerms(createAnalyzer())

describe('createTitleTerms', () => {
  it("returns title terms in the document's language", () => {
    assert.deepEqual(titleTerms({ title: 'Pumps', filename: null, language: 'en' }), ['pump'])
    assert.deepEqual(titleTerms({ title: 'Pumpen', filename: 'p1.pdf', language: 'de' }), ['pump'])
  })

  // Filenames would make consecutive texts look like chunks of one title and raise each other:
  // Chinese questions lost .3 points.
  it('returns no terms for a document without a title', () => {
    assert.deepEqual(titleTerms({ title: 'Untitled', filename: null, language: 'en' }), [])
    assert.deepEqual(titleTerms({ title: 'pumps', filename: 'pumps.pdf', language: 'en' }), [])
  })
})

const titled = (title: string, seq: number) => ({ title, filename: null, language: 'en', seq })
const LARGE = Array.from({ length: 2500 }, (_, place) => titled(`pump n${place}`, 3 * place + 1))

function openStocks() {
  const listed: string[] = []
  const turns = { taken: 0 }
  const stocks = createTitleStatsCache({
    list: async (memoryId, { behind, limit }) => {
      if (memoryId === 'large') return LARGE.filter(({ seq }) => seq > behind).slice(0, limit)
      listed.push(memoryId)
      if (memoryId === 'broken' && listed.length === 1) throw new Error('the database is away')
      return [titled('pump guide', 1), titled('pump', 2)]
    },
    titleTerms: ({ title }) => title.split(' '),
    yieldToEventLoop: async () => {
      turns.taken += 1
    },
  })
  return { stocks, listed, turns }
}

describe('createTitleStocks', () => {
  it('counts a memory once, and again after a tenth of its documents changed', async () => {
    const { stocks, listed } = openStocks()
    const { titles, length, having } = await stocks({ id: 'a', document_count: 100 })
    assert.deepEqual([titles, length, having.get('pump'), having.get('guide')], [2, 3, 2, 1])
    await stocks({ id: 'a', document_count: 110 })
    assert.deepEqual(listed, ['a'])
    await stocks({ id: 'a', document_count: 111 })
    await stocks({ id: 'a', document_count: 99 })
    assert.deepEqual(listed, ['a', 'a', 'a'])
  })

  it('counts the 2,000 oldest titles of a large memory', async () => {
    const { stocks } = openStocks()
    const { titles, length, having } = await stocks({ id: 'large', document_count: 2500 })
    assert.deepEqual([titles, length, having.get('pump'), having.size], [2000, 4000, 2000, 2001])
    assert.deepEqual([having.get('n0'), having.get('n1999'), having.get('n2000')], [1, 1, undefined])
  })

  it('yields before each title', async () => {
    const { stocks, turns } = openStocks()
    await stocks({ id: 'large', document_count: 2500 })
    assert.equal(turns.taken, 2000)
  })

  it('evicts the least recently used memory', async () => {
    const { stocks, listed } = openStocks()
    for (const id of ['first', 'second']) await stocks({ id, document_count: 1 })
    await stocks({ id: 'first', document_count: 1 })
    for (let other = 0; other < 19; other += 1) await stocks({ id: `other ${other}`, document_count: 1 })
    await stocks({ id: 'first', document_count: 1 })
    assert.equal(listed.filter((id) => id === 'first').length, 1)
    await stocks({ id: 'second', document_count: 1 })
    assert.equal(listed.filter((id) => id === 'second').length, 2)
  })

  it('rejects as the list does, and retries the next time', async () => {
    const { stocks } = openStocks()
    await assert.rejects(stocks({ id: 'broken', document_count: 1 }), /the database is away/)
    assert.equal((await stocks({ id: 'broken', document_count: 1 })).titles, 2)
  })
})
