import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitWords } from './split-words.ts'

const PIECES = [
  ..."aZ09 _-.@'#+,:/\t\n(",
  'ab',
  'HTTPServer',
  'iPhone',
  'C++',
  'C#',
  '1,000',
  '12:30',
  "don't",
  'v2.3.1',
]

const asciiText = fc.array(fc.constantFrom(...PIECES), { maxLength: 24, size: 'max' }).map((pieces) => pieces.join(''))

test('the words of a text are independent of letters behind', () => {
  fc.assert(
    fc.property(asciiText, (text) => {
      const [last, ...rest] = splitWords(`${text} \u0142`).toReversed()
      assert.equal(last?.text, '\u0142')
      assert.deepEqual(splitWords(text), rest.toReversed(), text)
    }),
    { numRuns: 3000 },
  )
})

const PLAIN_PIECES = [...'ab09 _-.@#+,:/\t\n(', 'abba', 'a+b', 'b++', '1,000', '12:30', 'a.b.1', 'ab'.repeat(65)]

test('words of ASCII letters are split like words of other letters', () => {
  const plainText = fc.array(fc.constantFrom(...PLAIN_PIECES), { maxLength: 24, size: 'max' })
  fc.assert(
    fc.property(plainText, (pieces) => {
      const text = pieces.join('')
      const others = text.replaceAll('a', 'ä').replaceAll('b', 'þ')
      const words = splitWords(others).map((word) => ({ ...word, text: text.slice(word.start, word.end) }))
      assert.deepEqual(
        splitWords(text).map((word) => ({ ...word, text: text.slice(word.start, word.end) })),
        words,
        text,
      )
    }),
    { numRuns: 3000 },
  )
})

test('only words with another first letter are left out', () => {
  fc.assert(
    fc.property(asciiText, (text) => {
      const isWanted = (code: number) => 'aH0'.includes(String.fromCharCode(code))
      const onlyWanted = (words: ReturnType<typeof splitWords>) => words.filter((word) => /^[aH0]/.test(word.text))
      assert.deepEqual(onlyWanted(splitWords(text, isWanted)), onlyWanted(splitWords(text)), text)
    }),
    { numRuns: 1000 },
  )
})
