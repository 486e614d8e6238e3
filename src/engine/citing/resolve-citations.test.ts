import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseCitations, resolveCitations } from './resolve-citations.ts'

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

function read(answer: string): [string, number[]][] {
  return parseCitations(answer).map(({ start, end, numbers }) => [answer.slice(start, end), numbers])
}

test('single, joined, listed and ranged marks are read in order', () => {
  assert.deepEqual(read('Open at nine [1]. Closed late [2][3]. Both [1, 4]; all [2-4] or [5–6].'), [
    ['[1]', [1]],
    ['[2]', [2]],
    ['[3]', [3]],
    ['[1, 4]', [1, 4]],
    ['[2-4]', [2, 3, 4]],
    ['[5–6]', [5, 6]],
  ])
})

test('a mark directly after a word, a full stop or a bracket counts', () => {
  assert.deepEqual(
    read('within ten minutes[1]. Then.[2] (see also [3])').map(([mark]) => mark),
    ['[1]', '[2]', '[3]'],
  )
})

test('brackets in text are no citations', () => {
  for (const text of [
    'They were [sic] late [a], in [1990] and [1990-1995], [1.5], [ ], [], [1',
    'Use `rows[1]` or ``a ` [2]`` here.',
    '```js\nconst x = list[1]\n```',
    '~~~\n[1]\n~~~',
    'Unclosed:\n```\nrows [1]',
    'The list = [1, 2] and [[1, 2], {[3]',
    'Call first_row[1], rowOf[2], x1[3] and f()[4].',
    'See [1](https://example.org/a) for it.',
    '[1]: https://example.org/a',
    'values[1].name and rows[1] = 4',
    'a falling range [5-2]',
  ]) {
    assert.deepEqual(read(text), [], text)
  }
})

test('a stray backtick hides nothing', () => {
  assert.deepEqual(
    read('It`s open [1] and ``closed [2]').map(([mark]) => mark),
    ['[1]', '[2]'],
  )
})

test('hostile answers take linear time', () => {
  const many = 200_000
  for (const text of [
    '['.repeat(many),
    '[1'.repeat(many),
    '`'.repeat(many),
    '[1]'.repeat(many),
    '` '.repeat(many),
    '[1,'.repeat(many),
    '```\n'.repeat(many),
    '_'.repeat(many),
  ]) {
    assert.ok(parseCitations(text).length <= many)
  }
})
