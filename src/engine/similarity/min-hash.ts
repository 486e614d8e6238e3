/**
 * MinHash (Broder 1997): the share of equal positions in two signatures estimates the Jaccard
 * similarity of their shingles. With 128 positions the standard error at 0.9 is 0.027.
 */
export type MinHash = {
  /** Adds one shingle by its 32-bit hash. */
  add(hash: number): void
  /** Returns the current signature, {@link PERMUTATIONS} unsigned integers. */
  signature(): Uint32Array
}

/** Number of values in a signature: an estimate of 0.9 has a standard deviation of 0.03. */
const PERMUTATIONS = 128
/**
 * 16 bands of 8. Documents of similarity 0.9 share a band with probability 1 - (1 - 0.9^8)^16 =
 * 0.9999, of 0.5 with 0.06. Source: Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, 3.4.
 */
const BANDS = 16
const ROWS = PERMUTATIONS / BANDS
/** Golden ratio in 32 bits, the usual increment of such sequences. */
const STEP = 0x9e3779b9

/**
 * Each permutation of 32-bit numbers is an exclusive or, a multiplication with an odd number, and
 * bit mixing.
 */
const SALTS = Int32Array.from({ length: PERMUTATIONS }, (_, index) => mix(Math.imul(index + 1, STEP)))
const FACTORS = Int32Array.from(
  { length: PERMUTATIONS },
  (_, index) => mix(Math.imul(index + 1, STEP) ^ 0x5bd1e995) | 1,
)
/** Number of buffered shingles, few enough for the first-level cache. */
const HELD_HASHES = 256

/** Creates an empty MinHash. */
export function createMinHash(): MinHash {
  const minima = new Uint32Array(PERMUTATIONS).fill(0xffffffff)
  const held = new Int32Array(HELD_HASHES)
  let count = 0

  function permuteHeld(): void {
    const hashes = held.subarray(0, count)
    for (let index = 0; index < PERMUTATIONS; index += 2) lowerPair(minima, index, hashes)
    count = 0
  }

  return {
    add(hash) {
      held[count] = hash
      count += 1
      if (count === HELD_HASHES) permuteHeld()
    },
    signature() {
      permuteHeld()
      return minima.slice()
    },
  }
}

/**
 * Applies two permutations to all buffered hashes, in half of the time of applying all permutations
 * to each hash.
 */
function lowerPair(minima: Uint32Array, index: number, hashes: Int32Array): void {
  const salt = SALTS[index] ?? 0
  const factor = FACTORS[index] ?? 1
  const otherSalt = SALTS[index + 1] ?? 0
  const otherFactor = FACTORS[index + 1] ?? 1
  let least = minima[index] ?? 0
  let otherLeast = minima[index + 1] ?? 0
  for (let at = 0; at < hashes.length; at++) {
    const hash = hashes[at] ?? 0
    const value = Math.imul(hash ^ salt, factor)
    const otherValue = Math.imul(hash ^ otherSalt, otherFactor)
    const permuted = Math.imul(value ^ (value >>> 15), STEP) >>> 0
    const otherPermuted = Math.imul(otherValue ^ (otherValue >>> 15), STEP) >>> 0
    if (permuted < least) least = permuted
    if (otherPermuted < otherLeast) otherLeast = otherPermuted
  }
  minima[index] = least
  minima[index + 1] = otherLeast
}

/**
 * Returns the labels of a signature's bands, twelve hex digits each. Documents with a common label
 * are candidates for comparison. Deterministic.
 */
export function bandsOf(signature: Uint32Array): string[] {
  return Array.from({ length: BANDS }, (_, band) => {
    let low = mix(band + 1)
    let high = mix(band + 1 + BANDS)
    for (const value of signature.subarray(band * ROWS, (band + 1) * ROWS)) {
      low = mix(low ^ value)
      high = mix(Math.imul(high, 31) ^ value)
    }
    return `${hex(low)}${hex(high).slice(0, 4)}`
  })
}

/** Share of equal positions, 0 to 1; 0 for signatures of different lengths. */
export function shareOfEqual(one: Uint32Array, other: Uint32Array): number {
  if (one.length !== other.length || one.length === 0) return 0
  let equal = 0
  one.forEach((value, index) => {
    if (value === other[index]) equal++
  })
  return equal / one.length
}

/** Mixes all bits (finalizer of MurmurHash3). */
export function mix(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
