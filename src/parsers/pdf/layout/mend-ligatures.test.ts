import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Glyph } from '../glyph.ts'
import { mendLigatures } from './mend-ligatures.ts'

/** Shapes beside each other, each 5 wide, which may have several characters. */
function read(...shapes: readonly string[]): string {
  const glyphs = shapes.flatMap((shape, index) =>
    [...shape].map((text): Glyph => {
      const place = { left: 5 * index, right: 5 * index + 5, baseline: 700, size: 10 }
      return { ...place, text, isBold: false, angle: 0, isGenerated: false }
    }),
  )
  return mendLigatures(glyphs)
    .map(({ text }) => text)
    .join('')
}

test('the letters of a ligature that Ghostscript moved up are read', () => {
  assert.equal(read('昀椀', 'n', 'd'), 'find')
  assert.equal(read('o', '昀케', 'c', 'e'), 'office')
  assert.equal(read('w', 'a', '昀툀', 'e', '昀昀', '琀琀'), 'wafflefftt')
})

test('Chinese and Korean letters stay, and so do those of other ligatures', () => {
  assert.equal(read('昀', '椀', '케'), '昀椀케')
  assert.equal(read('fi', '漢字', '昀字'), 'fi漢字昀字')
})
