import { matchable } from '../analysis/fold.ts'
import { DROPPED, readable, SPACE } from '../analysis/letter-forms.ts'
import type { Counts } from './bm25.ts'
import { createClosePairs, type Pair } from './close-pairs.ts'

/** What the query's runs of four characters find. */
export type FourGrams = {
  /** Distinct runs of the query. */
  size: number
  /** The places of each word's runs among the counts, in order; none for a word of one character. */
  words: readonly (readonly number[])[]
  /** Counts them in a text, and the pairs that stand in it close together. */
  count(text: string): Counts & { pairs: Uint32Array }
}

const LENGTH = 4
/** Slots of a table of 128 KB, which stays in the processor's cache. */
const SLOT_BITS = 16
const TAIL_BITS = 12
/** Of a longer query only the first words are compared in this way: a table of counts is made for every candidate. */
const MAX_RUNS = 512

/**
 * The runs of four characters of words, a space before and behind each: they find inflections, compounds and typing
 * mistakes that no term matches. Words of one character have none.
 */
export function createFourGrams(words: readonly string[], pairs: readonly Pair[] = []): FourGrams {
  const slots = new Uint16Array(1 << SLOT_BITS)
  const keys: number[] = []
  // By their last two characters: nine runs of ten in a text are passed over without their key.
  const tails = new Uint8Array(1 << TAIL_BITS)

  /** The place of a run, or the free slot where it would go as a negative number less one. */
  function find(key: number): number {
    let slot = key >>> (32 - SLOT_BITS)
    for (let index = slots[slot] ?? 0; index > 0; index = slots[slot] ?? 0) {
      if (keys[index - 1] === key) return index - 1
      slot = (slot + 1) & ((1 << SLOT_BITS) - 1)
    }
    return -1 - slot
  }

  const places = words.map((word) => {
    const own: number[] = []
    // A word may hold joints (`ERR_4012`, `3.2.1`), which a text has as spaces in the form it is compared in.
    const padded = matchable(word)
    for (let start = 0; start + LENGTH <= padded.length && keys.length < MAX_RUNS; start++) {
      const codes = [0, 1, 2, 3].map((step) => padded.charCodeAt(start + step))
      const key = keyOf(codes[0] ?? 0, codes[1] ?? 0, codes[2] ?? 0, codes[3] ?? 0)
      tails[tailOf(codes[2] ?? 0, codes[3] ?? 0)] = 1
      const place = find(key)
      if (place < 0) slots[-1 - place] = keys.push(key)
      own.push(place < 0 ? keys.length - 1 : place)
    }
    return own
  })

  const closePairs = createClosePairs(places, pairs)

  return {
    size: keys.length,
    words: places,
    count(text) {
      const counts = new Uint32Array(keys.length)
      const close = closePairs.begin()
      if (keys.length === 0) return { counts, length: text.length, pairs: close.counts }
      const length = eachRun(text, tails, (key, word, isHead) => {
        if (slots[key >>> (32 - SLOT_BITS)] === 0) return
        const place = find(key)
        if (place < 0) return
        counts[place] = (counts[place] ?? 0) + 1
        if (isHead) close.meet(place, word)
      })
      return { counts, length, pairs: close.counts }
    },
  }
}

/**
 * Hands over the key of every run of a text that ends as one wanted, with the number of its word and whether it is the head of that word, and
 * returns the text's length without repeated spaces.
 */
function eachRun(text: string, tails: Uint8Array, take: (key: number, word: number, isHead: boolean) => void): number {
  const { source, forms } = readable(text)
  let [first, second, third] = [0, 0, SPACE]
  let [length, word, letters] = [1, 0, 0]
  for (let index = 0; index <= source.length; index++) {
    const code = index < source.length ? source.charCodeAt(index) : SPACE
    const form = forms === null ? code : (forms[code] ?? SPACE)
    if (form === DROPPED || (form === SPACE && third === SPACE)) continue
    length++
    if (third === SPACE) {
      word++
      letters = 0
    }
    letters++
    if (length >= LENGTH && tails[tailOf(third, form)] === 1) {
      const isHead = letters === LENGTH || (letters === LENGTH - 1 && form === SPACE)
      take(keyOf(first, second, third, form), word, isHead)
    }
    first = second
    second = third
    third = form
  }
  return length
}

function tailOf(third: number, fourth: number): number {
  return ((third << 5) ^ fourth) & ((1 << TAIL_BITS) - 1)
}

/** Two runs share a key with a chance of one in four thousand million: it costs a hair of a score, never more. */
function keyOf(first: number, second: number, third: number, fourth: number): number {
  let key = Math.imul(first, 0x9e3779b1)
  key = Math.imul(key ^ second, 0x85ebca6b)
  key = Math.imul(key ^ third, 0xc2b2ae35)
  key = Math.imul(key ^ fourth, 0x27d4eb2f)
  return (key ^ (key >>> 15)) >>> 0
}
