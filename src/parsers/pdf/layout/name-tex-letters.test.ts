import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Glyph } from '../glyph.ts'
import { nameTexLetters } from './name-tex-letters.ts'

/** The letters of a line, each 5 wide; a space parts words. */
function read(line: string, isNamed = false): string {
  const glyphs: Glyph[] = [...line].map((text, index) => {
    const left = 5 * index
    const isGenerated = text === ' ' || text === '\n'
    return {
      text,
      left,
      right: isGenerated ? left : left + 5,
      baseline: 700,
      size: 10,
      isBold: false,
      angle: 0,
      isGenerated,
      ...(!isNamed && { isOfPictures: true }),
    }
  })
  return nameTexLetters(glyphs)
    .map(({ text }) => text)
    .join('')
}

test('the ligatures of fonts that are pictures are read where they stand in words', () => {
  assert.equal(read('an e\u000ecient \x0crst o\u000ber o\u000b'), 'an efficient first offer o\u000b')
  assert.equal(read('an e\u001ecient \x1crst o\u001ber'), 'an efficient first offer')
})

test('what else such a font has beside its ligatures is a letter, in later fonts it is not known', () => {
  assert.equal(read('e\u000ecient Gr\u0012\u0012a\u0019e'), 'efficient Gr``aße')
  assert.equal(read('Gr\u0019\u0019en e\u001ecient'), 'Gr\u0019\u0019en efficient')
})

test('a code that stands alone, in a formula or as the end of a line is no letter', () => {
  for (const line of ['\u000f first', 'x\u000b = 2', 'a \u000eb', 'one\ntwo', 'plain words'])
    assert.equal(read(line), line)
  assert.equal(read('e\u000ecient', true), 'e\u000ecient')
})

test('a page of nothing but such codes takes time linear in their number', () => {
  const codes = '\u000b'.repeat(100_000)
  assert.equal(read(codes), codes)
})
