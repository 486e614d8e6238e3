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
