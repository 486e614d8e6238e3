import type { GrayPage } from './gray-page.ts'

/** Specks and dots are lower, in pixels. */
const MIN_HEIGHT = 3
/** Rules and dashes are wider, as a multiple of their height. */
const MAX_WIDTH = 8
/** Fewer marks say nothing about a page. */
const MIN_MARKS = 20

/**
 * Median height of the marks on a page, in pixels: the x-height where there is text. A mark is a
 * 4-connected component of ink. `null` if there are few marks.
 */
export function measureLetters(page: GrayPage, isInk: (value: number) => boolean): number | null {
  return medianHeight(listMarks(page, isInk))
}

function medianHeight(marks: readonly Mark[]): number | null {
  const heights = marks
    .map(({ left, right, top, bottom }) => ({ width: right - left, height: bottom - top }))
    .filter(({ width, height }) => height >= MIN_HEIGHT && width <= MAX_WIDTH * height)
    .map(({ height }) => height)
    .sort((a, b) => a - b)
  return heights.length < MIN_MARKS ? null : (heights[heights.length >> 1] ?? null)
}

/** Heights of the marks that count as letters, as multiples of the median. */
const LETTER = { min: 0.6, max: 2.6 } as const
/** Space between letters of a word, in letter heights; lines are further apart. */
const LETTER_SPACE = 0.6

/** A full page of small print has 8,000; a screen of dots has more, and says nothing. */
export const MAX_MARKS = 20_000

/**
 * Counts letters with another letter close to the right, and close below. In upright text most
 * have one to the right, even in a single line. On its side, most have one below.
 */
export function countNeighbors(page: GrayPage, isInk: (value: number) => boolean): { right: number; below: number } {
  const marks = listMarks(page, isInk)
  const height = medianHeight(marks)
  if (height === null || marks.length > MAX_MARKS) return { right: 0, below: 0 }
  const letters = marks.filter(
    ({ left, right, top, bottom }) =>
      [right - left, bottom - top].every((size) => size <= LETTER.max * height) &&
      Math.max(right - left, bottom - top) >= LETTER.min * height,
  )
  const space = LETTER_SPACE * height
  const toSides = ({ left, right, top, bottom }: Mark) => ({ from: left, to: right, low: top, high: bottom })
  const toLevels = ({ left, right, top, bottom }: Mark) => ({ from: top, to: bottom, low: left, high: right })
  return { right: countFollowed(letters.map(toSides), space), below: countFollowed(letters.map(toLevels), space) }
}

type Extent = { from: number; to: number; low: number; high: number }

/** Counts extents that are followed by another one within `space`, beside them by half at least. */
function countFollowed(extents: readonly Extent[], space: number): number {
  const sorted = extents.toSorted((one, other) => one.from - other.from)
  return sorted.filter((one, at) => {
    for (let next = at + 1; next < sorted.length; next += 1) {
      const other = sorted[next]
      if (other === undefined || other.from > one.to + space) return false
      const shared = Math.min(one.high, other.high) - Math.max(one.low, other.low)
      const isBeside = shared * 2 >= Math.min(one.high - one.low, other.high - other.low)
      if (isBeside && other.from >= (one.from + one.to) / 2) return true
    }
    return false
  }).length
}

/**
 * Bounding box of a mark; `right` and `bottom` are exclusive. `part` is the mark that this one was
 * merged into.
 */
type Mark = { left: number; right: number; top: number; bottom: number; part: Mark | null }
/** A run of ink in one row, and its mark. */
type Run = { from: number; to: number; mark: Mark }

/** Connected components, row by row: a run joins all marks that it touches above. */
export function listMarks({ data, width, height }: GrayPage, isInk: (value: number) => boolean): Mark[] {
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

/** Finds the root, and shortens the path (union-find). */
function wholeOf(mark: Mark): Mark {
  let whole = mark
  while (whole.part !== null) {
    whole.part = whole.part.part ?? whole.part
    whole = whole.part
  }
  return whole
}

/** Enough samples to measure the noise of any page. */
const MAX_SAMPLES = 200_000

/**
 * Noise of a page in gray levels: the median distance of a pixel from the mean of its neighbours. 0
 * on clean paper, 1 to 3 on a good scan; about 0.6 times the standard deviation of the noise.
 */
export function measureNoise({ data }: GrayPage): number {
  const stride = Math.max(1, Math.floor(data.length / MAX_SAMPLES))
  // Twice the distance, to keep integers.
  const counts = new Uint32Array(511)
  let samples = 0
  for (let at = 1; at < data.length - 1; at += stride) {
    const distance = Math.abs(2 * (data[at] ?? 0) - (data[at - 1] ?? 0) - (data[at + 1] ?? 0))
    counts[distance] = (counts[distance] ?? 0) + 1
    samples += 1
  }
  let below = 0
  const median = counts.findIndex((count) => {
    below += count
    return below * 2 >= samples
  })
  return Math.max(0, median) / 2
}

/** Minimum difference of a speck from all its neighbours, in gray levels. */
const SPECK_CONTRAST = 80

/**
 * Share of single pixels that differ from all eight neighbours. 0 to 0.001 on pages of text; 0.02
 * where a copier left one pixel of fifty black or white.
 */
export function measureSpecks({ data, width, height }: GrayPage): number {
  const stride = Math.max(1, Math.floor(data.length / MAX_SAMPLES))
  const around = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1]
  let samples = 0
  let specks = 0
  for (let at = width + 1; at < width * (height - 1) - 1; at += stride) {
    const value = data[at] ?? 0
    const beside = around.map((step) => data[at + step] ?? 0)
    if (value < Math.min(...beside) - SPECK_CONTRAST || value > Math.max(...beside) + SPECK_CONTRAST) specks += 1
    samples += 1
  }
  return samples === 0 ? 0 : specks / samples
}
