import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPageMarks } from './find-page-marks.ts'

async function* inPieces(text: string, at: number) {
  yield Buffer.from(text.slice(0, at))
  yield Buffer.from(text.slice(at))
}

test('a mark is found, and one that is off is none, wherever a piece of the document ends', async () => {
  const marks: [string, boolean][] = [
    ['<w:r><w:lastRenderedPageBreak/></w:r>', true],
    ['<w:br w:type="page"/>', true],
    ['<w:pageBreakBefore/>', true],
    ['<w:pageBreakBefore w:val="0"/>', false],
    ['<w:p/>', false],
  ]
  for (const [text, isMarked] of marks) {
    for (let at = 0; at <= text.length; at += 1) {
      assert.equal(await findPageMarks(inPieces(text, at)), isMarked, `${text} at ${at}`)
    }
  }
})
