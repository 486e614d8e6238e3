import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Service } from '../service.ts'
import { askSet } from './ask-set.ts'
import { type Filled, measureSet } from './measure-set.ts'

const QUERY = {
  id: 'q',
  text: 'How long?',
  gains: new Map([['leave', 1]]),
  parts: { language: 'en', class: 'synonym' },
}

function fill(quote: string | null): Filled {
  const unanswerable = [{ ...QUERY, id: 'none', gains: new Map<string, number>(), quote: null }]
  const group = { name: 'en', documents: [], queries: [{ ...QUERY, quote }], unanswerable }
  return { memoryId: 'm', ids: new Map([['d', 'leave']]), group }
}

/** A service with the same answer to every request. */
function answerWith(answer: object): Service {
  return { send: async () => answer } as unknown as Service
}

describe('measureSet', () => {
  const service = answerWith({
    hits: [
      { documentId: 'd', text: 'Ask your manager.' },
      { documentId: 'd', text: 'Leave takes six weeks.' },
    ],
  })

  it('counts the passage with the quote, and any passage without one', async () => {
    const [quoted, plain] = [
      await measureSet(service, [fill('six weeks')], 'auto'),
      await measureSet(service, [fill(null)], 'auto'),
    ]
    assert.equal(quoted.reciprocalRank, 1 / 2)
    assert.equal(plain.reciprocalRank, 1)
  })

  it('gives the figures of every part', async () => {
    const { parts } = await measureSet(service, [fill(null)], 'auto')
    assert.deepEqual(parts, [
      { by: 'language', part: 'en', queries: 1, ndcg: 1, first: 1 },
      { by: 'class', part: 'synonym', queries: 1, ndcg: 1, first: 1 },
    ])
  })
})

describe('askSet', () => {
  const answer = 'Leave takes 6.5 (six) weeks. [1]'
  const citation = { documentId: 'd', title: 'Leave', correction: null, answerStart: 29, answerEnd: answer.length }
  const answered = answerWith({ answered: true, answer, citations: [citation] })

  it('wants the quote in an answer, and unanswerable queries declined', async () => {
    const outcomes = async (service: Service, quote: string | null) =>
      (await askSet(service, [fill(quote)])).map(({ outcome }) => outcome)
    assert.deepEqual(await outcomes(answered, '6.5 (six) weeks'), ['right', 'wrong'])
    assert.deepEqual(await outcomes(answered, '6x5 (six) weeks'), ['wrong', 'wrong'])
    const declined = answerWith({ answered: false, answer: '', citations: [] })
    assert.deepEqual(await outcomes(declined, 'six weeks'), ['wrongly declined', 'rightly declined'])
    assert.deepEqual(await outcomes(answered, null), [])
  })
})
