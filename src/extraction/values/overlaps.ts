/** Where something stands in a text. */
type Place = { start: number; end: number }

/** Makes what tells whether a place shares a character with one of these. It looks at few of them: a text may be nothing but amounts. */
export function createOverlaps(places: readonly Place[]): (place: Place) => boolean {
  const rising = places.toSorted((a, b) => a.start - b.start)
  const starts = rising.map(({ start }) => start)
  let furthest = Number.NEGATIVE_INFINITY
  /** Where the last ends of those that begin here or earlier. */
  const ends = rising.map(({ end }) => {
    furthest = Math.max(furthest, end)
    return furthest
  })

  return ({ start, end }) => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? end) < end) low = middle + 1
      else high = middle
    }
    return (ends[low - 1] ?? Number.NEGATIVE_INFINITY) > start
  }
}
