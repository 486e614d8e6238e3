/** What one part takes at most. */
export type PartBounds = { items: number; bytes: number }

/**
 * The items in their order in parts of at most this many, which are closed before they have more than this many bytes. An item
 * that has more by itself is a part of its own. No item is asked for before there is room for it but the first of the next part.
 */
export function* splitParts<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
  most: PartBounds,
): Generator<Item[], void, undefined> {
  let part: Item[] = []
  let bytes = 0
  for (const item of items) {
    const own = bytesOf(item)
    if (part.length === most.items || (part.length > 0 && bytes + own > most.bytes)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(item)
    bytes += own
  }
  if (part.length > 0) yield part
}
