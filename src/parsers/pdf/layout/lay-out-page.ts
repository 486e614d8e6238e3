import type { Glyph } from '../glyph.ts'
import { fixRtlOrder } from './fix-rtl-order.ts'
import { joinJustified } from './join-justified.ts'
import { joinLetterspaced } from './join-letterspaced.ts'
import { buildBlocks, buildCellBlocks, buildTableBlocks, type LayoutBlock, type PageFacts } from './layout-blocks.ts'
import { listHyphenatedWords } from './lines-to-text.ts'
import { listRows, orderRegions } from './regions.ts'
import { decodeTexLigatures, joinAccents, repairShiftedLigatures } from './repair-letters.ts'
import { mirrorRules, type Rule, rotateRules } from './rule.ts'
import { listRuledTables, type RuledTable } from './ruled-tables.ts'
import { buildSpans, MAX_LEADING_SIZES, type Span, UNSPACED } from './span.ts'
import { splitCells } from './split-cells.ts'

/** A page with more spans is not readable text. File order is kept to limit the time. */
const MAX_SPANS = 60_000

/**
 * Lays out a page as blocks in reading order: positions of the glyphs determine columns, rows and
 * paragraphs, drawn lines determine ruled tables. Lines with a minority rotation come last.
 */
export function layOutPage({ glyphs, placed, rules }: PageDrawing): LayoutBlock[] {
  const groups = groupByAngle(glyphs)
  const [main = { angle: 0, glyphs: [] }, ...turned] = groups
  const spans = addPlacedTexts(listSpans(main.glyphs), placed, main.angle)
  return [
    ...layOutSpans(spans, rotateRules(rules, main.angle)),
    ...turned.flatMap((group) => layOutSpans(listSpans(group.glyphs), rotateRules(rules, group.angle))),
  ]
}

/** What a page shows. `placed`: text apart from the glyphs; `rules`: drawn lines. */
export type PageDrawing = { glyphs: readonly Glyph[]; placed: readonly PlacedText[]; rules: readonly Rule[] }

function listSpans(glyphs: readonly Glyph[]): Span[] {
  return joinJustified(
    splitCells(
      reverseBottomUpLines(
        buildSpans(fixRtlOrder(joinLetterspaced(joinAccents(decodeTexLigatures(repairShiftedLigatures(glyphs)))))),
      ),
    ),
  )
}

function layOutSpans(spans: readonly Span[], rules: readonly Rule[]): LayoutBlock[] {
  const hyphenated = listHyphenatedWords(spans.map((span) => span.text))
  if (spans.length > MAX_SPANS || isVertical(spans)) return [toSingleBlock(spans)]
  // Mirroring turns a right-to-left page into a left-to-right page.
  const isRtl = isRtlPage(spans)
  const read = isRtl ? spans.map(mirrorSpan) : spans
  const facts = { hyphenated, rules: isRtl ? mirrorRules(rules) : rules }
  const tables = listRuledTables(read, facts.rules)
  if (tables.length > 0) return layOutTables(read, tables, facts)
  return orderRegions(read).flatMap((region) => buildBlocks(region, facts))
}

/**
 * Orders text and ruled tables. A line as wide as the table represents each of its lines, so that
 * its columns do not count as columns of the page.
 */
function layOutTables(spans: readonly Span[], tables: readonly RuledTable[], facts: PageFacts): LayoutBlock[] {
  const inside = new Set(tables.flatMap((table) => [...table.spans]))
  const lines = new Map(tables.flatMap((table) => listTableLines(table).map((line) => [line, table] as const)))
  const waiting = new Set(tables)
  return orderRegions([...spans.filter((span) => !inside.has(span)), ...lines.keys()]).flatMap((region) => {
    const blocks: LayoutBlock[] = []
    let text = region.filter((span) => !lines.has(span))
    for (const table of tables) {
      if (!waiting.has(table) || !region.some((span) => lines.get(span) === table)) continue
      waiting.delete(table)
      const above = text.filter(({ baseline }) => baseline >= table.top)
      text = text.filter(({ baseline }) => baseline < table.top)
      blocks.push(...buildBlocks(above, facts), ...ruledBlocks(table, facts))
    }
    return [...blocks, ...buildBlocks(text, facts)]
  })
}

function listTableLines({ spans, left, right }: RuledTable): Span[] {
  return listRows([...spans]).map((row) => {
    const order = row.reduce((min, span) => Math.min(min, span.order), Number.POSITIVE_INFINITY)
    return { ...(row[0] as Span), text: row.map(({ text }) => text).join(' '), gaps: [], left, right, order }
  })
}

function ruledBlocks({ titles, aligned }: RuledTable, { hyphenated }: PageFacts): LayoutBlock[] {
  return [...titles.flatMap((title) => buildCellBlocks(title, hyphenated)), ...buildTableBlocks(aligned, hyphenated)]
}

function mirrorSpan(span: Span): Span {
  const gaps = span.gaps.map((gap) => ({ ...gap, left: -gap.right, right: -gap.left }))
  return { ...span, left: -span.right, right: -span.left, gaps }
}

function toSingleBlock(spans: readonly Span[]): LayoutBlock {
  const text = spans.map((span) => span.text).join(isVertical(spans) ? '' : ' ')
  return { kind: 'paragraph', text, size: spans[0]?.size ?? 1, isBold: false, lines: spans.length }
}

