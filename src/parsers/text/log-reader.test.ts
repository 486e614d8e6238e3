import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogReader } from './log-reader.ts'
import { readText } from './read-text.ts'

function read(text: string): string[] {
  return [...readText(createLogReader, text)].flatMap((event) => ('block' in event ? [event.block.text] : []))
}

test('each line of a log is a record', () => {
  assert.deepEqual(read('one\ntwo\nthree'), ['one\n', 'two\n', 'three'])
})

test('a stack trace stays with the record it belongs to', () => {
  const trace = '2026-01-02 03:04:05 ERROR boom\njava.lang.Error: x\n\tat a.b(c.java:1)\nCaused by: y\n\t... 3 more\n'
  assert.deepEqual(read(`${trace}2026-01-02 03:04:06 INFO on\n`), [trace, '2026-01-02 03:04:06 INFO on\n'])
})

test('lines without a time stamp stay apart where the log has none', () => {
  assert.deepEqual(read('starting\n  with options\nstarted\n'), ['starting\n  with options\n', 'started\n'])
})

test('time stamps of the usual kinds begin a record', () => {
  for (const stamp of [
    'Jan  2 03:04:05 host',
    '[02/Jan/2026:03:04:05 +0000]',
    '1767322800 x',
    '03:04:05.120 x',
    '<34>Oct 11 x',
  ]) {
    assert.equal(read(`2026-01-02 first\n${stamp} second\n`).length, 2, stamp)
  }
})

test('a record without an end is cut after a bounded number of lines', () => {
  const lines = Array.from({ length: 500 }, (_, line) => `  continued ${line}\n`)
  assert.ok(read(`2026-01-02 first\n${lines.join('')}`).every((text) => text.length < 5000))
})
