import { matchable } from '../analysis/fold.ts'
import type { Counts } from './bm25.ts'

/** What the query's runs of four characters find. */
export type FourGrams = {
  /** Distinct runs of the query. */
  size: number
  /** Counts them in a text. */
  count(text: string): Counts
}

const LENGTH = 4
const SPACE = 32
/** Slots of a table of 128 KB, in the processor's cache; a query of 20,000 characters still leaves most of them free. */
const SLOT_BITS = 16
const MAX_RUNS = 1 << (SLOT_BITS - 1)

/** Lower-case letters and digits of ASCII as themselves, all else a space: `matchable` without making a new string. */
const ASCII_FORMS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase()
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : SPACE
})

/**
 * The runs of four characters of words, a space before and behind each: they find inflections, compounds and typing
 * mistakes that no term matches. Words of one character have none.
 */
export function createFourGrams(words: readonly string[]): FourGrams {
  const slots = new Uint16Array(1 << SLOT_BITS)
  const keys: number[] = []

  /** The place of a run, or the free slot where it would go as a negative number less one. */
  function find(key: number): number {
    let slot = key >>> (32 - SLOT_BITS)
    for (let index = slots[slot] ?? 0; index > 0; index = slots[slot] ?? 0) {
      if (keys[index - 1] === key) return index - 1
      slot = (slot + 1) & ((1 << SLOT_BITS) - 1)
    }
    return -1 - slot
  }

  for (const word of words) {
    const padded = ` ${word} `
    for (let start = 0; start + LENGTH <= padded.length && keys.length < MAX_RUNS; start++) {
      const codes = [0, 1, 2, 3].map((step) => padded.charCodeAt(start + step))
      const key = keyOf(codes[0] ?? 0, codes[1] ?? 0, codes[2] ?? 0, codes[3] ?? 0)
      const place = find(key)
      if (place < 0) slots[-1 - place] = keys.push(key)
    }
  }

  return {
    size: keys.length,
    count(text) {
      const counts = new Uint32Array(keys.length)
      const length = eachRun(text, (key) => {
        if (slots[key >>> (32 - SLOT_BITS)] === 0) return
        const place = find(key)
        if (place >= 0) counts[place] = (counts[place] ?? 0) + 1
      })
      return { counts, length }
    },
  }
}

/** Hands over the key of every run of a text and returns the text's length without repeated spaces. */
function eachRun(text: string, take: (key: number) => void): number {
  const isAscii = ASCII.test(text)
  const source = isAscii ? text : matchable(text)
  let [first, second, third] = [0, 0, SPACE]
  let length = 1
  for (let index = 0; index <= source.length; index++) {
    const code = index < source.length ? source.charCodeAt(index) : SPACE
    const form = isAscii ? (ASCII_FORMS[code] ?? SPACE) : code
    if (form === SPACE && third === SPACE) continue
    length++
    if (length >= LENGTH) take(keyOf(first, second, third, form))
    first = second
    second = third
    third = form
  }
  return length
}

const ASCII = /^[\0-\x7f]*$/

/** Two runs share a key with a chance of one in four thousand million: it costs a hair of a score, never more. */
function keyOf(first: number, second: number, third: number, fourth: number): number {
  let key = Math.imul(first, 0x9e3779b1)
  key = Math.imul(key ^ second, 0x85ebca6b)
  key = Math.imul(key ^ third, 0xc2b2ae35)
  key = Math.imul(key ^ fourth, 0x27d4eb2f)
  return (key ^ (key >>> 15)) >>> 0
}
