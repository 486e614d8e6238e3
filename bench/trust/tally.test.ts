import assert from 'node:assert/strict'
import { it } from 'node:test'
import { drawCalibration, plotAsText } from './draw-calibration.ts'
import type { Outcome } from './judge-answer.ts'
import { calibrate, type Judged, shareOf, tallyAnswers } from './tally.ts'
import type { TrustQuestion } from './trust-set.ts'

function make(kind: TrustQuestion['kind'], outcome: Outcome, facts: Partial<Judged> = {}): Judged {
  const question = {
    kind,
    class: 'x',
    language: 'en',
    text: '?',
    must: [],
    mustNot: [],
    accept: [],
    newer: '',
    older: '',
  }
  return { question, outcome, isLeak: false, isMissed: false, confidence: null, ...facts }
}

const JUDGED = [
  make('answer', 'right', { confidence: 0.95 }),
  make('answer', 'right', { confidence: 1 }),
  make('answer', 'wrong', { confidence: 0.91 }),
  make('answer', 'wrongly declined', { confidence: 0.9 }),
  make('decline', 'rightly declined'),
  make('sibling', 'wrong', { confidence: 0.42 }),
  make('corrected', 'wrong', { isMissed: true }),
  make('corrected-sibling', 'right', { isLeak: true }),
]

it('counts answers given, refusals, coverage and corrections', () => {
  assert.deepEqual(tallyAnswers(JUDGED), {
    ...{ questions: 8, precision: { count: 3, of: 6 }, refused: { count: 1, of: 2 }, covered: { count: 3, of: 6 } },
    ...{ confident: { count: 2, of: 3 }, leaked: { count: 1, of: 1 }, missed: { count: 1, of: 1 } },
    strayed: { count: 0, of: 6 },
  })
  assert.equal(shareOf({ count: 1, of: 4 }), 0.25)
  assert.equal(shareOf({ count: 0, of: 0 }), null)
})

it('groups the answers given by tenths of their confidence', () => {
  const bins = calibrate(JUDGED)
  assert.deepEqual(
    bins.map(({ from, answers, right }) => [from, answers, right]),
    [
      [0.4, 1, 0],
      [0.9, 3, 2],
    ],
  )
  assert.equal(bins[1]?.meanConfidence.toFixed(3), '0.953')
})

it('draws the tenths as bars and as lines', () => {
  const bins = calibrate(JUDGED)
  assert.match(plotAsText(bins), /^0\.4 {2}\.+\|\.+ {3}0 % of 1\n0\.9 {2}#{27}\.+\|\.+ {2}67 % of 3$/m)
  const svg = drawCalibration(new Map([['seen', bins]]))
  assert.match(svg, /<path class="line" stroke="#2f81f7" d="M[\d. ]+L[\d. ]+"\/>/)
  assert.ok(svg.includes('>seen</text>'))
})