/**
 * Groups glyphs by rotation, the most frequent first. Generated spaces and line ends stay with the
 * preceding glyph.
 */
function groupByAngle(glyphs: readonly Glyph[]): { angle: number; glyphs: Glyph[] }[] {
  const groups = new Map<number, Glyph[]>()
  let angle = glyphs.find((glyph) => !glyph.isGenerated)?.angle ?? 0
  let group: Glyph[] | undefined
  for (const glyph of glyphs) {
    if (!glyph.isGenerated && glyph.angle !== angle) {
      angle = glyph.angle
      group = undefined
    }
    group ??= groups.get(angle) ?? []
    if (group.length === 0) groups.set(angle, group)
    group.push(glyph)
  }
  return [...groups]
    .map(([angle, members]) => ({ angle, glyphs: members }))
    .sort((a, b) => b.glyphs.length - a.glyphs.length)
}

function isRtlPage(spans: readonly Span[]): boolean {
  let characters = 0
  let rightToLeft = 0
  for (const { text } of spans) {
    characters += text.length
    rightToLeft += text.match(/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g)?.length ?? 0
  }
  return rightToLeft > 0.4 * characters
}

/**
 * Detects vertical Chinese or Japanese: most spans are a single character below the previous span.
 */
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

/** Tolerances for the size and left edge of a paragraph's lines, in font sizes. */
const SIZE_TOLERANCE = 0.1
const MAX_INDENT_SIZES = 5
/**
 * Minimum length of all lines but the last; formulas and table cells are shorter. A Chinese or
 * Japanese letter is as wide as two others.
 */
const MIN_LINE_CHARACTERS = 20

/**
 * Restores the order of lines that PDFium returns bottom up. On pages in landscape rotation, PDFium
 * reverses the lines of a paragraph.
 */
function reverseBottomUpLines(spans: readonly Span[]): Span[] {
  const turned: Span[] = []
  let run: Span[] = []
  const close = () => {
    for (const span of run.reverse()) turned.push({ ...span, order: turned.length })
    run = []
  }
  for (const span of spans) {
    const last = run.at(-1)
    if (last !== undefined && !isLineAbove(span, last)) close()
    run.push(span)
  }
  close()
  return turned
}

/** True when `span` is the line directly above `below`. */
function isLineAbove(span: Span, below: Span): boolean {
  const leading = span.baseline - below.baseline
  const length = UNSPACED.test(span.text) ? 2 * span.text.length : span.text.length
  if (length < MIN_LINE_CHARACTERS) return false
  const isSame = Math.abs(span.size - below.size) <= SIZE_TOLERANCE * below.size
  const isNear = leading > 0.8 * below.size && leading <= MAX_LEADING_SIZES * below.size
  return isSame && isNear && Math.abs(span.left - below.left) <= MAX_INDENT_SIZES * below.size
}

/**
 * Adds form values and text boxes to the spans of a page rotated by `angle`, at their place in file
 * order.
 */
function addPlacedTexts(spans: readonly Span[], placed: readonly PlacedText[], angle: number): Span[] {
  const size = [...spans].sort((a, b) => a.size - b.size)[spans.length >> 1]?.size ?? 10
  const added = placed.flatMap((text) => textToSpans(dropDuplicateLabel(rotate(text, angle), spans), size))
  for (const span of added) span.order = findFileOrder(spans, span)
  return [...spans, ...added].sort((a, b) => a.order - b.order).map((span, order) => ({ ...span, order }))
}

function rotate(placed: PlacedText, angle: number): PlacedText {
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

function textToSpans({ text, left, right, bottom, top }: PlacedText, usual: number): Span[] {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  const size = Math.min(usual, Math.max(4, (top - bottom) / Math.max(1, lines.length)))
  // A single line is centered in its box; several lines start at the top.
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
      startsCell: false,
      letters: { count: 0, min: 0, max: 0 },
    }
  })
}

/** Position after the text to the left on the same line, or else after the last line above. */
function findFileOrder(spans: readonly Span[], placed: Span): number {
  let order = -0.5
  for (const span of spans) {
    const isBefore =
      span.baseline > placed.baseline + 0.5 * placed.size ||
      (span.bottom < placed.top && span.top > placed.bottom && span.left < placed.left)
    if (isBefore) order = Math.max(order, span.order + 0.5)
  }
  return order
}

/** Maximum distance from a check box to its label, in font sizes. */
const MAX_LABEL_DISTANCE_SIZES = 3
const CHECK_BOX = /^(\[[ x]\]) (.+)$/

/**
 * Drops the label of a check box if the page displays the label too: `[x] Winter berth` before
 * `Winter berth`.
 */
function dropDuplicateLabel(placed: PlacedText, spans: readonly Span[]): PlacedText {
  const [, box, label = ''] = CHECK_BOX.exec(placed.text) ?? []
  const isBeside = ({ left, baseline, size }: Span) =>
    left > placed.left &&
    left - placed.right < MAX_LABEL_DISTANCE_SIZES * size &&
    baseline > placed.bottom - size &&
    baseline < placed.top
  const isShown = (span: Span) => isBeside(span) && span.text.toLowerCase().startsWith(label.toLowerCase())
  return box !== undefined && spans.some(isShown) ? { ...placed, text: box } : placed
}

/**
 * Text placed on the page apart from its glyphs: the value of a form field, or a text box. Points,
 * y upwards.
 */
export type PlacedText = { text: string; left: number; right: number; bottom: number; top: number }
