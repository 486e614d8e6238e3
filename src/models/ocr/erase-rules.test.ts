import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseRules } from './erase-rules.ts'
import type { GrayPage } from './gray-page.ts'

const SHADES = { paper: 255, ink: 0, letterHeight: null }

function paper(width = 600, height = 600): GrayPage {
  return { data: new Uint8Array(width * height).fill(255), width, height }
}

function fill({ data, width }: GrayPage, [left, top, right, bottom]: readonly number[], shade: number): void {
  for (let y = top ?? 0; y < (bottom ?? 0); y += 1) data.fill(shade, y * width + (left ?? 0), y * width + (right ?? 0))
}

/** Draws four horizontal and four vertical lines, three pixels thick. */
function drawTable(page: GrayPage): void {
  for (const at of [100, 200, 300, 400]) {
    fill(page, [100, at, 403, at + 3], 0)
    fill(page, [at, 100, at + 3, 403], 0)
  }
}

function inkOf({ data }: GrayPage): number {
  return data.filter((value) => value < 200).length
}

test('the lines of a table are erased, also where they cross, and its box is returned', () => {
  const page = paper()
  drawTable(page)
  const erased = eraseRules(page, SHADES)
  assert.equal(inkOf(erased.page), 0)
  assert.deepEqual(erased.tables, [{ box: [100, 100, 300, 300], cells: 9 }])
})

test('gray lines are erased where they cross, which is darker', () => {
  const page = paper()
  for (const at of [100, 200, 300, 400]) {
    fill(page, [100, at, 403, at + 3], 140)
    for (let y = 100; y < 403; y += 1)
      for (let x = at; x < at + 3; x += 1) page.data[y * 600 + x] = page.data[y * 600 + x] === 140 ? 40 : 140
  }
  assert.equal(inkOf(eraseRules(page, SHADES).page), 0)
})

test('a frame and underlines are not a table', () => {
  const page = paper()
  for (const y of [50, 550]) fill(page, [50, y, 552, y + 2], 0)
  for (const x of [50, 550]) fill(page, [x, 50, x + 2, 552], 0)
  for (const y of [150, 250, 350]) fill(page, [100, y, 500, y + 2], 0)
  const { page: erased, tables } = eraseRules(page, SHADES)
  assert.deepEqual(tables, [])
  assert.ok(inkOf(erased) < 30)
})

test('a letter on a gray line is preserved', () => {
  const page = paper()
  fill(page, [0, 300, 600, 302], 150)
  fill(page, [200, 280, 206, 320], 0)
  fill(page, [240, 298, 260, 301], 0)
  const { page: erased } = eraseRules(page, SHADES)
  assert.equal(inkOf(erased), 6 * 40 + 20 * 3)
})

test('short strokes, thick bars and dark backgrounds are not rules', () => {
  const page = paper()
  fill(page, [50, 50, 110, 54], 0)
  fill(page, [50, 100, 550, 130], 0)
  fill(page, [50, 200, 550, 500], 20)
  // Light letters, whose lines are nearly as close together as a rule is thick.
  for (let y = 220; y < 480; y += 20) for (let x = 60; x < 540; x += 12) fill(page, [x, y, x + 6, y + 13], 240)
  assert.equal(eraseRules(page, SHADES).page, page)
})

test('the headline of Devanagari words is not a rule', () => {
  const page = paper()
  fill(page, [100, 100, 320, 104], 0)
  for (let x = 110; x < 320; x += 30) fill(page, [x, 100, x + 5, 136], 0)
  assert.equal(eraseRules(page, { ...SHADES, letterHeight: 36 }).page, page)
})
