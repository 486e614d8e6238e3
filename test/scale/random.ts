/** Seeded random numbers. */
export type Random = {
  /** A whole number from 0 to under `limit`. */
  below(limit: number): number
  /** A whole number from `least` to under `limit`. */
  between(least: number, limit: number): number
  chance(probability: number): boolean
  /** A random item; `undefined` for an empty list. */
  pick<Item>(items: readonly Item[]): Item | undefined
  /** A separate stream, so the calls of one user do not shift another user's numbers. */
  fork(): Random
}

/** Mulberry32 (public domain, Tommy Ettinger): 32 bits of state are enough to choose actions by. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    between: (least, limit) => least + below(limit - least),
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)],
    fork: () => createRandom(below(2 ** 32)),
  }
}
