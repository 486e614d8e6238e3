import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listSegments } from './list-segments.ts'

/** Letters of 6 by 10 pixels in words; positions in letters. */
function paint(words: readonly (readonly [x: number, y: number, letters: number])[]) {
  const [width, height] = [600, 200]
  const data = new Uint8Array(width * height).fill(255)
  const fill = (left: number, top: number, right: number, bottom: number) => {
    for (let y = top; y < bottom; y += 1) data.fill(0, y * width + left, y * width + right)
  }
  for (const [x, y, letters] of words)
    for (let at = 0; at < letters; at += 1) fill(x + at * 8, y, x + at * 8 + 6, y + 10)
  return { page: { data, width, height }, fill }
}

const toBoxes = (page: Parameters<typeof listSegments>[0]) =>
  listSegments(page, 128, 10)
    .map(({ left, right, top, bottom, letters }) => [left, right, top, bottom, letters])
    .sort(([, , one = 0], [, , other = 0]) => one - other)

test('words of a line are a segment up to a wide gap', () => {
  const { page } = paint([
    [20, 20, 5],
    [70, 20, 4],
    [300, 20, 6],
    [20, 50, 3],
  ])
  assert.deepEqual(toBoxes(page), [
    [20, 100, 20, 30, 9],
    [300, 346, 20, 30, 6],
    [20, 42, 50, 60, 3],
  ])
})

test('dots belong to the line; specks, dashes alone and drawings are no segments', () => {
  const { page, fill } = paint([[20, 20, 5]])
  fill(60, 27, 63, 30)
  fill(300, 90, 301, 91)
  fill(300, 120, 320, 123)
  fill(400, 60, 480, 180)
  assert.deepEqual(toBoxes(page), [[20, 63, 20, 30, 5]])
})
