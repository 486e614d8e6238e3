import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Given, judgeAnswer, reduceAnswer } from './judge-answer.ts'
import type { TrustQuestion } from './trust-set.ts'

const ASKED: TrustQuestion = {
  ...{ kind: 'answer', class: 'money', language: 'en', text: 'What does a rowing boat cost?' },
  ...{ must: ['\\b9 euros'], mustNot: ['\\b14\\b'], accept: [], newer: '', older: '' },
}
const GIVEN: Given = {
  ...{ answered: true, text: 'A rowing boat costs 9 euros.', firstQuote: 'A rowing boat costs 9 euros.' },
  ...{ sources: ['Boats'], isCorrectionFirstHit: false, confidence: null },
}
const DECLINED: Given = { ...GIVEN, answered: false, text: 'Nothing was found.', firstQuote: '', sources: [] }

function judge(asked: Partial<TrustQuestion>, given: Partial<Given> = {}) {
  return judgeAnswer({ ...ASKED, ...asked }, { ...GIVEN, ...given })
}

describe('reduceAnswer', () => {
  it('leaves out citation marks and names the sources, corrections as null', () => {
    const answer = 'It costs\u00a09 euros. [1] Closed. [2]'
    const mark = (text: string) => ({
      answerStart: answer.indexOf(text),
      answerEnd: answer.indexOf(text) + text.length,
    })
    const place = { chunkId: 'c', page: null, startOffset: 0, endOffset: 1 }
    const correction = { id: 'r' } as never
    const citations = [
      { index: 1, documentId: 'd', title: 'boats', correction: null, ...place, ...mark('[1]') },
      { index: 2, documentId: 'x', title: 'Closed.', correction, ...place, ...mark('[2]') },
    ]
    const given = reduceAnswer({ answered: true, answer, citations }, new Map([['d', 'boats.md']]), 'correction')
    assert.deepEqual(given, {
      ...{ answered: true, text: 'It costs 9 euros. Closed.', firstQuote: 'It costs 9 euros.' },
      ...{ sources: ['boats.md', null], isCorrectionFirstHit: true, confidence: null },
    })
  })
})

describe('judgeAnswer', () => {
  it('wants every pattern in an answer, and none of a sibling', () => {
    assert.equal(judge({}).outcome, 'right')
    assert.equal(judge({ must: ['9 EUROS', 'pedal'] }).outcome, 'wrong')
    assert.equal(judge({}, { text: 'A rowing boat costs 9 euros. A pedal boat costs 14 euros.' }).outcome, 'wrong')
    assert.equal(judge({}, DECLINED).outcome, 'wrongly declined')
  })

  it('wants unanswerable questions and those about a sibling declined', () => {
    for (const kind of ['decline', 'sibling'] as const) {
      assert.equal(judge({ kind }, DECLINED).outcome, 'rightly declined')
      assert.equal(judge({ kind }).outcome, 'wrong')
      assert.equal(judge({ kind, accept: ['rowing'] }).outcome, 'right')
      assert.equal(judge({ kind, accept: ['rowing'], mustNot: ['9 euros'] }).outcome, 'wrong')
    }
  })

  it('wants a correction first, in the answer and among the hits', () => {
    const corrected = { kind: 'corrected' } as const
    const given = { sources: [null, 'Boats'], text: 'A boat costs 9 euros. It was 14.', isCorrectionFirstHit: true }
    assert.deepEqual(judge(corrected, given), { outcome: 'right', isLeak: false, isMissed: false })
    assert.equal(judge(corrected, { ...given, isCorrectionFirstHit: false }).isMissed, true)
    assert.deepEqual(judge(corrected, { ...given, sources: ['Boats', null] }), {
      ...{ outcome: 'wrong', isLeak: false, isMissed: true },
    })
    assert.equal(judge(corrected, DECLINED).isMissed, true)
  })

  it('sees a correction of a sibling that leaks into an answer or before the hits', () => {
    const sibling = { kind: 'corrected-sibling' } as const
    assert.deepEqual(judge(sibling), { outcome: 'right', isLeak: false, isMissed: false })
    assert.deepEqual(judge(sibling, { sources: ['Boats', null] }), { outcome: 'wrong', isLeak: true, isMissed: false })
    assert.deepEqual(judge(sibling, { isCorrectionFirstHit: true }), {
      ...{ outcome: 'right', isLeak: true, isMissed: false },
    })
    assert.equal(judge({}, { sources: ['Boats', null] }).isLeak, true)
  })

  it('wants the newer edition first, and the older one named', () => {
    const edition = { kind: 'edition', newer: 'Prices 2026', older: 'Prices 2024' } as const
    assert.equal(judge(edition, { sources: ['Prices 2026', 'Prices 2024'] }).outcome, 'right')
    assert.equal(judge(edition, { sources: ['Prices 2024', 'Prices 2026'] }).outcome, 'wrong')
    assert.equal(judge(edition, { sources: ['Prices 2026'] }).outcome, 'wrong')
    const named = { sources: ['Prices 2026'], text: '9 euros. Prices 2024 says otherwise.' }
    assert.equal(judge(edition, named).outcome, 'right')
  })
})
