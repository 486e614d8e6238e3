/** Position of a shape on its slide, in English Metric Units. */
export type Box = { x: number; y: number; width: number; height: number }

/** A slide with more shapes is a drawing; its texts are sorted top to bottom. */
const MAX_CUT_SHAPES = 300
/** A shape that covers this share of the content in both directions is a background. */
const BACKGROUND_SHARE = 0.9

/**
 * Sorts items into reading order by recursive XY-cut (Nagy and Seth 1984). Each cut is at the
 * widest empty band; bands run from the top, columns from the left. Backgrounds come first.
 */
export function sortByReadingOrder<T extends { box: Box }>(items: readonly T[]): T[] {
  if (items.length > MAX_CUT_SHAPES) return sortByPosition(items)
  const whole = measureExtent(items)
  const isBackground = ({ box }: T) =>
    box.width > whole.width * BACKGROUND_SHARE && box.height > whole.height * BACKGROUND_SHARE
  const backgrounds = items.length > 1 ? items.filter(isBackground) : []
  const others = items.filter((item) => !backgrounds.includes(item))
  return [...backgrounds, ...cutRecursively(others)]
}

function cutRecursively<T extends { box: Box }>(items: readonly T[]): T[] {
  if (items.length < 2) return [...items]
  const down = findWidestGap(items.map((item) => ({ item, from: item.box.y, to: item.box.y + item.box.height })))
  const across = findWidestGap(items.map((item) => ({ item, from: item.box.x, to: item.box.x + item.box.width })))
  const best = across.gap > down.gap ? across : down
  if (best.gap < 0) return sortByPosition(items)
  return [...cutRecursively(best.before), ...cutRecursively(best.after)]
}

type Interval<T> = { item: T; from: number; to: number }

/**
 * Finds the widest empty band. Adjacent shapes have a band of width 0; `gap` is -1 without a band.
 */
function findWidestGap<T>(spans: Interval<T>[]): { gap: number; before: T[]; after: T[] } {
  const inOrder = spans.sort((a, b) => a.from - b.from)
  let reach = inOrder[0]?.to ?? 0
  let at = 0
  let gap = -1
  for (const [index, { from, to }] of inOrder.entries()) {
    if (index > 0 && from - reach > gap) {
      gap = from - reach
      at = index
    }
    reach = Math.max(reach, to)
  }
  const items = inOrder.map(({ item }) => item)
  return { gap, before: items.slice(0, at), after: items.slice(at) }
}

function sortByPosition<T extends { box: Box }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
}

function measureExtent(items: readonly { box: Box }[]): { width: number; height: number } {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { box } of items) {
    left = Math.min(left, box.x)
    top = Math.min(top, box.y)
    right = Math.max(right, box.x + box.width)
    bottom = Math.max(bottom, box.y + box.height)
  }
  return { width: right - left, height: bottom - top }
}
