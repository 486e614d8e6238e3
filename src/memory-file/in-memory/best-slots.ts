/** The slots with the highest scores. Of equal scores, the lower slots are first. */
export type BestSlots = {
  /**
   * Offers a slot; slots must ascend. Returns the score that a later slot must exceed to be kept.
   */
  offer(slot: number, score: number): number
  /** Best first. Call it last. */
  list(): FoundSlots
}

/** Slots with their scores, best first. */
export type FoundSlots = { slots: Uint32Array; scores: Float64Array }

/** Keeps at most `limit` slots, in a binary heap with the worst slot on top. */
export function createBestSlots(limit: number): BestSlots {
  const slots = new Uint32Array(limit)
  const scores = new Float64Array(limit)
  let count = 0
  let least = Number.NEGATIVE_INFINITY

  const isWorse = (one: number, other: number) => {
    const difference = (scores[one] ?? 0) - (scores[other] ?? 0)
    return difference < 0 || (difference === 0 && (slots[one] ?? 0) > (slots[other] ?? 0))
  }

  function swap(one: number, other: number): void {
    const [slot = 0, score = 0] = [slots[one], scores[one]]
    slots[one] = slots[other] ?? 0
    scores[one] = scores[other] ?? 0
    slots[other] = slot
    scores[other] = score
  }

  function sink(): void {
    for (let place = 0; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      let worst = left < count && isWorse(left, place) ? left : place
      if (right < count && isWorse(right, worst)) worst = right
      if (worst === place) return
      swap(place, worst)
      place = worst
    }
  }

  function rise(): void {
    for (let place = count - 1; place > 0; ) {
      const parent = (place - 1) >> 1
      if (!isWorse(place, parent)) return
      swap(place, parent)
      place = parent
    }
  }

  return {
    offer(slot, score) {
      if (score <= least || limit === 0) return least
      const isFull = count === limit
      const place = isFull ? 0 : count
      slots[place] = slot
      scores[place] = score
      if (isFull) sink()
      else {
        count += 1
        rise()
      }
      if (count === limit) least = scores[0] ?? 0
      return least
    },
    list() {
      const found = { slots: new Uint32Array(count), scores: new Float64Array(count) }
      while (count > 0) {
        count -= 1
        found.slots[count] = slots[0] ?? 0
        found.scores[count] = scores[0] ?? 0
        swap(0, count)
        sink()
      }
      return found
    },
  }
}
