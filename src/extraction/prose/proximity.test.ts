import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWordReader, type LabelWord } from '../label-words.ts'
import { createProximityScorer } from './proximity.ts'

const words = createWordReader(['en'])

/** Returns the scores of the values of a clause, in order. */
function scoresOf(asked: string, text: string, ...values: string[]): number[] {
  const places = values.map((value) => ({ start: text.indexOf(value), end: text.indexOf(value) + value.length }))
  return places.map(
    createProximityScorer({ asked: words.read(asked), clause: { words: words.read(text), topic: [] }, values: places }),
  )
}

test('weights adjacent words higher than words beyond another value', () => {
  const [near = 0, far = 0] = scoresOf('deposit', 'The deposit is 500 and the fee is 80', '500', '80')
  assert.ok(near > 0.9 && far > 0 && far < near / 2, `${near} ${far}`)
})

test('scores zero if an opposite word is nearer', () => {
  assert.deepEqual(scoresOf('start', 'The start is far away, and it ends on 5', '5'), [0])
  assert.deepEqual(scoresOf('deposit', 'The rent is due on 5', '5'), [0])
})

/** Counts element reads in a clause of many addresses, each after the asked word. */
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

test('avoids pairwise comparison in a clause of only values', () => {
  const [some, more] = [countLooks(50), countLooks(100)]
  assert.ok(more < 5 * some, `${some} looks at 50 values, ${more} at 100`)
})
