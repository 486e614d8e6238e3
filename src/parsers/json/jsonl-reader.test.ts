import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { readText } from '../text/read-text.ts'
import { createJsonlReader } from './jsonl-reader.ts'

const read = (text: string) => [...readText(createJsonlReader, text)]

test('each line is a record', () => {
  assert.deepEqual(read('{"a":1}\n[2]\n'), [
    { block: { kind: 'record', text: '{"a":1}\n' } },
    { block: { kind: 'record', text: '[2]\n' } },
  ])
})

test('bad lines are kept and named in one warning', () => {
  const events = read(`{"a":1}\n\n${'bad\n'.repeat(7)}{"b":2}\n`)
  assert.equal(events.filter((event) => 'block' in event && event.block.kind === 'record').length, 9)
  assert.deepEqual(events.at(-1), {
    warning: '7 lines are not valid JSON and kept as plain text: line 3, 4, 5, 6, 7, ….',
  })
})

test('a file without one valid line is refused', () => {
  assert.throws(
    () => read('one\ntwo\n'),
    (error) => error instanceof ApiError && error.code === 'unprocessable_document' && /line 1, 2/.test(error.message),
  )
})

test('a long record comes in parts', () => {
  const record = JSON.stringify({
    messages: Array.from({ length: 50 }, (_, turn) => ({ turn, text: 'word '.repeat(30) })),
  })
  assert.ok(read(`${record}\n${record}`).length > 10)
})
