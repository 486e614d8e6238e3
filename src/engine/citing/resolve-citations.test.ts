import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseCitations } from './parse-citations.ts'
import { createQuotedTest, resolveCitations } from './resolve-citations.ts'

test('a citation has the offset of its mark', () => {
  const answer = 'P1 incidents are acknowledged within 10 minutes [1].'
  assert.deepEqual(resolveCitations(answer, 1), {
    answer,
    citations: [{ index: 1, answerStart: 48, answerEnd: 51 }],
    dropped: [],
  })
})

test('the sources of one mark share its offset', () => {
  assert.deepEqual(resolveCitations('Both [1, 2].', 2).citations, [
    { index: 1, answerStart: 5, answerEnd: 11 },
    { index: 2, answerStart: 5, answerEnd: 11 },
  ])
})

test('unresolved citations are removed completely', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['It is so [9].', 'It is so.'],
    ['It is so. [9] Then it is not.', 'It is so. Then it is not.'],
    ['It is so.[9] Then.', 'It is so. Then.'],
    ['[9] It is so.', 'It is so.'],
    ['One [9] two.', 'One two.'],
    ['One [9][1] two.', 'One [1] two.'],
    ['One [1][9] two.', 'One [1] two.'],
    ['One [1, 9] two [8-9], three [0].', 'One [1] two, three.'],
    ['One ([9]). Two.', 'One. Two.'],
    ['- first [7]\n- second [1]\n- third [8]', '- first\n- second [1]\n- third'],
    ['船到了[9]。', '船到了。'],
    ['“So it is [9]”', '“So it is”'],
    ['[9]', ''],
  ]
  for (const [given, expected] of cases) assert.equal(resolveCitations(given, 1).answer, expected, given)
})

test('distinct dropped numbers are returned in ascending order', () => {
  assert.deepEqual(resolveCitations('a [9] b [3, 7] c [9] d [1]', 2).dropped, [3, 7, 9])
})

test('every placed citation is a mark with its source number, for any answer', () => {
  const piece = fc.constantFrom(
    '[1]',
    '[2]',
    '[9]',
    '[1, 9]',
    '[1-3]',
    '【1†source】',
    '(source 2)',
    '[^9]',
    'x',
    '1',
    ' ',
    '.',
    '(',
    ')',
    'word',
    '\n',
    '`',
    '好',
    '[',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 0, max: 3 }), (pieces, sources) => {
      const { answer, citations } = resolveCitations(pieces.join(''), sources)
      for (const { index, answerStart, answerEnd } of citations) {
        assert.ok(index >= 1 && index <= sources)
        const [mark] = parseCitations(answer.slice(answerStart, answerEnd))
        assert.ok(mark?.numbers.includes(index))
      }
    }),
    { numRuns: 1000 },
  )
})

test('marks in other forms become plain marks', () => {
  for (const [given, expected] of [
    ['一线城市每晚不超过500元【1】。', '一线城市每晚不超过500元[1]。'],
    ['It is so【1†source】.', 'It is so[1].'],
    ['It is so[^2].', 'It is so[2].'],
    ['It is so (Source 1).', 'It is so [1].'],
    ['It is so [Quelle 1; Quelle 2].', 'It is so [1, 2].'],
    ['It is so [[2]].', 'It is so [2].'],
    ['It is so 【9†source】【1】.', 'It is so [1].'],
    ['It is so (source 9). Then.', 'It is so. Then.'],
    ['It is so [1-3].', 'It is so [1, 2].'],
  ] as const)
    assert.equal(resolveCitations(given, 2).answer, expected, given)
})

test('words of a source as they are written are no mark', () => {
  const isQuoted = createQuotedTest(['The call returns entries[1] (source 2).'])
  const text = 'It returns entries[1] (source 2) [1].'
  assert.deepEqual(resolveCitations(text, 2, isQuoted).citations, [{ index: 1, answerStart: 33, answerEnd: 36 }])
  assert.equal(resolveCitations('It returns entries[1].', 2).citations.length, 1)
})
