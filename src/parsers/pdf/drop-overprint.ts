import type { Glyph } from './glyph.ts'

/** Side of a cell of the lookup by position, in font sizes. */
const CELL_SIZES = 0.5
/** Maximum offset of a copy, in font sizes: shadows and simulated bold. */
const MAX_OFFSET_SIZES = 0.2
/**
 * Along the line, a copy overlaps half of its letter. Two narrow letters side by side are further
 * apart than the minimum, in font sizes.
 */
const MAX_OFFSET_WIDTHS = 0.5
const MIN_OFFSET_SIZES = 0.12
/** Minimum gap between words, in font sizes. */
const MIN_WORD_GAP_SIZES = 0.15
/** Limit on letters compared at a place; hostile files put all letters there. */
const MAX_LETTERS_IN_CELL = 24

/**
 * Drops letters that another text object has drawn at the same place: shadows, simulated bold,
 * repeated lines. A letter drawn over a written space of an earlier object replaces the space:
 * `54 5` with a later point becomes `54.5`. Linear time.
 */
export function dropOverprint(glyphs: Glyph[]): Glyph[] {
  if (!mayOverlap(glyphs)) return glyphs
  const kept: Glyph[] = []
  const grid = createGrid(kept)
  let last: Glyph | undefined
  /** True when the last glyphs were dropped. PDFium measured the next gap from them. */
  let isAfterDropped = false
  for (const glyph of glyphs) {
    if (glyph.isGenerated) {
      kept.push(glyph)
      isAfterDropped = false
      last = undefined
      continue
    }
    const isSpace = glyph.text.trim() === ''
    if (grid.find(glyph, (other) => isSpace || other.text === glyph.text) !== -1) {
      isAfterDropped = true
      continue
    }
    const under = isSpace ? -1 : grid.find(glyph, ({ text }) => text === ' ')
    if (under !== -1 && isBehind(glyph, last)) {
      kept[under] = glyph
      continue
    }
    if (isAfterDropped && last !== undefined && isApart(last, glyph)) kept.push(createSpace(last))
    grid.add(glyph)
    kept.push(glyph)
    last = glyph
    isAfterDropped = false
  }
  return kept
}

/** Adjacent glyphs of one text object on one line. `last` is the left edge of the last glyph. */
type Run = Pick<Glyph, 'angle' | 'baseline' | 'size' | 'left'> & { object: number | undefined; last: number }

/** Comparisons for each run. Further runs may overlap. */
const MAX_COMPARISONS = 50

/**
 * False if no text object draws over another one, as on most pages. The comparison of runs is far
 * cheaper than that of letters.
 */
function mayOverlap(glyphs: readonly Glyph[]): boolean {
  const runs = listRuns(glyphs).sort((a, b) => b.baseline - a.baseline)
  let comparisons = MAX_COMPARISONS * runs.length
  return runs.some((one, index) => {
    for (let next = index + 1; next < runs.length; next++) {
      const other = runs[next]
      if (other === undefined || one.baseline - other.baseline > MAX_OFFSET_SIZES * one.size) return false
      const offset = MAX_OFFSET_SIZES * Math.max(one.size, other.size)
      const isBeside = other.left > one.last + offset || one.left > other.last + offset
      comparisons -= 1
      if (comparisons < 0 || (!isBeside && one.object !== other.object && one.angle === other.angle)) return true
    }
    return false
  })
}

function listRuns(glyphs: readonly Glyph[]): Run[] {
  const runs: Run[] = []
  let run: Run | undefined
  for (const { object, angle, baseline, size, left, isGenerated } of glyphs) {
    if (isGenerated) continue
    if (run === undefined || run.object !== object || run.baseline !== baseline || left < run.last) {
      run = { object, angle, baseline, size, left, last: left }
      runs.push(run)
    } else run.last = left
  }
  return runs
}

/** Lookup of kept glyphs by position. */
function createGrid(kept: readonly Glyph[]) {
  const cells = new Map<number, number[]>()
  /** The rightmost left edge of each row: most glyphs are beyond, so they have no copy. */
  const edges = new Map<number, number>()

  function keyOf({ size, angle }: Glyph, column: number, row: number): number {
    return ((column & 0xffff) * 0x10000 + (row & 0xffff)) * 64 + ((Math.round(size) + angle) & 63)
  }

  return {
    /** Adds the glyph that is kept next. */
    add(glyph: Glyph): void {
      const side = CELL_SIZES * glyph.size
      const row = Math.floor(glyph.baseline / side)
      const edge = keyOf(glyph, 0, row)
      edges.set(edge, Math.max(edges.get(edge) ?? glyph.left, glyph.left))
      const key = keyOf(glyph, Math.floor(glyph.left / side), row)
      const cell = cells.get(key)
      if (cell === undefined) cells.set(key, [kept.length])
      else if (cell.length < MAX_LETTERS_IN_CELL) cell.push(kept.length)
    },
    /** Index of a matching glyph of another object at the place of `glyph`; -1 for none. */
    find(glyph: Glyph, matches: (other: Glyph) => boolean): number {
      const side = CELL_SIZES * glyph.size
      // Only the nearest cell on each axis is within reach.
      const [column, row] = [Math.round(glyph.left / side), Math.round(glyph.baseline / side)]
      const reach = glyph.left - MAX_OFFSET_SIZES * glyph.size
      const isBeyond = (at: number) => reach > (edges.get(keyOf(glyph, 0, at)) ?? Number.NEGATIVE_INFINITY)
      if (isBeyond(row) && isBeyond(row - 1)) return -1
      for (const [x, y] of NEAREST_CELLS) {
        for (const index of cells.get(keyOf(glyph, column + x, row + y)) ?? []) {
          const other = kept[index]
          if (other !== undefined && isCopy(other, glyph) && matches(other)) return index
        }
      }
      return -1
    },
  }
}

const NEAREST_CELLS = [
  [-1, -1],
  [-1, 0],
  [0, -1],
  [0, 0],
] as const

function isCopy(one: Glyph, other: Glyph): boolean {
  const { size } = one
  if (one.object === other.object || one.angle !== other.angle || Math.abs(size - other.size) > 0.1 * size) return false
  const maxAlong = Math.max(MIN_OFFSET_SIZES * size, MAX_OFFSET_WIDTHS * (one.right - one.left))
  return (
    Math.abs(one.baseline - other.baseline) <= MAX_OFFSET_SIZES * size &&
    Math.abs(one.left - other.left) <= Math.min(MAX_OFFSET_SIZES * size, maxAlong)
  )
}

function isBehind(glyph: Glyph, last: Glyph | undefined): boolean {
  return last !== undefined && glyph.left < last.left
}

function isApart(last: Glyph, glyph: Glyph): boolean {
  return glyph.angle === last.angle && glyph.left - last.right > MIN_WORD_GAP_SIZES * glyph.size
}

function createSpace(last: Glyph): Glyph {
  return { ...last, text: ' ', left: last.right, isGenerated: true }
}
