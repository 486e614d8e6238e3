import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCode, findCodeOfPassage, findRecords } from './markup.ts'

const quote = (text: string, find: typeof findCode) => find(text).map(({ start, end }) => text.slice(start, end))

test('a code block ends at a bare fence of the same mark that is at least as long', () => {
  const cases: [text: string, code: string[]][] = [
    ['```\na\n~~~\nb\n```\n\nend', ['```\na\n~~~\nb\n```']],
    ['~~~sh\na\n```\nb\n~~~~\nend', ['~~~sh\na\n```\nb\n~~~~']],
    ['````md\n```js\na\n```\n````\nend', ['````md\n```js\na\n```\n````']],
    ['```\na\n```js\nb\n```', ['```\na\n```js\nb\n```']],
    ['```code``` within a line', []],
    ['open:\n```\na', ['```\na']],
  ]
  for (const [text, code] of cases) assert.deepEqual(quote(text, findCode), code)
})

test('a passage may begin and end within code', () => {
  const cases: [text: string, code: string[]][] = [
    ['a\n```\n\nText.', ['a\n```']],
    ['a\n```\n\nText:\n\n```\nb\n```\n\nEnd.', ['a\n```', '```\nb\n```']],
    ['a\n```\n\nText:\n\n```\nb', ['a\n```', '```\nb']],
    ['a\n```\nText:\n```sh\nb\n```', ['a\n```', '```sh\nb\n```']],
    ['Text.\n\n```\na\n```\n\nMore:\n\n```\nb', ['```\na\n```', '```\nb']],
    ['Text:\n\n```\na', ['```\na']],
    ['Text:\n```\na\n```\nMore.', ['```\na\n```']],
    ['a\n```\nText.', ['a\n```']],
  ]
  for (const [text, code] of cases) assert.deepEqual(quote(text, findCodeOfPassage), code, text)
})

test('finds records: JSON objects, table rows with bars, rows with quoted cells', () => {
  const read = (text: string) => findRecords(text).map(({ start, end }) => text.slice(start, end))
  const lines = ['{"id":1,"note":"It was sent. Twice."}', '{"id":2,"note":"a } and a \\" in text"}']
  assert.deepEqual(read(lines.join('\n')), lines)
  assert.deepEqual(read('{\n "tickets": [\n  {\n   "id": 1\n  },\n  {"id": 2}\n ]\n}'), [
    '{\n   "id": 1\n  },',
    '{"id": 2}',
  ])
  assert.deepEqual(read('| one. Two | three |\n|---|---|'), ['| one. Two | three |', '|---|---|'])
  assert.deepEqual(read('id,note\n1,"Closed. Sent again.",open\n2,"Open. New."'), [
    '1,"Closed. Sent again.",open',
    '2,"Open. New."',
  ])
  assert.deepEqual(read('if (a) {\n  b()\n}\n"Hello," she said. "Go."\n"A whole line."'), [])
})

test('three or more lines with as many cells are rows, also with several sentences in a cell', () => {
  const read = (text: string) => findRecords(text).map(({ start, end }) => text.slice(start, end))
  for (const separator of [';', ',', '\t']) {
    const rows = [
      ['nr', 'tool', 'note'],
      ['1', 'Saw', 'Blunt. Sharpened in May.'],
      ['2', 'Drill', 'Lent. Back soon.'],
    ]
    const lines = rows.map((cells) => cells.join(separator))
    assert.deepEqual(read(`Tools\n\n${lines.join('\n')}\n`), lines)
    assert.deepEqual(read(lines.slice(1).join('\n')), [])
  }
  assert.deepEqual(
    read('Ann, Bob, and Carl left. It rained.\nWe had bread, tea, and jam.\nIt was, of, course cold.'),
    [],
  )
})

test('lines with tags are one record', () => {
  const [first, second] = ['NAM  Lee, Ann\nTTL  Tides\nYER  2014', 'TY  - BOOK\nAU  - Lund, B.\nER  - 1']
  assert.deepEqual(
    quote(`${first}\n\n${second}\n`, findRecords).map((record) => record.trim()),
    [first, second],
  )
  const long = Array.from({ length: 25 }, (_, line) => `AB  A line of a long record, ${line}`).join('\n')
  assert.deepEqual(findRecords(long), [])
  assert.deepEqual(findRecords('A  b\nWHO  is there\n\nNAM: Ann\nTTL: Tides\nYER: 2014'), [])
})
