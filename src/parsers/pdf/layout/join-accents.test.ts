import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Glyph } from '../glyph.ts'
import { joinAccents } from './join-accents.ts'

/** A glyph of 10 points at `left`, `width` wide. */
function glyph(text: string, left: number, { width = 5, baseline = 700, isGenerated = false } = {}): Glyph {
  return { text, left, right: left + width, baseline, size: 10, isBold: false, angle: 0, isGenerated }
}

function read(...glyphs: Glyph[]): string {
  return joinAccents(glyphs)
    .map(({ text }) => text)
    .join('')
}

test('an accent that is drawn over the next letter is part of it', () => {
  assert.equal(read(glyph('b', 0), glyph('¨', 5), glyph('u', 5), glyph('h', 10)), 'büh')
  assert.equal(read(glyph('a', 0), glyph('¨', 4), glyph('ı', 5, { width: 3 }), glyph('v', 8)), 'aïv')
  assert.equal(read(glyph('¸', 0), glyph('c', 0)), 'ç')
  assert.equal(read(glyph('ˆ', 0), glyph('e', 0), glyph('´', 0.4, { baseline: 702 })), 'ế')
})

test('an accent over a capital is raised, and PDFium gives it at the end of the line', () => {
  const end = glyph('\n', 20, { width: 0, isGenerated: true })
  assert.equal(read(glyph('U', 0), glyph('b', 5), glyph('¨', 0, { baseline: 702.5 }), end), 'Üb\n')
})

test('an accent beside a letter, over another line or over what has no accents stays', () => {
  assert.equal(read(glyph('`', 0), glyph('a', 5), glyph('`', 10)), '`a`')
  assert.equal(read(glyph('¨', 0, { baseline: 712 }), glyph('u', 0)), '¨u')
  assert.equal(read(glyph('´', 0), glyph('5', 0), glyph('¯', 5), glyph('q', 5)), '´5¯q')
})
