import assert from 'node:assert/strict'
import { test } from 'node:test'
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

/** Always the same text for a number: pieces in an order that looks like none. */
function makeText(seed: number): string {
  let state = seed
  return Array.from({ length: 24 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return PIECES[(state >>> 16) % PIECES.length]
  }).join('')
}

test('the words of a text are the same, whatever other letters stand behind them', () => {
  for (let seed = 1; seed <= 3000; seed += 1) {
    const text = makeText(seed)
    const [last, ...rest] = splitWords(`${text} \u0142`).toReversed()
    assert.equal(last?.text, '\u0142')
    assert.deepEqual(splitWords(text), rest.toReversed(), text)
  }
})
