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
    'The matrix is [[1, 2], [3, 4]].',
    'Call first_row[1], rowOf[2], x1[3] and f()[4].',
    'See [1](https://example.org/a) for it.',
    '[1]: https://example.org/a',
    'values[1].name and rows[1] = 4',
    'x = rows[1], print(rows[1]), this.rows[1], $rows[1], rows[1] + 2, get(x, 2)[1]',
    'Read args[0] first.',
    'matrix_a[1][2]',
    'A range of [0, 1].',
    'int a[3]; std::vector<int> v[2]; data["a"][1]; $' + '{rows[1]}',
    'Use <code>rows[1]</code> or <pre>\nrows[2]',
    'Notes:\n[^1]: Lease, page 3',
    'See [[1]](https://example.org/a).',
    'a falling range [5-2]',
  ]) {
    assert.deepEqual(read(text), [], text)
  }
})

test('a mark directly after a number, a unit, a name or a text without spaces counts', () => {
  for (const text of [
    'The deposit is GBP 1,670[1].',
    'The lease ends on 28 February 2028[1].',
    'Take 60mg[1] a day.',
    '一线城市每晚不超过500元[1]。',
    '报销单须在15天内提交[1]。',
    '給与は翌月25日[1]に支払います。',
    '급여는 25일[1]에 지급됩니다.',
    'It uses 5 kWh[1].',
    'It uses 5kWh[1].',
    'At 120 mmHg[1].',
    'Size A4[1].',
    'By Muster GmbH[1].',
    'An iPhone[1] and JavaScript[1].',
    'Die Kündigung[1] gilt.',
    'Налог 20%[1].',
    'The sum (GBP 1,670)[1].',
    'The employee(s)[1] agree.',
    '押金（1670镑）[1]。',
    '押金(1670镑)[1]。',
    'According to the lease [1]: GBP 1,670.',
    'GBP 1,670 [1] / month',
    'It is so.[1]Then it is not.',
    'The price [1](without tax) is fixed.',
    'Take 5 g[1] of it.',
  ])
    assert.ok(read(text).length >= 1 && read(text).every(([mark]) => mark === '[1]'), text)
})

test('marks in the forms of other services are read', () => {
  assert.deepEqual(
    read('A【1】 B【2†source】 C [^3] D [source 4] E [Sources 1, 2] F (Source: 3) G [[4]] H【1:0†lease.pdf】 I ［5］'),
    [
      ['【1】', [1]],
      ['【2†source】', [2]],
      ['[^3]', [3]],
      ['[source 4]', [4]],
      ['[Sources 1, 2]', [1, 2]],
      ['(Source: 3)', [3]],
      ['[[4]]', [4]],
      ['【1:0†lease.pdf】', [1]],
      ['［5］', [5]],
    ],
  )
  assert.deepEqual(
    read(
      '[citation:1] [Quelle 2] [来源3] （出典：4） [источник 5] [#1] [1 and 2] [1、2] [3~5] [1, p. 3] [١] [１] \\[2\\] (Source 1, p. 3)',
    ).map(([, numbers]) => numbers),
    [[1], [2], [3], [4], [5], [1], [1, 2], [1, 2], [3, 4, 5], [1], [1], [1], [2], [1]],
  )
})

test('a label without a number, or of something else, is no mark', () => {
  for (const text of ['[source]', '(see source)', '[Table 1]', '(Article 5)', '(1)', '[1e2]', '[source 1.5]'])
    assert.deepEqual(read(text), [], text)
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
