import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GrayPage } from './gray-page.ts'
import { isUnevenlyLit, listCells } from './page-cells.ts'

/** Small bars on paper, both of a shade by their place. */
function paint(paper: (x: number, y: number) => number, ink: (x: number, y: number) => number): GrayPage {
  const [width, height] = [640, 480]
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) data[y * width + x] = y % 24 < 8 && x % 9 < 5 ? ink(x, y) : paper(x, y)
  return { data, width, height }
}

test('a page in the shadow is unevenly lit; an even one, dark or light, is not', () => {
  const light = (x: number) => 250 - (x * 150) / 640
  assert.ok(isUnevenlyLit(listCells(paint(light, (x) => light(x) / 4))))
  for (const paper of [250, 90]) {
    assert.equal(
      isUnevenlyLit(
        listCells(
          paint(
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
        paint(
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
        paint(
          (x) => (dark(x) ? 120 : 250),
          (x) => (dark(x) ? 240 : 20),
        ),
      ),
    ),
    false,
  )
})
