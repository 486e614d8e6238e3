import type { Glyph } from '../glyph.ts'
import { addPlaced } from './add-placed.ts'
import { joinAccents } from './join-accents.ts'
import { joinJustified } from './join-justified.ts'
import { buildBlocks, type LaidBlock } from './laid-block.ts'
import { listCompounds } from './lines-to-text.ts'
import { mendLigatures } from './mend-ligatures.ts'
import { mendRightToLeft } from './mend-right-to-left.ts'
import { nameTexLetters } from './name-tex-letters.ts'
import { partCells } from './part-cells.ts'
import type { PlacedText } from './placed-text.ts'
import { orderRegions } from './regions.ts'
import { buildSpans, type Span } from './span.ts'
import { turnClimbing } from './turn-climbing.ts'

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
  return joinJustified(
    partCells(turnClimbing(buildSpans(mendRightToLeft(joinAccents(nameTexLetters(mendLigatures(glyphs))))))),
  )
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
