import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Glyph } from '../glyph.ts'
import { decodeTexLigatures, joinAccents, repairShiftedLigatures } from './repair-letters.ts'

/** Creates a 10-point glyph at `left`. */
function glyph(text: string, left: number, { width = 5, baseline = 700, isGenerated = false } = {}): Glyph {
  return { text, left, right: left + width, baseline, size: 10, isBold: false, angle: 0, isGenerated }
}

function read(...glyphs: Glyph[]): string {
  return joinAccents(glyphs)
    .map(({ text }) => text)
    .join('')
}

test('an accent drawn over the next letter joins that letter', () => {
  assert.equal(read(glyph('b', 0), glyph('¨', 5), glyph('u', 5), glyph('h', 10)), 'büh')
  assert.equal(read(glyph('a', 0), glyph('¨', 4), glyph('ı', 5, { width: 3 }), glyph('v', 8)), 'aïv')
  assert.equal(read(glyph('¸', 0), glyph('c', 0)), 'ç')
  assert.equal(read(glyph('ˆ', 0), glyph('e', 0), glyph('´', 0.4, { baseline: 702 })), 'ế')
})

test('a raised accent at the end of the line joins its capital', () => {
  const end = glyph('\n', 20, { width: 0, isGenerated: true })
  assert.equal(read(glyph('U', 0), glyph('b', 5), glyph('¨', 0, { baseline: 702.5 }), end), 'Üb\n')
})

test('an accent beside a letter, over another line or over a sign is kept', () => {
  assert.equal(read(glyph('`', 0), glyph('a', 5), glyph('`', 10)), '`a`')
  assert.equal(read(glyph('¨', 0, { baseline: 712 }), glyph('u', 0)), '¨u')
  assert.equal(read(glyph('´', 0), glyph('5', 0), glyph('¯', 5), glyph('q', 5)), '´5¯q')
})

/** Creates adjacent shapes of width 5; a shape may have several characters. */
function readLigatures(...shapes: readonly string[]): string {
  const glyphs = shapes.flatMap((shape, index) =>
    [...shape].map((text): Glyph => {
      const place = { left: 5 * index, right: 5 * index + 5, baseline: 700, size: 10 }
      return { ...place, text, isBold: false, angle: 0, isGenerated: false }
    }),
  )
  return repairShiftedLigatures(glyphs)
    .map(({ text }) => text)
    .join('')
}

test('ligatures shifted by Ghostscript are repaired', () => {
  assert.equal(readLigatures('昀椀', 'n', 'd'), 'find')
  assert.equal(readLigatures('o', '昀케', 'c', 'e'), 'office')
  assert.equal(readLigatures('w', 'a', '昀툀', 'e', '昀昀', '琀琀'), 'wafflefftt')
})

test('Chinese and Korean letters and other ligatures are kept', () => {
  assert.equal(readLigatures('昀', '椀', '케'), '昀椀케')
  assert.equal(readLigatures('fi', '漢字', '昀字'), 'fi漢字昀字')
})

/** Reads a line of letters of width 5; a space separates words. */
function readTexLetters(line: string, isNamed = false): string {
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
      ...(!isNamed && { isBitmapFont: true }),
    }
  })
  return decodeTexLigatures(glyphs)
    .map(({ text }) => text)
    .join('')
}

test('ligatures of bitmap fonts are decoded within words', () => {
  assert.equal(readTexLetters('an e\u000ecient \x0crst o\u000ber o\u000b'), 'an efficient first offer o\u000b')
  assert.equal(readTexLetters('an e\u001ecient \x1crst o\u001ber'), 'an efficient first offer')
})

test('other codes of OT1 fonts are decoded, those of T1 fonts are kept', () => {
  assert.equal(readTexLetters('e\u000ecient Gr\u0012\u0012a\u0019e'), 'efficient Gr``aße')
  assert.equal(readTexLetters('Gr\u0019\u0019en e\u001ecient'), 'Gr\u0019\u0019en efficient')
})

test('a code alone, in a formula or at the end of a line is not decoded', () => {
  for (const line of ['\u000f first', 'x\u000b = 2', 'a \u000eb', 'one\ntwo', 'plain words'])
    assert.equal(readTexLetters(line), line)
  assert.equal(readTexLetters('e\u000ecient', true), 'e\u000ecient')
})

test('a page of such codes takes linear time', () => {
  const codes = '\u000b'.repeat(100_000)
  assert.equal(readTexLetters(codes), codes)
})
