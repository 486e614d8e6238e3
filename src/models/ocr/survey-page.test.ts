import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GrayPage } from './gray-page.ts'
import { isUnevenlyLit, listCells, surveyPage } from './survey-page.ts'

/** Bars of ink on paper, each from left and top to right and bottom. */
function paint(width: number, height: number, bars: readonly (readonly [number, number, number, number])[]): GrayPage {
  const data = new Uint8Array(width * height).fill(250)
  for (const [left, top, right, bottom] of bars)
    for (let y = top; y < bottom; y += 1) data.fill(10, y * width + left, y * width + right)
  return { data, width, height }
}

test('the ink of a large page with a few words on it is told', async () => {
  const letters = Array.from({ length: 30 }, (_, at) => [100 + at * 14, 100, 108 + at * 14, 112] as const)
  const { shades, findLetterHeight } = await surveyPage(paint(1200, 1100, letters))
  assert.equal(shades.paper, 250)
  assert.ok(shades.ink < 80, String(shades.ink))
  assert.equal(findLetterHeight(), 12)
})

test('very thick strokes on white are dark on light', async () => {
  const strokes = Array.from({ length: 5 }, (_, at) => [40 + at * 100, 20, 90 + at * 100, 200] as const)
  const page = paint(560, 220, strokes)
  assert.equal((await surveyPage(page)).isDark, false)
  assert.equal((await surveyPage({ ...page, data: page.data.map((value) => 255 - value) })).isDark, true)
})

/** Small bars on paper, both of a shade by their place. */
function paintCells(paper: (x: number, y: number) => number, ink: (x: number, y: number) => number): GrayPage {
  const [width, height] = [640, 480]
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) data[y * width + x] = y % 24 < 8 && x % 9 < 5 ? ink(x, y) : paper(x, y)
  return { data, width, height }
}

test('a page in the shadow is unevenly lit; an even one, dark or light, is not', () => {
  const light = (x: number) => 250 - (x * 150) / 640
  assert.ok(isUnevenlyLit(listCells(paintCells(light, (x) => light(x) / 4))))
  for (const paper of [250, 90]) {
    assert.equal(
      isUnevenlyLit(
        listCells(
          paintCells(
            () => paper,
            () => 20,
          ),
        ),
      ),
      false,
    )
  }
})

test('a page with a dark part, or with light writing on a part of it, is not', () => {
  const dark = (x: number) => x < 320
  assert.equal(
    isUnevenlyLit(
      listCells(
        paintCells(
          (x) => (dark(x) ? 30 : 250),
          (x) => (dark(x) ? 240 : 20),
        ),
      ),
    ),
    false,
  )
  assert.equal(
    isUnevenlyLit(
      listCells(
        paintCells(
          (x) => (dark(x) ? 120 : 250),
          (x) => (dark(x) ? 240 : 20),
        ),
      ),
    ),
    false,
  )
})
