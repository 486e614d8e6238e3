import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBorderlessTables } from './find-borderless-tables.ts'
import type { Segment } from './list-segments.ts'

const LETTER = 10

/** A line at each of `count` rows, as left and right edges; some right edges vary. */
function column(left: number, right: number, { count = 10, top = 100, pitch = 30, ragged = 0 } = {}): Segment[] {
  return Array.from({ length: count }, (_, at) => ({
    left,
    right: right - ((at * 37) % 5) * ragged,
    top: top + at * pitch,
    bottom: top + at * pitch + 14,
    letters: 8,
  }))
}

test('short texts in rows are a table, also with blank cells', () => {
  const units = column(300, 340).filter((_, at) => at % 3 !== 1)
  const segments = [...column(100, 220, { ragged: 15 }), ...units, ...column(500, 560)]
  assert.deepEqual(findBorderlessTables(segments, LETTER), [{ box: [100, 100, 460, 284], gutters: [260, 420] }])
})

test('columns of prose are not a table, whether or not their lines are aligned', () => {
  for (const shift of [0, 11])
    assert.deepEqual(
      findBorderlessTables(
        [...column(100, 400, { ragged: 8 }), ...column(440, 740, { top: 100 + shift, ragged: 9 })],
        LETTER,
      ),
      [],
    )
})

test('a table within a column of prose, or below prose, is found alone', () => {
  const prose = [...column(100, 400), ...column(100, 400, { top: 800 })]
  const table = [...column(100, 180, { top: 450 }), ...column(350, 400, { top: 450 })]
  const beside = column(440, 740, { count: 33, top: 107 })
  const found = [{ box: [100, 450, 300, 284], gutters: [265] }]
  assert.deepEqual(findBorderlessTables([...prose, ...table, ...beside], LETTER), found)
  assert.deepEqual(findBorderlessTables([...column(100, 740), ...table], LETTER), found)
})

test('wide spaces in a line, and two rows, are not a table', () => {
  const line = Array.from({ length: 9 }, (_, at) => column(100 + at * 60, 140 + at * 60, { count: 1, top: 400 })).flat()
  assert.deepEqual(findBorderlessTables([...column(100, 640), ...line], LETTER), [])
  const rows = [...column(100, 180, { count: 2 }), ...column(350, 400, { count: 2 })]
  assert.deepEqual(findBorderlessTables(rows, LETTER), [])
})
