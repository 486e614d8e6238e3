import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Glyph } from '../glyph.ts'
import { fixRtlOrder } from './fix-rtl-order.ts'
import { buildSpans } from './span.ts'

/** Takes letters with their left edges, in the order of PDFium's reversed line. */
function mend(letters: readonly (readonly [string, number])[]): string {
  return fixRtlOrder(glyphsOf(letters))
    .map((glyph) => glyph.text)
    .join('')
}

function glyphsOf(letters: readonly (readonly [string, number])[]): Glyph[] {
  return letters.map(
    ([text, left]): Glyph => ({
      text,
      left,
      right: left + 5,
      baseline: 700,
      size: 10,
      isBold: false,
      angle: 0,
      isGenerated: false,
    }),
  )
}

describe('fixing the order of right-to-left text', () => {
  it('handles lines of any length, and any number of letters at one position', () => {
    const line = Array.from({ length: 200_000 }, (_, at) => ['a', 5 * at + 10] as const)
    assert.equal(mend([['א', 0], ...line]).length, 200_001)
    assert.equal(mend(Array.from({ length: 200_000 }, () => ['א', 0] as const)).length, 200_000)
  })

  it('reverses the letters of a ligature unless they are in order', () => {
    const word = (first: string, second: string) =>
      mend([
        ['ا', 50],
        [first, 40],
        [second, 40],
        ['م', 30],
      ])
    assert.equal(word('أ', 'ل'), 'الأم')
    assert.equal(word('ل', 'أ'), 'الأم')
  })

  it('keeps ligatures in order where the others of the page are', () => {
    const ligature = (letters: string, x: number) => [...letters].map((letter) => [letter, x] as const)
    const place = (...parts: string[]) => mend(parts.flatMap((part, index) => ligature(part, 100 - 10 * index)))
    assert.equal(place('في', ' ', 'مح', 'م', 'د'), 'في محمد')
    assert.equal(place('يف', ' ', 'حم', 'م', 'د'), 'في محمد')
    assert.equal(place('الله', ' ', 'ا', 'لخ', 'ط'), 'الله الخط')
  })

  it('keeps left-to-right addresses and names intact', () => {
    const letters = (text: string, x: number) => [...text].map((letter, index) => [letter, x + 5 * index] as const)
    const line = [
      ['א', 100],
      [' ', 95],
      ...letters('com', 80),
      ['.', 75],
      ...letters('acme', 55),
      ['@', 50],
      ...letters('info', 30),
      [' ', 25],
      ['ב', 20],
    ] as const
    assert.equal(mend(line), 'א info@acme.com ב')
  })

  it('opens brackets before a word and closes them after it, in either encoding', () => {
    const line = (text: string) => mend([...text].map((letter, index) => [letter, 500 - 5 * index] as const))
    const read = 'א) שכר (כולל "מעמ"), [ראה (ב)] {ג}.'
    const mirrored = [...read].map(
      (letter) => ({ '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{' })[letter] ?? letter,
    )
    assert.equal(line(mirrored.join('')), read)
    assert.equal(line(read), read)
    assert.equal(line(')ב( ) ד'), '(ב) ) ד')
    assert.equal(
      mend([
        ['a', 20],
        [')', 25],
        ['b', 30],
        ['\n', 0],
        ['א', 20],
      ]),
      'a)b\nא',
    )
  })

  it('reads a line with words of both directions from the right, in either order of PDFium', () => {
    const at = (text: string, x: number) => [...text].map((letter, index) => [letter, x + 5 * index] as const)
    const back = (text: string, x: number) => [...text].map((letter, index) => [letter, x - 5 * index] as const)
    // Visual order, from the left: each right-to-left word is reversed, and the words are in the
    // wrong order.
    const line = [
      ...at('.a@b.io', 15),
      ...back('ראו', 65),
      ['(', 75],
      ...at('PDF', 80),
      [')', 95],
      ...at('2.1', 105),
      ...back('חדש', 135),
    ] as const
    assert.equal(
      mend([...line, ...back('קובץ', 160), ...back('אבגדהוזחטיכל', 225)]),
      'אבגדהוזחטיכל קובץ חדש 2.1 (PDF) ראו a@b.io.',
    )
  })

  it('keeps the direction of a left-to-right line around its right-to-left phrases, on any page', () => {
    const at = (text: string, x: number) => [...text].map((letter, index) => [letter, x + 5 * index] as const)
    const back = (text: string, x: number) => [...text].map((letter, index) => [letter, x - 5 * index] as const)
    assert.equal(
      mend([...at('is called', 0), ...back('נמל', 60), ...back('בית', 80), ...at('and', 90)]),
      'is called בית נמל and',
    )
    assert.equal(mend([...at('ab (', 0), ...back('דג', 25), ['(', 30], ...at(' leaves', 35)]), 'ab (דג) leaves')
    const page = [...back('אבגדהוזחטיכלמנסעפצקרשתאבגדהוזחט', 400), ['\n', 0] as const]
    assert.equal(
      mend([...page, ...at('write', 0), ...back('גבא', 40), ...at('here.', 50)]).split('\n')[1],
      'write גבא here.',
    )
  })

  it('places numbers with their signs in reading order', () => {
    const at = (text: string, x: number) => [...text].map((letter, index) => [letter, x + 5 * index] as const)
    const back = (text: string, x: number) => [...text].map((letter, index) => [letter, x - 5 * index] as const)
    // The comma is left of the number, the hyphen inside a telephone number.
    assert.equal(mend([...back('בשנת', 100), [',', 55], ...at('2025', 60), ...back('חדש', 45)]), 'בשנת 2025, חדש')
    assert.equal(mend([...back('טל', 105), ...at('4711', 75), ['-', 70], ...at('03', 60)]), 'טל 03-4711')
    assert.equal(mend([...back('هاتف', 105), ...at('4711', 50), ['-', 70], ...at('03', 75)]), 'هاتف 03-4711')
  })

  it('joins line parts that PDFium returns from the left, and attaches marks to their letters', () => {
    const words = [['ו'], ['1', '2'], ['ב', 'ג'], ['א']]
    const places = [[20], [30, 35], [45, 50], [60]]
    const parts = words.flatMap((word, part) => [
      ...word.map((letter, index) => [letter, places[part]?.[index] ?? 0] as const),
      ['\n', 0] as const,
    ])
    assert.equal(mend(parts).trim(), 'א גב 12 ו')
    const line = [
      ['\u064b', 80],
      ['م', 105],
      ['7', 90],
      ['ا', 80],
      ['د', 75],
    ] as const
    assert.equal(mend(line), 'م 7 ا\u064bد')
  })

  it('keeps such a line intact on a left-to-right page', () => {
    const at = (text: string, x: number) => [...text].map((letter, index) => [letter, x + 5 * index] as const)
    const line = [['א', 100], ['ב', 95], [' ', 90], ...at('2025', 70), [' ', 65], ['ג', 60], ['.', 55]] as const
    const spans = buildSpans(fixRtlOrder(glyphsOf([...at('A page of English', 300), ['\n', 0], ...line])))
    assert.equal(spans.at(-1)?.text, 'אב 2025 ג.')
  })

  it('does not reorder numbers and words in separate cells', () => {
    assert.equal(
      mend([
        ['א', 100],
        [' ', 95],
        ['1', 85],
        ['2', 90],
        [' ', 80],
        ['7', 75],
      ]),
      'א 12 7',
    )
    assert.equal(
      mend([
        ['א', 100],
        ['B', 70],
        ['A', 30],
      ]),
      'אBA',
    )
  })
})
