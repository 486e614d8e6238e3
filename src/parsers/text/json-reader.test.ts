import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { createJsonlReader, createJsonReader } from './json-reader.ts'
import { readText } from './read-text.ts'

function read(text: string) {
  return [...readText(createJsonReader, text)].flatMap((event) => ('block' in event ? [event.block] : []))
}

test('reads each object of a top-level array as a record of raw text', () => {
  assert.deepEqual(
    read('[\n {"a": 1},\n {"a": 2}\n]\n').map(({ kind, text }) => [kind, text]),
    [
      ['record', '[\n {"a": 1},\n '],
      ['record', '{"a": 2}\n]\n'],
    ],
  )
})

test('reads each object of an array property as a record', () => {
  assert.deepEqual(
    read('{"n": 1, "items": [{"a": 1}, {"a": [{"b": 2}]}], "m": 2}').map(({ kind, text }) => [kind, text]),
    [
      ['paragraph', '{"n": 1, "items": ['],
      ['record', '{"a": 1}, '],
      ['record', '{"a": [{"b": 2}]}], '],
      ['paragraph', '"m": 2}'],
    ],
  )
})

test('joins scalars and small objects up to the size of a chunk', () => {
  const blocks = read(JSON.stringify(Array.from({ length: 1000 }, (_, value) => value)))
  assert.ok(blocks.length > 2 && blocks.length < 8)
  assert.equal(read('{"a":1,"b":{"c":2}}').length, 1)
})

test('splits a long record between properties, outer levels first', () => {
  const inner = Object.fromEntries(Array.from({ length: 8 }, (_, key) => [`k${key}`, 'word '.repeat(20)]))
  const parts = read(JSON.stringify([{ one: inner, two: inner, three: inner }]))
  assert.ok(parts.length >= 3 && parts.every((part) => part.kind === 'record'))
  assert.ok(parts.some((part) => part.text.startsWith('"two"')))
})

test('keeps parts of a split text from being joined as prose', () => {
  const items = Array.from({ length: 30 }, (_, id) => ({ id, text: 'word '.repeat(30) }))
  const [first, ...others] = read(JSON.stringify({ data: { items } }))
  assert.ok(first !== undefined && others.length >= 3)
  for (const { kind, text } of others) assert.deepEqual([kind, text.slice(0, 5)], ['record', '{"id"'])
})

for (const [what, text, place] of [
  ['a trailing comma', '[1,\n 2,\n]', 'line 3, column 1 (offset 8)'],
  ['a missing comma', '{"a": 1 "b": 2}', 'line 1, column 9'],
  ['a single quote', "{'a': 1}", 'line 1, column 2'],
  ['a cut-off text', '{"a": [1, 2', 'offset 11'],
  ['text after the end', '{} x', 'line 1, column 4'],
  ['a bad number', '[01]', '"01" is not a valid value'],
  ['a bad word', '[nul]', '"nul" is not a valid value'],
  ['a bad escape', '["\\x"]', '\\x is not a valid escape'],
  ['a line end in a string', '["a\nb"]', 'control character'],
  ['endless nesting', '['.repeat(5000), 'deeper than 1000'],
] as const) {
  test(`${what} is refused with its place`, () => {
    assert.throws(
      () => read(text),
      (error) => error instanceof ApiError && error.code === 'unprocessable_document' && error.message.includes(place),
    )
  })
}

const readLines = (text: string) => [...readText(createJsonlReader, text)]

test('reads each line as a record', () => {
  assert.deepEqual(readLines('{"a":1}\n[2]\n'), [
    { block: { kind: 'record', text: '{"a":1}\n' } },
    { block: { kind: 'record', text: '[2]\n' } },
  ])
})

test('keeps invalid lines and names them in one warning', () => {
  const events = readLines(`{"a":1}\n\n${'bad\n'.repeat(7)}{"b":2}\n`)
  assert.equal(events.filter((event) => 'block' in event && event.block.kind === 'record').length, 9)
  assert.deepEqual(events.at(-1), {
    warning: '7 lines are not valid JSON and kept as plain text: line 3, 4, 5, 6, 7, ….',
  })
})

test('rejects a file without a valid line', () => {
  assert.throws(
    () => readLines('one\ntwo\n'),
    (error) => error instanceof ApiError && error.code === 'unprocessable_document' && /line 1, 2/.test(error.message),
  )
})

test('splits a long record into parts', () => {
  const record = JSON.stringify({
    messages: Array.from({ length: 50 }, (_, turn) => ({ turn, text: 'word '.repeat(30) })),
  })
  assert.ok(readLines(`${record}\n${record}`).length > 10)
})
