import assert from 'node:assert/strict'
import test from 'node:test'
import { describeDocumentExplanation, describeExplanation } from './search-commands.ts'

const EXPLANATION = {
  summary: '0.91: lexical match 0.91.',
  parts: [
    {
      name: 'words' as const,
      raw: 11.2,
      zero: 0,
      one: 11.2,
      share: 1,
      weight: 0.6,
      points: 0.91,
      message: 'Its words.',
    },
  ],
  top: { score: 0.91, total: 0.6, words: 0.91, meaning: null, message: 'How well it is answered.' },
  terms: [
    { term: 'refund', asked: ['refund'], words: ['refunds', 're\u001bfund'], count: 2 },
    { term: 'arriv', asked: ['arrive'], words: [], count: 0 },
  ],
  window: null,
}

test('an explanation has a line for each part, and says which terms are there and which are not, and of what all scores are shares', () => {
  assert.equal(
    describeExplanation(EXPLANATION, '> '),
    '>  0.91  Its words.\n> terms  refund (refunds, re·fund)\n> not there  arrive\n> How well it is answered.\n',
  )
})

test('a document that does not stand among the hits says why', () => {
  const nowhere = { rank: null, score: null, neededScore: null, legs: [], explanation: null }
  const about = { documentId: 'doc_1', reason: 'not_found' as const, message: 'This memory has no such document.' }
  assert.equal(describeDocumentExplanation({ ...about, ...nowhere, title: null }), `doc_1\n   ${about.message}\n`)
  assert.match(
    describeDocumentExplanation({ ...about, ...nowhere, title: 'Hand\nbook', explanation: EXPLANATION }),
    /^Hand book {2}doc_1\n {3}This memory .*\n {4}0\.91 {2}Its words\.\n/,
  )
})
