import type { Span } from './span.ts'

/** The spans of a page, turned by so many degrees, with those of the texts that stand beside its characters, each in its place in the order of the file. */
export function addPlaced(spans: readonly Span[], placed: readonly PlacedText[], angle: number): Span[] {
  const size = [...spans].sort((a, b) => a.size - b.size)[spans.length >> 1]?.size ?? 10
  const added = placed.flatMap((text) => placedSpans(dropShownLabel(turn(text, angle), spans), size))
  for (const span of added) span.order = orderBeside(spans, span)
  return [...spans, ...added].sort((a, b) => a.order - b.order).map((span, order) => ({ ...span, order }))
}

function turn(placed: PlacedText, angle: number): PlacedText {
  if (angle === 0) return placed
  const radians = (angle * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const corners = [placed.left, placed.right].flatMap((x) =>
    [placed.bottom, placed.top].map((y) => ({ x: x * cos + y * sin, y: y * cos - x * sin })),
  )
  const xs = corners.map(({ x }) => x)
  const ys = corners.map(({ y }) => y)
  return { ...placed, left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) }
}

function placedSpans({ text, left, right, bottom, top }: PlacedText, usual: number): Span[] {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  const size = Math.min(usual, Math.max(4, (top - bottom) / Math.max(1, lines.length)))
  // One line stands in the middle of its box, several begin at its top.
  const first = lines.length === 1 ? (top + bottom) / 2 - 0.3 * size : top - size
  return lines.map((line, index) => {
    const baseline = first - 1.2 * size * index
    const width = Math.min(right - left, 0.5 * size * line.length)
    return {
      text: line,
      left,
      right: left + width,
      baseline,
      bottom: baseline - 0.25 * size,
      top: baseline + 0.75 * size,
      size,
      isBold: false,
      order: 0,
      gaps: [],
      beginsCell: false,
      letters: { count: 0, least: 0, most: 0 },
    }
  })
}

/** Right after the text that stands left of it in the same line, else after the last line above it. */
function orderBeside(spans: readonly Span[], placed: Span): number {
  let order = -0.5
  for (const span of spans) {
    const isBefore =
      span.baseline > placed.baseline + 0.5 * placed.size ||
      (span.bottom < placed.top && span.top > placed.bottom && span.left < placed.left)
    if (isBefore) order = Math.max(order, span.order + 0.5)
  }
  return order
}

/** The words of a box stand so near to it at most, in font sizes. */
const NEAR_SIZES = 3
const BOX = /^(\[[ x]\]) (.+)$/

/** A check box without what it says of itself, where the page says so beside it: `[x] Winter berth` before `Winter berth`. */
function dropShownLabel(placed: PlacedText, spans: readonly Span[]): PlacedText {
  const [, box, label = ''] = BOX.exec(placed.text) ?? []
  const isBeside = ({ left, baseline, size }: Span) =>
    left > placed.left &&
    left - placed.right < NEAR_SIZES * size &&
    baseline > placed.bottom - size &&
    baseline < placed.top
  const isShown = (span: Span) => isBeside(span) && span.text.toLowerCase().startsWith(label.toLowerCase())
  return box !== undefined && spans.some(isShown) ? { ...placed, text: box } : placed
}

/** A text that stands on the page beside its own characters: the value of a form field, a text box. Points, y upwards, as on the page. */
export type PlacedText = { text: string; left: number; right: number; bottom: number; top: number }
