import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { matchable } from './fold.ts'
import { DROPPED, readable, SPACE } from './letter-forms.ts'

/** What is read of a text, letter by letter. */
function read(text: string): string {
  const { source, forms } = readable(text)
  const codes = Array.from({ length: source.length }, (_, index) => source.charCodeAt(index))
  const letters = codes.map((code) => forms?.[code] ?? code).filter((form) => form !== DROPPED)
  return ` ${String.fromCharCode(...letters)} `.replaceAll(new RegExp(`${String.fromCharCode(SPACE)}+`, 'g'), ' ')
}

test('a text is read in the form in which it compares, whatever is in it', () => {
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
      assert.equal(read(text), matchable(text).replace(/ +/g, ' '))
    }),
    { numRuns: 5000 },
  )
})

test('Chinese, Japanese, Arabic and Vietnamese texts are read as they stand', () => {
  for (const text of ['東京は晴れ。', '한국어 문장', 'السلام عليكم', 'Tiếng Việt → €', 'a\u00adb'])
    assert.deepEqual([readable(text).source, readable(text).forms === null], [text, false], text)
})
