import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTitleStocks } from './create-title-stocks.ts'

const titled = (title: string) => ({ title, filename: null, language: 'en' })

function openStocks() {
  const listed: string[] = []
  const stocks = createTitleStocks({
    list: async (memoryId) => {
      listed.push(memoryId)
      if (memoryId === 'broken' && listed.length === 1) throw new Error('the database is away')
      return [titled('pump guide'), titled('pump')]
    },
    titleTerms: ({ title }) => title.split(' '),
    shareLoop: async () => undefined,
  })
  return { stocks, listed }
}

describe('createTitleStocks', () => {
  it('counts the titles of a memory once, and again when a tenth of its documents came or went', async () => {
    const { stocks, listed } = openStocks()
    const { titles, length, having } = await stocks({ id: 'a', document_count: 100 })
    assert.deepEqual([titles, length, having.get('pump'), having.get('guide')], [2, 3, 2, 1])
    await stocks({ id: 'a', document_count: 110 })
    assert.deepEqual(listed, ['a'])
    await stocks({ id: 'a', document_count: 111 })
    await stocks({ id: 'a', document_count: 99 })
    assert.deepEqual(listed, ['a', 'a', 'a'])
  })

  it('forgets the memory asked for longest ago where there are too many', async () => {
    const { stocks, listed } = openStocks()
    for (const id of ['first', 'second']) await stocks({ id, document_count: 1 })
    await stocks({ id: 'first', document_count: 1 })
    for (let other = 0; other < 19; other += 1) await stocks({ id: `other ${other}`, document_count: 1 })
    await stocks({ id: 'first', document_count: 1 })
    assert.equal(listed.filter((id) => id === 'first').length, 1)
    await stocks({ id: 'second', document_count: 1 })
    assert.equal(listed.filter((id) => id === 'second').length, 2)
  })

  it('rejects as the list does, and asks it again the next time', async () => {
    const { stocks } = openStocks()
    await assert.rejects(stocks({ id: 'broken', document_count: 1 }), /the database is away/)
    assert.equal((await stocks({ id: 'broken', document_count: 1 })).titles, 2)
  })
})
