import type { Counts } from './bm25.ts'

/** What the query's runs of four characters find. */
export type FourGrams = {
  /** Distinct runs of the query. */
  size: number
  /** Counts them in a text in the form that `matchable` gives. */
  count(matchableText: string): Counts
}

const LENGTH = 4
/** A first look that says no to nearly everything: 64 KB, in the processor's cache. */
const SIEVE_BITS = 16

/**
 * The runs of four characters of words, a space before and behind each: they find inflections, compounds and typing
 * mistakes that no term matches. Words of one character have none.
 */
export function createFourGrams(words: readonly string[]): FourGrams {
  const sieve = new Uint8Array(1 << SIEVE_BITS)
  const indexes = new Map<number, number>()
  for (const word of words) {
    const padded = ` ${word} `
    for (let start = 0; start + LENGTH <= padded.length; start++) {
      const key = keyAt(padded, start)
      if (!indexes.has(key)) indexes.set(key, indexes.size)
      sieve[key >>> (32 - SIEVE_BITS)] = 1
    }
  }
  return {
    size: indexes.size,
    count(text) {
      const counts = new Uint32Array(indexes.size)
      for (let start = 0; start + LENGTH <= text.length; start++) {
        const key = keyAt(text, start)
        if (sieve[key >>> (32 - SIEVE_BITS)] === 0) continue
        const index = indexes.get(key)
        if (index !== undefined) counts[index] = (counts[index] ?? 0) + 1
      }
      return { counts, length: text.length }
    },
  }
}

/** Two runs share a key with a chance of one in four thousand million: it costs a hair of a score, never more. */
function keyAt(text: string, start: number): number {
  let key = Math.imul(text.charCodeAt(start), 0x9e3779b1)
  key = Math.imul(key ^ text.charCodeAt(start + 1), 0x85ebca6b)
  key = Math.imul(key ^ text.charCodeAt(start + 2), 0xc2b2ae35)
  key = Math.imul(key ^ text.charCodeAt(start + 3), 0x27d4eb2f)
  return (key ^ (key >>> 15)) >>> 0
}
