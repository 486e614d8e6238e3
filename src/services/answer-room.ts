import { LISTED_BYTES } from '../limits.ts'

/** Counts what an answer lists, as it is sent. */
export type AnswerRoom = {
  /** Counts the item and says whether it belongs into the answer; the first always does, so that no list stands still. */
  fits(item: unknown): boolean
}

/** The first items that have room in one answer together; at least one. */
export function takeFitting<Item>(items: Iterable<Item>): Item[] {
  const room = createAnswerRoom()
  const taken: Item[] = []
  for (const item of items) {
    if (!room.fits(item)) break
    taken.push(item)
  }
  return taken
}

/** Room for the items of one answer: {@link LISTED_BYTES}. */
export function createAnswerRoom(): AnswerRoom {
  let bytes = 0
  return {
    fits(item) {
      const isFirst = bytes === 0
      bytes += Buffer.byteLength(JSON.stringify(item)) + 1
      return isFirst || bytes <= LISTED_BYTES
    },
  }
}
