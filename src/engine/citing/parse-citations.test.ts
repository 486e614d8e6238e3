import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCitations } from './parse-citations.ts'

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

test('a mark right behind a word, a stop or a bracket counts', () => {
  assert.deepEqual(
    read('within ten minutes[1]. Then.[2] (see also [3])').map(([mark]) => mark),
    ['[1]', '[2]', '[3]'],
  )
})

test('brackets that are text are left alone', () => {
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

test('hostile answers take time linear in their length', () => {
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
