import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWordReader, type LabelWord } from '../label-words.ts'
import { createProximityScorer } from './proximity.ts'

const words = createWordReader(['en'])

/** The scores of the values of a clause, given as they stand in it. */
function scoresOf(asked: string, text: string, ...values: string[]): number[] {
  const places = values.map((value) => ({ start: text.indexOf(value), end: text.indexOf(value) + value.length }))
  return places.map(
    createProximityScorer({ asked: words.read(asked), clause: { words: words.read(text), topic: [] }, values: places }),
  )
}

test('a value has the words beside it, and those beyond another value less', () => {
  const [near = 0, far = 0] = scoresOf('deposit', 'The deposit is 500 and the fee is 80', '500', '80')
  assert.ok(near > 0.9 && far > 0 && far < near / 2, `${near} ${far}`)
})

test('a word that means the opposite, nearer to the value than what agrees, makes it none', () => {
  assert.deepEqual(scoresOf('start', 'The start is far away, and it ends on 5', '5'), [0])
  assert.deepEqual(scoresOf('deposit', 'The rent is due on 5', '5'), [0])
})

/** How often a place is looked at in a clause of so many addresses, each behind the word that is asked for. */
function countLooks(values: number): number {
  let looks = 0
  const place = (start: number, end: number) => ({
    get start() {
      looks += 1
      return start
    },
    get end() {
      looks += 1
      return end
    },
  })
  const named = Array.from({ length: values }, (_, index): LabelWord => {
    return Object.assign(place(index * 10, index * 10 + 4), { keys: ['contact'], weight: 1 })
  })
  const places = named.map((_, index) => place(index * 10 + 5, index * 10 + 9))
  const nearness = createProximityScorer({
    asked: words.read('contact '.repeat(50)),
    clause: { words: named, topic: [] },
    values: places,
  })
  for (const value of places) nearness(value)
  return looks
}

test('a clause of nothing but values is not gone through for every word and every value', () => {
  const [some, more] = [countLooks(50), countLooks(100)]
  assert.ok(more < 5 * some, `${some} looks at 50 values, ${more} at 100`)
})
