import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { placeLine } from '../../../../test/support/place-glyphs.ts'
import type { Glyph } from '../glyph.ts'
import { layOutPage } from './lay-out-page.ts'
import type { Rule } from './rule.ts'

const LEFTS = [50, 150, 300]
const TOP = 700
const HEIGHT = 16

/** Rows of texts in three columns; the baseline is 4 points above the lower rule. */
function placeRows(rows: readonly (readonly string[])[], top = TOP): Glyph[] {
  return rows.flatMap((row, index) =>
    placeLine(
      row.flatMap((text, column) => (text === '' ? [] : [[(LEFTS[column] ?? 0) + 3, text] as const])),
      top - HEIGHT * (index + 1) + 4,
    ),
  )
}

function level(at: number, from = 50, to = 400): Rule {
  return { isLevel: true, at, from, to }
}

function upright(at: number, rows: number, top = TOP): Rule {
  return { isLevel: false, at, from: top - HEIGHT * rows, to: top }
}

/** The rules of a table whose cells have a border each. */
function drawBorders(rows: number, top = TOP): Rule[] {
  const levels = Array.from({ length: rows + 1 }, (_, index) => level(top - HEIGHT * index))
  return [...levels, ...[50, 150, 300, 400].map((at) => upright(at, rows, top))]
}

function readRuled(glyphs: readonly Glyph[], rules: readonly Rule[]): string[] {
  return layOutPage({ glyphs, placed: [], rules }).map(({ text }) => text)
}

const SPARSE = [
  ['Berth', 'Owner', 'Crates'],
  ['B57', 'Drummond', '12'],
  ['', 'vacant', ''],
  ['B59', 'Marsh', '935'],
]
const SPARSE_TEXTS = ['Berth\tOwner\tCrates', 'B57\tDrummond\t12', '\tvacant', 'B59\tMarsh\t935']

describe('ruled tables', () => {
  it('keep a row with a single cell apart', () => {
    assert.deepEqual(readRuled(placeRows(SPARSE), drawBorders(4)), SPARSE_TEXTS)
    const levels = drawBorders(4).filter(({ isLevel }) => isLevel)
    assert.deepEqual(readRuled(placeRows(SPARSE), levels), SPARSE_TEXTS)
  })

  it('are found without a border at the sides', () => {
    const rules = drawBorders(4).filter(({ isLevel, at }) => isLevel || (at !== 50 && at !== 400))
    assert.deepEqual(readRuled(placeRows(SPARSE), rules), SPARSE_TEXTS)
  })

  it('are found on turned pages', () => {
    const glyphs = placeRows(SPARSE).map((glyph) => ({ ...glyph, angle: 90 }))
    const turned = drawBorders(4).map(({ isLevel, at, from, to }) =>
      // A point of the line at (x, y) is drawn at (-y, x).
      isLevel ? { isLevel: false, at: -at, from, to } : { isLevel: true, at, from: -to, to: -from },
    )
    assert.deepEqual(readRuled(glyphs, turned), SPARSE_TEXTS)
  })

  it('repeat the label of several rows, wherever it stands in its cell', () => {
    for (const place of [1, 2, 3]) {
      const label = (row: number) => (row === place ? 'North' : row === 5 ? 'South' : '')
      const rows = [['Region', 'Town', 'Dues'], ...[1, 2, 3, 4, 5].map((row) => [label(row), `Town${row}`, `${row}`])]
      const inner = [2, 3, 5].map((row) => level(TOP - HEIGHT * row, 150))
      const outer = [0, 1, 4, 6].map((row) => level(TOP - HEIGHT * row))
      const rules = [...inner, ...outer, ...[50, 150, 300, 400].map((at) => upright(at, 6))]
      assert.deepEqual(readRuled(placeRows(rows), rules), [
        'Region\tTown\tDues',
        ...['North\tTown1\t1', 'North\tTown2\t2', 'North\tTown3\t3', 'South\tTown4\t4', 'South\tTown5\t5'],
      ])
    }
  })

  it('split words at a rule that a narrow gap contains', () => {
    const glyphs = [0, 1, 2].flatMap((row) =>
      placeLine(
        [
          [50, `Row${row}`],
          [73, `Mill${row}`],
          [101, `${row}`],
        ],
        TOP - HEIGHT * (row + 1) + 4,
      ),
    )
    const levels = [0, 1, 2, 3].map((row) => level(TOP - HEIGHT * row, 49, 120))
    const rules = [...levels, ...[49, 72, 100, 120].map((at) => upright(at, 3))]
    assert.deepEqual(readRuled(glyphs, rules), ['Row0\tMill0\t0', 'Row1\tMill1\t1', 'Row2\tMill2\t2'])
  })

  it('read rows without rules between them as rows', () => {
    const rows = [['Berth', 'Owner', 'Crates'], ...[1, 2, 3, 4].map((row) => [`B${row}`, `Owner${row}`, `${row}`])]
    const rules = [
      level(TOP),
      level(TOP - HEIGHT),
      level(TOP - 5 * HEIGHT),
      ...[50, 150, 300, 400].map((at) => upright(at, 5)),
    ]
    assert.deepEqual(
      readRuled(placeRows(rows), rules),
      rows.map((row) => row.join('\t')),
    )
  })

  it('keep the lines of a cell together', () => {
    const glyphs = [
      ...placeLine(
        [
          [53, 'Part'],
          [153, 'Text'],
          [303, 'Price'],
        ],
        688,
      ),
      ...placeLine(
        [
          [53, 'Pump'],
          [153, 'Cast iron with'],
          [303, '14'],
        ],
        672,
      ),
      ...placeLine([[153, 'two valves']], 660),
      ...placeLine(
        [
          [53, 'Lamp'],
          [153, 'Brass'],
          [303, '9'],
        ],
        640,
      ),
    ]
    const uprights = [50, 150, 300, 400].map((at) => ({ isLevel: false, at, from: 632, to: 700 }))
    assert.deepEqual(readRuled(glyphs, [...[700, 684, 652, 632].map((at) => level(at)), ...uprights]), [
      'Part\tText\tPrice',
      'Pump\tCast iron with two valves\t14',
      'Lamp\tBrass\t9',
    ])
  })

  it('leave boxes of forms and grids of charts to the distances of the text', () => {
    const label = placeLine([[150, 'Catch of herring']], 650)
    const grid = [
      ...[500, 540, 580, 620, 660, 700].map((at) => level(at)),
      ...[50, 100, 150, 200, 400].map((at) => ({ isLevel: false, at, from: 500, to: 700 })),
    ]
    assert.deepEqual(readRuled(label, grid), ['Catch of herring'])
  })

  it('stay bounded for thousands of rules', () => {
    const rules = Array.from({ length: 5_000 }, (_, index) => [level(index), upright(index, 400)]).flat()
    assert.deepEqual(readRuled(placeRows(SPARSE), rules).length, 4)
  })
})
