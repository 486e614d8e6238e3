import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { splitWindows } from './chunk.ts'
import { lineSpans, type Span, sentenceSpans, wordBorder } from './split-text.ts'

const TEXT = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc
    .array(fc.constantFrom('Dr. ', 'A b c. ', 'wort', ' ', '\n', '\r\n', '東京。', '😀', 'é', '!'), { maxLength: 200 })
    .map((parts) => parts.join('')),
)

function sentences(text: string): string[] {
  return sentenceSpans(text, 1000).map(({ start, end }) => text.slice(start, end).trim())
}

describe('sentences', () => {
  const cases: [guarantee: string, text: string, expected: string[]][] = [
    ['end at full stops, question and exclamation marks', 'One. Two? Three!', ['One.', 'Two?', 'Three!']],
    [
      'go on after abbreviations and initials',
      'Dr. A. Smith came, e.g. Monday. He left.',
      ['Dr. A. Smith came, e.g. Monday.', 'He left.'],
    ],
    ['go on in wrapped lines', 'One line\ngoes on. New one.', ['One line\ngoes on.', 'New one.']],
    ['end with a line that is not wrapped', 'Title\nThe text.\n- item', ['Title', 'The text.', '- item']],
    ['end in scripts with their own marks', '東京は大きい。とても。', ['東京は大きい。', 'とても。']],
    ['keep numbers whole', 'It took 3.5 minutes. Done.', ['It took 3.5 minutes.', 'Done.']],
  ]
  for (const [guarantee, text, expected] of cases) it(guarantee, () => assert.deepEqual(sentences(text), expected))

  it('and lines are contiguous and bounded, and split no character', () => {
    fc.assert(
      fc.property(
        TEXT,
        fc.integer({ min: 10, max: 80 }),
        fc.constantFrom(sentenceSpans, lineSpans),
        (text, max, split) => {
          const spans: Span[] = split(text, max)
          let end = 0
          for (const span of spans) {
            assert.equal(span.start, end)
            assert.ok(span.end > span.start && span.end - span.start <= max)
            if (text.isWellFormed()) assert.ok(text.slice(span.start, span.end).isWellFormed())
            end = span.end
          }
          assert.equal(end, text.length)
        },
      ),
    )
  })
})

describe("a sentence longer than the segmenter's input", () => {
  it('is split between words', () => {
    const text = 'elephants '.repeat(1200)
    for (const { start, end } of sentenceSpans(text, 1000)) assert.match(text.slice(start, end), /^(elephants )+$/)
  })

  it('is split between characters', () => {
    const text = `a${'😀'.repeat(3000)}`
    for (const { start, end } of sentenceSpans(text, 1000)) assert.ok(text.slice(start, end).isWellFormed())
  })
})

describe('wordBorder', () => {
  it('cuts after the last space, at a mark, or at the limit', () => {
    assert.equal(wordBorder('one two three', 9), 8)
    assert.equal(wordBorder('one,two-three', 9), 8)
    assert.equal(wordBorder('onetwothree', 9), 9)
    assert.equal(wordBorder('a😀😀', 2), 1)
  })
})

describe('windows', () => {
  it('contain whole sentences up to the limit', () => {
    assert.deepEqual(splitWindows('One two. Three four. Five six seven eight nine ten.', 22), [
      'One two. Three four.',
      'Five six seven eight',
      'nine ten.',
    ])
  })

  it('contain every word, and none is empty or too long', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const windows = splitWindows(text, 50)
        assert.equal(windows.join('').replace(/\s/g, ''), text.replace(/\s/g, ''))
        assert.ok(windows.every((window) => window.length > 0 && window.length <= 50))
      }),
    )
  })
})
