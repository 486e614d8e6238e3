import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Word } from './join-rows.ts'
import { joinRows, toRows } from './join-rows.ts'

function wordAt(text: string, x: number, y: number, paragraph: string): Word {
  return { text, confidence: 0.9, box: [x, y, 40, 20], paragraph, line: `${paragraph}.${y}` }
}

test('words of a table become rows although the engine returned columns; other text keeps its order', () => {
  const words = [
    wordAt('Above', 100, 20, 'a'),
    wordAt('Paper', 110, 110, 'b'),
    wordAt('Ink', 110, 210, 'b'),
    wordAt('48', 210, 113, 'c'),
    wordAt('6', 210, 207, 'c'),
    wordAt('Below', 100, 500, 'd'),
  ]
  const joined = joinRows(words, [{ box: [100, 100, 200, 200], cells: 4 }])
  assert.deepEqual(
    joined.map(({ text }) => text),
    ['Above', 'Paper', '48', 'Ink', '6', 'Below'],
  )
  assert.equal(new Set(joined.map(({ line }) => line)).size, 4)
  assert.equal(new Set(joined.map(({ paragraph }) => paragraph)).size, 3)
  assert.equal(joinRows(words, []), words)
})

test('right-to-left rows keep their order, and text columns between lines are not a table', () => {
  const right = [wordAt('שלום', 210, 110, 'a'), wordAt('עולם', 110, 112, 'a')]
  const box = [100, 100, 200, 200] as const
  assert.deepEqual(
    joinRows(right, [{ box: [...box], cells: 4 }]).map(({ text }) => text),
    ['שלום', 'עולם'],
  )
  const prose = Array.from({ length: 60 }, (_, at) => wordAt(`w${at}`, 110 + 90 * (at % 2), 110 + 3 * at, `${at % 2}`))
  assert.equal(joinRows(prose, [{ box: [...box], cells: 4 }]), prose)
})

test('lines at the same height are a row, whatever the height of a dash or comma in them', () => {
  const dash: Word = { ...wordAt('-', 160, 109, 'b'), box: [160, 109, 8, 2] }
  const rows = toRows([wordAt('48', 210, 104, 'c'), wordAt('Ink', 110, 100, 'a'), dash, wordAt('6', 210, 131, 'd')])
  assert.deepEqual(
    rows.map((row) => row.map(({ text }) => text)),
    [['Ink', '-', '48'], ['6']],
  )
})
