import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMergedRanges } from './merged-cells.ts'

async function* inPieces(...pieces: readonly string[]) {
  yield* pieces.map((piece) => Buffer.from(piece))
}

test('ranges over several rows are found across chunk boundaries, sorted by first row', async () => {
  const ranges = await findMergedRanges(
    inPieces('<mergeCell ref="B5:C6"/><x:mergeCe', 'll a="" ref="A1:A3"/><mergeCell ref="D1:E1"/>'),
  )
  assert.deepEqual(
    ranges.map(({ from, to }) => [from.row, to.row]),
    [
      [1, 3],
      [5, 6],
    ],
  )
})

// Linear time: following each start to the end would be quadratic.
test('incomplete ranges are ignored', async () => {
  const comment = `<!--${'<mergeCell '.repeat(500_000)}-->`
  assert.equal((await findMergedRanges(inPieces(`${comment}<mergeCell ref="A1:A3"/>`))).length, 1)
})
