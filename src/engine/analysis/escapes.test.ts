import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decodeEscapes, findInDecoded } from './escapes.ts'

const ESC = '\u001b'

describe('decodeEscapes', () => {
  const cases: [guarantee: string, text: string, readable: string][] = [
    ['reads the letters of JSON', String.raw`{"name":"J\u00fcrgen M\u00FCller"}`, '{"name":"Jürgen Müller"}'],
    ['reads them in any text', String.raw`\u041c\u043e\u0441\u043a\u0432\u0430`, 'Москва'],
    ['reads a pair of surrogates as one character', String.raw`a \ud842\udfb7\ud83d\ude00 b`, 'a 𠮷😀 b'],
    ['leaves half a pair as it stands', String.raw`a \ud842 b \udfb7`, String.raw`a \ud842 b \udfb7`],
    [
      'reads JSON in a string of JSON',
      String.raw`{"body":"{\"name\":\"J\\u00fcrgen\"}"}`,
      '{"body":"{"name":"Jürgen"}"}',
    ],
    [
      'parts words by line ends and tabs of JSON',
      String.raw`{"a":"tab\tseparated\nline"}`,
      '{"a":"tab separated line"}',
    ],
    ['does so in a piece of a long string', String.raw`the end.\n\nNext\tone`, 'the end.  Next one'],
    ['reads a path in JSON', String.raw`{"path":"C:\\new\\table"}`, String.raw`{"path":"C:\new\table"}`],
    ['leaves a path in other texts', String.raw`copy C:\new\table`, String.raw`copy C:\new\table`],
    [
      'leaves a path behind a colon',
      String.raw`The share "logs": see ..\backup\new`,
      String.raw`The share "logs": see ..\backup\new`,
    ],
    ['leaves a path beside an example of JSON', String.raw`C:\new has {"a": 1}`, String.raw`C:\new has {"a": 1}`],
    ['leaves expressions', String.raw`{"a": /\d+\n/}`, String.raw`{"a": /\d+\n/}`],
    ['takes the colours of a log away', `${ESC}[1;33mwarning${ESC}[0m: ${ESC}[38:5:1mlow`, 'warning: low'],
    ['takes them away in JSON', String.raw`{"line":"\u001b[33mwarning\u001b[39m"}`, '{"line":"warning"}'],
    ['parts words where a log moves about', `one${ESC}[2Ktwo`, 'one two'],
  ]
  for (const [guarantee, text, readable] of cases) {
    it(guarantee, () => assert.equal(decodeEscapes(text), readable))
  }

  it('reads overstruck letters once', () => {
    assert.equal(decodeEscapes('N\bNA\bAM\bME\bE of _\bf_\bi_\bl_\be, G\bG\bGo, 😀\b😀'), 'NAME of file, Go, 😀')
    assert.equal(decodeEscapes('\b\na\n\b'), '\b\na\n\b')
  })

  it('takes linear time for incomplete escapes', () => {
    for (const unit of ['\\', '\\u', `${ESC}[`, '"  ', '\\u001b[1;']) {
      const text = unit.repeat(1_000_000 / unit.length)
      assert.ok(decodeEscapes(text).length <= text.length)
    }
  })
})

describe('findInDecoded', () => {
  it('returns offsets in the original text', () => {
    const text = String.raw`see ${ESC}[1mM\u00fcller${ESC}[0m, \ud842\udfb7 and on`
    const words = findInDecoded(text, (readable) =>
      [...readable.matchAll(/[\p{L}]+/gu)].map(({ 0: word, index }) => ({ start: index, end: index + word.length })),
    )
    assert.deepEqual(
      words.map(({ start, end }) => text.slice(start, end)),
      ['see', String.raw`M\u00fcller`, String.raw`\ud842\udfb7`, 'and', 'on'],
    )
  })

  it('returns offsets in order of the matches', () => {
    const pieces = ['\\', 'u00fc', '\\u00fc', '\\ud842', '\\udfb7', `${ESC}[1m`, '\\n', '"a":', 'x', ' ', '𠮷', '\b']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        const found = findInDecoded(text, (readable) =>
          Array.from(readable, (_, index) => index).map((index) => ({ start: index, end: index + 1 })),
        )
        for (const [index, { start, end }] of found.entries()) {
          assert.ok(start >= (found[index - 1]?.start ?? 0) && end > start && end <= text.length)
        }
      }),
    )
  })
})
