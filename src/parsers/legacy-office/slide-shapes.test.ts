import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrangeCells } from './slide-shapes.ts'

test('a cell over several rows is repeated down to the next cell of its column', () => {
  const cell = (left: number, top: number, bottom: number, text: string) => ({ left, top, bottom, text })
  const cells = [
    cell(0, 0, 30, 'North'),
    cell(5, 0, 10, 'a'),
    cell(5, 10, 20, 'b'),
    cell(0, 20, 30, 'South'),
    cell(5, 20, 30, 'c'),
  ]
  assert.deepEqual(arrangeCells(cells), [
    ['North', 'a'],
    ['North', 'b'],
    ['South', 'c'],
  ])
})

test('cells that all reach to the end of a long table take linear time', () => {
  const cells = Array.from({ length: 150_000 }, (_, top) => ({ left: 0, top, bottom: 1e9, text: 'x' }))
  assert.equal(arrangeCells(cells).length, 150_000)
})
