import type { Block } from '../../parse-event.ts'
import { type OfficeEvent, toHeading, toListItem, toParagraph } from '../office-block.ts'
import type { Box, Shape } from './slide-handler.ts'

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

/** Placeholders of a layout or master, whose boxes slides inherit. */
type Placeholders = readonly Shape[]

/**
 * Sorts the visible shapes of a slide into reading order and flattens groups: titles first, footers
 * last. Shapes without a known box keep the file order.
 */
export function sortShapes(shapes: readonly Shape[], inherited: readonly Placeholders[]): Shape[] {
  const visible = shapes.filter((shape) => !shape.isHidden && hasContent(shape))
  const titles = visible.filter(isTitle)
  const footers = visible.filter(isFooter)
  const others = visible.filter((shape) => !isTitle(shape) && !isFooter(shape))
  return [...titles, ...sortByBox(others, inherited), ...footers].flatMap((shape) => [
    shape,
    ...(shape.children.length === 0 ? [] : sortShapes(shape.children, inherited)),
  ])
}

/** True for a slide title. */
function isTitle({ placeholder }: Shape): boolean {
  return placeholder === 'title' || placeholder === 'ctrTitle'
}

/** True for footer, header and date placeholders. */
function isFooter({ placeholder }: Shape): boolean {
  return placeholder === 'ftr' || placeholder === 'dt' || placeholder === 'hdr'
}

function hasContent({ paragraphs, events, children }: Shape): boolean {
  return paragraphs.length > 0 || events.length > 0 || children.length > 0
}

function sortByBox(shapes: readonly Shape[], inherited: readonly Placeholders[]): Shape[] {
  const placed = shapes.flatMap((shape) => {
    const box = shape.box ?? findInheritedBox(shape, inherited)
    return box === null ? [] : [{ shape, box }]
  })
  if (placed.length < shapes.length) return [...shapes]
  return sortByReadingOrder(placed).map(({ shape }) => shape)
}

/** Finds the inherited box of a placeholder, by index or else by type. */
function findInheritedBox({ placeholder, index }: Shape, inherited: readonly Placeholders[]): Box | null {
  if (placeholder === null) return null
  for (const placeholders of inherited) {
    const byIndex = placeholders.find((other) => index !== null && other.index === index && other.box !== null)
    const found = byIndex ?? placeholders.find((other) => other.placeholder === placeholder && other.box !== null)
    if (found !== undefined) return found.box
  }
  return null
}

/** On a slide without a title, a first line up to this length is read as the title. */
const MAX_TITLE_CHARACTERS = 80
/** Placeholders whose paragraphs are list items. */
const LIST_PLACEHOLDERS = new Set(['body', 'obj'])

/** Yields the content of shapes given in reading order. */
export function* slideEvents(shapes: readonly Shape[]): Generator<OfficeEvent> {
  let needsTitle = !shapes.some((shape) => isTitle(shape) && shape.paragraphs.length > 0)
  for (const shape of shapes) {
    const { paragraphs, events } = shape
    if (isTitle(shape)) {
      const block = toHeading(paragraphs.map(({ text }) => text).join(' '), 1)
      if (block !== null) yield { block }
    }
    const rest = isTitle(shape) ? [] : [...paragraphs]
    const [first] = rest
    if (needsTitle && first !== undefined && looksLikeTitle(first.text)) {
      const block = toHeading(first.text, 1)
      if (block !== null) yield { block }
      rest.shift()
    }
    if (first !== undefined || events.length > 0) needsTitle = false
    for (const block of toParagraphBlocks(shape, rest)) yield { block }
    yield* events
  }
}

function toParagraphBlocks({ placeholder }: Shape, paragraphs: Shape['paragraphs']): Block[] {
  const isList = paragraphs.length > 1 && placeholder !== null && LIST_PLACEHOLDERS.has(placeholder)
  const blocks = paragraphs.map((paragraph) => {
    if (!isList && !paragraph.isNumbered && paragraph.level === 0) return toParagraph(paragraph.text)
    return toListItem(`${'  '.repeat(paragraph.level)}${paragraph.text}`)
  })
  return blocks.filter((block) => block !== null)
}

function looksLikeTitle(text: string): boolean {
  return text.length <= MAX_TITLE_CHARACTERS && /\p{L}/u.test(text) && !/[.;:,]$/.test(text)
}
