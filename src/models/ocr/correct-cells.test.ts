import assert from 'node:assert/strict'
import { test } from 'node:test'
import { correctCells } from './correct-cells.ts'

/** Rows of cells, 100 pixels wide. */
function correct(...rows: readonly (readonly string[])[]): string[] {
  const words = rows.map((row, at) =>
    row.flatMap((cell, column) =>
      cell.split(' ').map((text, number) => ({
        text,
        confidence: 0.9,
        box: [column * 100 + number * 20, at * 20, 15, 10] as [number, number, number, number],
        paragraph: 'a',
        line: `a.${at}`,
      })),
    ),
  )
  const corrected = correctCells(words, [95, 195])
  return corrected.map((row) => row.map(({ text }) => text).join(' '))
}

test('signs that look alike are corrected where most cells of the column have the same shape', () => {
  assert.deepEqual(
    correct(
      ['Name', 'Amount'],
      ['T. Quill', '73:13'],
      ['B. Reed', '8.20'],
      ['0. Marsh', '61:33:'],
      ['A. Vale', '1,204.11'],
      ['P. Drum', '118.70'],
      ['O. Marsh', 'l6.02'],
      ...Array.from({ length: 5 }, (_, at) => ['C. Fry', `55.1${at}`]),
    ),
    [
      'Name Amount',
      'T. Quill 73.13',
      'B. Reed 8.20',
      'O. Marsh 61.33',
      'A. Vale 1,204.11',
      'P. Drum 118.70',
      'O. Marsh 16.02',
      ...Array.from({ length: 5 }, (_, at) => `C. Fry 55.1${at}`),
    ],
  )
})

test('cells of varied shapes, commas after words and other signs stay', () => {
  const rows = [
    ['Rope, hemp', 'A5'],
    ['Tar, pure', '55'],
    ['Oil', 'AS'],
    ['Paint', '5:5'],
    ['Canvas', 'S'],
    ['Nails', '8B'],
    ['Oars', '7x'],
  ]
  assert.deepEqual(
    correct(...rows),
    rows.map((row) => row.join(' ')),
  )
})
