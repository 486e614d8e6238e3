import type { GrayPage } from './gray-page.ts'

/** Specks and dots are lower, in pixels. */
const MIN_HEIGHT = 3
/** Rules and dashes are wider, as a multiple of their height. */
const MAX_WIDTH = 8
/** Fewer say nothing of a page. */
const MIN_MARKS = 20

/**
 * The median height of the marks on a page, in pixels: that of a letter without ascender where there is text. A mark is ink that hangs together by the
 * sides of its pixels. `null` where there are few.
 */
export function measureLetters(page: GrayPage, isInk: (value: number) => boolean): number | null {
  const heights = listMarks(page, isInk)
    .map(({ left, right, top, bottom }) => ({ width: right - left, height: bottom - top }))
    .filter(({ width, height }) => height >= MIN_HEIGHT && width <= MAX_WIDTH * height)
    .map(({ height }) => height)
    .sort((a, b) => a - b)
  return heights.length < MIN_MARKS ? null : (heights[heights.length >> 1] ?? null)
}

/** The box of a mark, `right` and `bottom` being the first pixels beyond it; `part` where it turned out to be part of another. */
type Mark = { left: number; right: number; top: number; bottom: number; part: Mark | null }
/** Ink in one row, and the mark it is of. */
type Run = { from: number; to: number; mark: Mark }

/** Row by row: a run is of the marks that it touches above, which so become one. */
function listMarks({ data, width, height }: GrayPage, isInk: (value: number) => boolean): Mark[] {
  const marks: Mark[] = []
  let above: Run[] = []
  for (let y = 0; y < height; y += 1) {
    const row = data.subarray(y * width, (y + 1) * width)
    const runs: Run[] = []
    let next = 0
    for (let from = 0; from < width; from += 1) {
      if (!isInk(row[from] ?? 0)) continue
      let to = from + 1
      while (to < width && isInk(row[to] ?? 0)) to += 1
      const mark: Mark = { left: from, right: to, top: y, bottom: y + 1, part: null }
      marks.push(mark)
      runs.push({ from, to, mark })
      while ((above[next]?.to ?? Number.POSITIVE_INFINITY) <= from) next += 1
      for (const run of touching(above, next, to)) join(run.mark, mark)
      from = to
    }
    above = runs
  }
  return marks.filter(({ part }) => part === null)
}

function* touching(above: readonly Run[], first: number, to: number): Generator<Run> {
  for (let at = first; at < above.length; at += 1) {
    const run = above[at]
    if (run === undefined || run.from >= to) return
    yield run
  }
}

function join(one: Mark, other: Mark): void {
  const [whole, part] = [wholeOf(one), wholeOf(other)]
  if (whole === part) return
  part.part = whole
  whole.left = Math.min(whole.left, part.left)
  whole.right = Math.max(whole.right, part.right)
  whole.top = Math.min(whole.top, part.top)
  whole.bottom = Math.max(whole.bottom, part.bottom)
}

/** The way to the whole gets shorter each time it is gone. */
function wholeOf(mark: Mark): Mark {
  let whole = mark
  while (whole.part !== null) {
    whole.part = whole.part.part ?? whole.part
    whole = whole.part
  }
  return whole
}
