import type { GrayPage } from './gray-page.ts'
import { listMarks, MAX_MARKS } from './measure-letters.ts'

/**
 * A part of a line of text between two wide gaps, in pixels. `right` and `bottom` are exclusive.
 * `letters` counts the marks of a letter's height.
 */
export type Segment = { left: number; right: number; top: number; bottom: number; letters: number }

/** Sizes of marks in letter heights: a full stop, a capital of a title, joined letters. */
const MARK = { min: 0.2, high: 5, wide: 10 } as const
/** A mark of this height is a letter and no dot or dash, in letter heights. */
const LETTER = 0.6
/** Spaces between words are narrower, also in justified lines. In letter heights. */
const MAX_SPACE = 1.6
/** Marks of a line overlap vertically by this share of the lower one. */
const MIN_OVERLAP = 0.4
/** Last marks of a line to compare with the next one; earlier ones are too high on skewed pages. */
const RECENT = 4

type Mark = Omit<Segment, 'letters'>
type OpenSegment = { box: Mark; recent: Mark[]; letters: number }

/** Finds the segments of a page from left to right; none if it has far too many marks. */
export function listSegments(page: GrayPage, threshold: number, letterHeight: number): Segment[] {
  const marks = listMarks(page, (value) => value < threshold)
    .filter((mark) => isPrint(mark, letterHeight))
    .sort((one, other) => one.left - other.left)
  if (marks.length > MAX_MARKS) return []
  const done: OpenSegment[] = []
  let open: OpenSegment[] = []
  for (const mark of marks) {
    const reach = mark.left - MAX_SPACE * letterHeight
    done.push(...open.filter(({ box }) => box.right < reach))
    open = open.filter(({ box }) => box.right >= reach)
    const isLetter = mark.bottom - mark.top >= LETTER * letterHeight
    const segment = findSegment(open, mark)
    if (segment === null) open.push({ box: mark, recent: [mark], letters: Number(isLetter) })
    else extend(segment, mark, isLetter)
  }
  return [...done, ...open].filter(({ letters }) => letters > 0).map(({ box, letters }) => ({ ...box, letters }))
}

function isPrint({ left, right, top, bottom }: Mark, letterHeight: number): boolean {
  const [width, height] = [right - left, bottom - top]
  const isSpeck = Math.max(width, height) < MARK.min * letterHeight
  return !isSpeck && height <= MARK.high * letterHeight && width <= MARK.wide * letterHeight
}

/** The nearest open segment on the same line, or `null`. */
function findSegment(open: readonly OpenSegment[], mark: Mark): OpenSegment | null {
  let nearest: OpenSegment | null = null
  for (const segment of open)
    if (segment.box.right > (nearest?.box.right ?? 0) && segment.recent.some((one) => sharesLine(one, mark)))
      nearest = segment
  return nearest
}

function sharesLine(one: Mark, other: Mark): boolean {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return shared >= MIN_OVERLAP * Math.min(one.bottom - one.top, other.bottom - other.top)
}

function extend(segment: OpenSegment, mark: Mark, isLetter: boolean): void {
  const { box } = segment
  segment.recent = [...segment.recent.slice(1 - RECENT), mark]
  segment.letters += Number(isLetter)
  segment.box = {
    left: box.left,
    right: Math.max(box.right, mark.right),
    top: Math.min(box.top, mark.top),
    bottom: Math.max(box.bottom, mark.bottom),
  }
}
