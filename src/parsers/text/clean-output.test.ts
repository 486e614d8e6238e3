import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCutAnywhere } from '../../../test/support/assert-cut-anywhere.ts'
import { createCleanReader } from './clean-output.ts'
import { readText } from './read-text.ts'
import { createLogReader } from './text-reader.ts'

const createReader = createCleanReader(createLogReader)

function read(text: string): string {
  return [...readText(createReader, text)].flatMap((event) => ('block' in event ? [event.block.text] : [])).join('')
}

test('removes colours, titles, links and control characters', () => {
  assert.equal(read('\x1b[1;31mERROR\x1b[0m disk \x1b[38;5;4mfull\x1b[K\x1b(B\n'), 'ERROR disk full\n')
  assert.equal(read('\x1b]0;build\x07one \x1b]8;;https://example.com\x1b\\two\x1b]8;;\x1b\\\n'), 'one two\n')
  assert.equal(read('one\x01\x7f\ttwo\x1a\n\x1b'), 'one\ttwo\n')
  assert.equal(read('N\bNA\bA, _\bx|\b/\b-\b\n\b!\n'), 'NA, x\n!\n')
})

test('keeps the last state of a progress bar', () => {
  assert.equal(
    read('start\nGetting 10% [=  ]\rGetting 60% [== ]\rGetting 100% [===], done.\nend\n'),
    'start\nGetting 100% [===], done.\nend\n',
  )
  assert.equal(read('a\n|\r/\r-\rready\n'), 'a\nready\n')
  assert.equal(read('a\n 50%\r100%\r\r\nready\r\n'), 'a\n100%\nready\r\n')
  assert.equal(read('a\n 50%\r100%\r'), 'a\n100%\n')
})

test('keeps lines that end with a carriage return', () => {
  assert.equal(
    read('a\nThe door is open.\rThe alarm rings.\rAll is well.\n'),
    'a\nThe door is open.\nThe alarm rings.\nAll is well.\n',
  )
  const stamped = '2026-01-02 03:04:05 open'
  assert.equal(read(`a\n${stamped}\r${stamped}\n`), `a\n${stamped}\n${stamped}\n`)
  assert.equal(read('step 1\rstep 2\rstep 3'), 'step 1\rstep 2\rstep 3')
})

test('returns a log without control characters as is', () => {
  const log = '2026-01-02 03:04:05 INFO started\r\n\tat a.b\r\n\r\nGröße 😀 [0m\n'
  assert.equal(read(log), log)
})

test('returns the same text for any chunk borders', () => {
  const log = 'one\n\x1b[31mERROR\x1b[0m\n 50%\r100%\r\ntw\bo\n'
  assertCutAnywhere((emit) => createReader(emit, log), log)
})

test('reads endless lines and sequences in linear time', () => {
  for (const text of [
    '\x1b]'.repeat(100_000),
    '50%\r'.repeat(200_000),
    'x\b'.repeat(300_000),
    `${'a'.repeat(500_000)}\r`,
  ])
    assert.ok(read(`start\n${text}`).startsWith('start\n'))
})
