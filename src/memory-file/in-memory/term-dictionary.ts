import { withLength } from './growing-array.ts'

/** Part of a byte array. */
type Slice = { bytes: Uint8Array; start: number; end: number }

/** Distinct terms, numbered from 0. */
export type TermDictionary = {
  /** The number of a term in UTF-8; a new one if the term is new. */
  put(term: Slice): number
  /** The number of a term; -1 if it was never put. */
  find(term: string): number
}

/** Creates an empty dictionary: a hash table of UTF-8 with linear probing, at most half full. */
export function createTermDictionary(): TermDictionary {
  let keys = new Uint8Array(0)
  // Term `i` is `keys` from `ends[i]` to `ends[i + 1]`.
  let ends = new Uint32Array(1)
  let count = 0
  // The number of a term plus 1; 0 for a free place.
  let places = new Uint32Array(2048)

  function isTerm(term: number, { bytes, start, end }: Slice): boolean {
    const from = ends[term] ?? 0
    if ((ends[term + 1] ?? 0) - from !== end - start) return false
    for (let at = start; at < end; at += 1) if (keys[from + at - start] !== bytes[at]) return false
    return true
  }

  /** The place of a term, or the free place for it. */
  function placeOf(term: Slice): number {
    let place = hash(term) & (places.length - 1)
    for (let found = places[place] ?? 0; found !== 0; found = places[place] ?? 0) {
      if (isTerm(found - 1, term)) break
      place = (place + 1) & (places.length - 1)
    }
    return place
  }

  function growPlaces(): void {
    places = new Uint32Array(2 * places.length)
    for (let term = 0; term < count; term += 1)
      places[placeOf({ bytes: keys, start: ends[term] ?? 0, end: ends[term + 1] ?? 0 })] = term + 1
  }

  return {
    put(term) {
      const place = placeOf(term)
      const found = places[place] ?? 0
      if (found !== 0) return found - 1
      const { bytes, start, end } = term
      const from = ends[count] ?? 0
      count += 1
      keys = withLength(keys, from + end - start)
      keys.set(bytes.subarray(start, end), from)
      ends = withLength(ends, count + 1)
      ends[count] = from + end - start
      places[place] = count
      if (2 * count > places.length) growPlaces()
      return count - 1
    },
    find(term) {
      const bytes = Buffer.from(term)
      return (places[placeOf({ bytes, start: 0, end: bytes.length })] ?? 0) - 1
    },
  }
}

/** FNV-1a with 32 bits (Fowler, Noll and Vo); high bits are mixed into the low ones. */
function hash({ bytes, start, end }: Slice): number {
  let value = 0x811c9dc5
  for (let at = start; at < end; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193)
  return value ^ (value >>> 15)
}
