import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import { normalizeForMatch } from '../analysis/fold.ts'
import { createFourGrams, DROPPED, fuzzyOutOfVocabularyScore, SPACE, toComparableForms } from './four-grams.ts'
import { rankingKernels } from './kernels.ts'

function runsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 3) }, (_, start) => text.slice(start, start + 4))
}

describe('four-grams', () => {
  it('count the four-grams of words in a normalized text', () => {
    const letters = fc.string({
      unit: fc.constantFrom(
        'a',
        'B',
        'é',
        'ß',
        'Œ',
        'Ж',
        'ё',
        'ς',
        'e\u0301',
        'и\u0306',
        'ש\u05b8',
        's\u00ad',
        ' ',
        '-',
        '’',
        '—',
        '東',
        'ك',
        '€',
        '→',
        '≠',
        '│',
        '●',
        '\uf0b7',
        '™',
        '①',
        '❶',
        '⫝̸',
        '😀',
      ),
      maxLength: 30,
    })
    fc.assert(
      fc.property(letters, letters, (text, other) => {
        const words = normalizeForMatch(other)
          .trim()
          .split(' ')
          .filter((word) => word !== '')
        const wanted = [...new Set(words.flatMap((word) => runsOf(` ${word} `)))]
        const standing = runsOf(normalizeForMatch(text))
        const expected = wanted.map((run) => standing.filter((each) => each === run).length)
        assert.deepEqual([...createFourGrams(words).count(text).counts], expected)
      }),
      { numRuns: 1000 },
    )
  })

  it('match a misspelt word by its correct part', () => {
    const { counts } = createFourGrams(['acknowledgment']).count('It was acknowledged.')
    assert.ok(counts.filter((count) => count > 0).length >= 8)
  })

  it('match a word with inner separators, which normalization replaces by spaces', () => {
    const { counts } = createFourGrams(['err_4012']).count('It ended with ERR_4012.')
    assert.ok(counts.length > 0 && counts.every((count) => count === 1))
  })

  it('are counted in a text of any length, also over the border of two pieces', () => {
    const grams = createFourGrams(['heron'])
    for (let words = 4090; words < 4100; words++) {
      const { counts, length } = grams.count(`${'x '.repeat(words)}heron, and ${'y '.repeat(9000)}`)
      assert.deepEqual([[...counts], length], [[1, 1, 1, 1], 1 + 2 * words + 6 + 4 + 18_000])
    }
  })

  it('are counted apart in turn by several matchers', () => {
    const [herons, cranes] = [createFourGrams(['heron']), createFourGrams(['crane'])]
    const sums = [herons, cranes, herons].map(({ count }) => count('a heron').counts.reduce((sum, one) => sum + one, 0))
    assert.deepEqual(sums, [4, 0, 4])
  })

  it('are bounded for any query', () => {
    assert.ok(createFourGrams(Array.from({ length: 5000 }, (_, index) => `word${index}`)).size <= 512)
  })
})

/** Reads a text letter by letter. */
function read(text: string): string {
  const { source, areForms } = toComparableForms(text)
  const codes = Array.from({ length: source.length }, (_, index) => source.charCodeAt(index))
  const letters = codes
    .map((code) => (areForms ? code : (rankingKernels.forms[code] ?? code)))
    .filter((form) => form !== DROPPED)
  return ` ${String.fromCharCode(...letters)} `.replaceAll(new RegExp(`${String.fromCharCode(SPACE)}+`, 'g'), ' ')
}

test('a text is read in its normalized form, whatever characters it has', () => {
  const characters = [
    ...['a', 'B', 'é', 'ß', 'ẞ', 'Œ', 'Σ', 'ς', 'ё', 'e\u0301', 'и\u0306', '-', '’', ' ', '\n', '\b', 's\u00ad', '7'],
    ...['€', '→', '≠', '│', '●', '\uf0b7', '™', '①', '❶', '½', 'ﬁ', '⫝̸', '😀', '\ufe0f', '1\ufe0f\u20e3', '\u200d'],
    ...['ế', 'ạ', 'ש\u05b8', 'ك', 'ک', 'ى', 'ـ', 'لا', 'ﻻ', 'بِ', '٣', 'क़', 'हिन्दी', 'ँ', 'ก็', 'ำ', '๓', 'ა', 'Ა'],
    ...['東', '豈', '𠮷', 'が', 'か\u3099', 'ｶﾞ', 'Ａ', '゛', 'ー', '。', '한', '\u1112\u1161', 'ㅎㅏ', 'ﾡ', '々'],
  ]
  const any = fc.oneof(
    fc.constantFrom(...characters),
    fc.nat(0xd7ff).map((code) => String.fromCharCode(code)),
  )
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      assert.equal(read(text), normalizeForMatch(text).replace(/ +/g, ' '))
    }),
    { numRuns: 5000 },
  )
})

test('Chinese, Japanese, Arabic and Vietnamese texts are read without a copy', () => {
  for (const text of ['東京は晴れ。', '한국어 문장', 'السلام عليكم', 'Tiếng Việt → €', 'a\u00adb'])
    assert.deepEqual(toComparableForms(text), { source: text, areForms: false }, text)
})

function scoresOf(words: readonly string[], texts: readonly string[]): number[] {
  const grams = createFourGrams(words)
  return fuzzyOutOfVocabularyScore(
    texts.map((text) => grams.count(text)),
    grams.words,
  )
}

describe('fuzzyOutOfVocabularyScore', () => {
  it('matches the correct word for a misspelt one', () => {
    const [meant = 0, other] = scoresOf(['parcetamol'], ['Paracetamol helps.', 'Parcels come at noon.'])
    assert.ok(meant > 0.6)
    assert.equal(other, 0)
  })

  it('matches a word by its prefix', () => {
    const [found = 0, other] = scoresOf(['semperv'], ['Sempervivum on the roof', 'simply everywhere'])
    assert.ok(found > 0.7)
    assert.equal(other, 0)
  })

  it('is 0 for words that a text contains as typed', () => {
    assert.deepEqual(scoresOf(['acid', 'acids'], ['an acid', 'two acids']), [0, 0])
  })

  it('is the share of unknown words that a text nearly contains', () => {
    const [both = 0, one = 0] = scoresOf(['hydrocloric', 'parcetamol'], ['hydrochloric paracetamol', 'hydrochloric'])
    assert.ok(both > one && one > 0.3 && one < 0.4)
  })

  it('is empty without words and texts', () => {
    assert.deepEqual(scoresOf([], ['a']), [0])
    assert.deepEqual(scoresOf(['word'], []), [])
  })
})
