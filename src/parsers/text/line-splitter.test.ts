import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_BLOCK_CHARACTERS } from './block-reader.ts'
import { createLineSplitter, type Line } from './line-splitter.ts'

function split(...pieces: string[]): Line[] {
  const lines: Line[] = []
  const splitter = createLineSplitter((line) => lines.push(line))
  for (const piece of pieces) splitter.write(piece)
  splitter.end()
  return lines
}

test('ends lines at LF, CR LF and a lone CR, and keeps the line end', () => {
  assert.deepEqual(
    split('a\nb\r\nc\rd').map((line) => line.text),
    ['a\n', 'b\r\n', 'c\r', 'd'],
  )
})

test('joins a CR LF split across chunks', () => {
  assert.deepEqual(
    split('a\r', '\nb').map((line) => line.text),
    ['a\r\n', 'b'],
  )
})

test('splits a long line into marked parts', () => {
  const lines = split(`${'x'.repeat(MAX_BLOCK_CHARACTERS * 2 + 5)}\ny`)
  assert.deepEqual(
    lines.map(({ isStart, isEnd }) => [isStart, isEnd]),
    [
      [true, false],
      [false, false],
      [false, true],
      [true, true],
    ],
  )
})
