import type { Glyph } from '../page-glyphs.ts'
import { dropShownLabel } from './drop-shown-label.ts'
import { joinAccents } from './join-accents.ts'
import { joinJustified } from './join-justified.ts'
import { buildBlocks, type LaidBlock } from './laid-block.ts'
import { listCompounds } from './lines-to-text.ts'
import { mendRightToLeft } from './mend-right-to-left.ts'
import { nameTexLetters } from './name-tex-letters.ts'
import { partCells } from './part-cells.ts'
import { orderRegions } from './regions.ts'
import { buildSpans, type Span } from './span.ts'
import { turnClimbing } from './turn-climbing.ts'

/** A text that stands on the page beside its own characters: the value of a form field, a text box. Points, y upwards, as on the page. */
export type PlacedText = { text: string; left: number; right: number; bottom: number; top: number }

/** More spans than this are no page that a person reads: the order of the file is kept, and time stays short. */
const MAX_SPANS = 60_000

/**
 * The blocks of a page in reading order: columns, rows and paragraphs are found by where the characters stand. Lines that are turned otherwise than
 * most come last.
 */
export function layOutPage(glyphs: readonly Glyph[], placed: readonly PlacedText[]): LaidBlock[] {
  const groups = groupByAngle(glyphs)
  const [main = { angle: 0, glyphs: [] }, ...turned] = groups
  const spans = addPlaced(listSpans(main.glyphs), placed, main.angle)
  return [spans, ...turned.map((group) => listSpans(group.glyphs))].flatMap(layOut)
}

function listSpans(glyphs: readonly Glyph[]): Span[] {
  return joinJustified(partCells(turnClimbing(buildSpans(mendRightToLeft(joinAccents(nameTexLetters(glyphs)))))))
}

function layOut(spans: readonly Span[]): LaidBlock[] {
  const compounds = listCompounds(spans.map((span) => span.text))
  if (spans.length > MAX_SPANS || isVertical(spans)) return [unordered(spans)]
  // Seen in a mirror, a page that is read from right to left is one that is read from left to right.
  const read = isRightToLeft(spans) ? spans.map(mirror) : spans
  return orderRegions(read).flatMap((region) => buildBlocks(region, compounds))
}

function mirror(span: Span): Span {
  const gaps = span.gaps.map((gap) => ({ ...gap, left: -gap.right, right: -gap.left }))
  return { ...span, left: -span.right, right: -span.left, gaps }
}

function unordered(spans: readonly Span[]): LaidBlock {
  const text = spans.map((span) => span.text).join(isVertical(spans) ? '' : ' ')
  return { kind: 'paragraph', text, size: spans[0]?.size ?? 1, isBold: false, lines: spans.length }
}

/** Glyphs by the angle of their lines, the most frequent first. Spaces and line ends that PDFium made up stay with the glyph before. */
function groupByAngle(glyphs: readonly Glyph[]): { angle: number; glyphs: Glyph[] }[] {
  const groups = new Map<number, Glyph[]>()
  let angle = glyphs.find((glyph) => !glyph.isGenerated)?.angle ?? 0
  for (const glyph of glyphs) {
    if (!glyph.isGenerated) angle = glyph.angle
    const group = groups.get(angle)
    if (group === undefined) groups.set(angle, [glyph])
    else group.push(glyph)
  }
  return [...groups]
    .map(([angle, members]) => ({ angle, glyphs: members }))
    .sort((a, b) => b.glyphs.length - a.glyphs.length)
}

function isRightToLeft(spans: readonly Span[]): boolean {
  let characters = 0
  let rightToLeft = 0
  for (const { text } of spans) {
    characters += text.length
    rightToLeft += text.match(/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g)?.length ?? 0
  }
  return rightToLeft > 0.4 * characters
}

/** Chinese or Japanese from top to bottom: most spans are one character, each under the one before. */
function isVertical(spans: readonly Span[]): boolean {
  if (spans.length < 10) return false
  const down = spans.filter((span, index) => {
    const above = spans[index - 1]
    return (
      above !== undefined &&
      span.text.length <= 2 &&
      Math.abs(above.left - span.left) < 0.5 * span.size &&
      above.baseline > span.baseline
    )
  })
  return (
    down.length > 0.6 * spans.length && /[\u3040-\u30ff\u3400-\u9fff]/.test(spans.map((span) => span.text).join(''))
  )
}

function addPlaced(spans: Span[], placed: readonly PlacedText[], angle: number): Span[] {
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
