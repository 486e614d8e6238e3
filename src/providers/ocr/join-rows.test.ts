import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinRows } from './join-rows.ts'
import type { Box } from './placement.ts'
import type { Word } from './read-words.ts'

function wordAt(text: string, x: number, y: number, paragraph: string): Word {
  return { text, confidence: 0.9, box: [x, y, 40, 20], paragraph, line: `${paragraph}.${y}` }
}

test('words of a table stand in rows though the engine gave columns, and all else where it stood', () => {
  const words = [
    wordAt('Above', 100, 20, 'a'),
    wordAt('Paper', 110, 110, 'b'),
    wordAt('Ink', 110, 210, 'b'),
    wordAt('48', 210, 113, 'c'),
    wordAt('6', 210, 207, 'c'),
    wordAt('Below', 100, 500, 'd'),
  ]
  const table: Box = [100, 100, 200, 200]
  const joined = joinRows(words, [table])
  assert.deepEqual(
    joined.map(({ text }) => text),
    ['Above', 'Paper', '48', 'Ink', '6', 'Below'],
  )
  assert.equal(new Set(joined.map(({ line }) => line)).size, 4)
  assert.equal(new Set(joined.map(({ paragraph }) => paragraph)).size, 3)
  assert.equal(joinRows(words, []), words)
})
