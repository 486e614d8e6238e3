import { inReadingOrder } from './reading-order.ts'
import { type Box, isFooter, isTitle, type Shape } from './shape.ts'

/** The boxes of a layout's or master's placeholders, which shapes of a slide take over. */
export type Placeholders = readonly Shape[]

/**
 * The shapes of a slide in reading order, groups resolved, hidden ones left out: the title first, footers last, the rest by
 * place; in the order of the file where a place is not known.
 */
export function placeShapes(shapes: readonly Shape[], inherited: readonly Placeholders[]): Shape[] {
  const visible = shapes.filter((shape) => !shape.isHidden && hasContent(shape))
  const titles = visible.filter(isTitle)
  const footers = visible.filter(isFooter)
  const others = visible.filter((shape) => !isTitle(shape) && !isFooter(shape))
  return [...titles, ...orderShapes(others, inherited), ...footers].flatMap((shape) => [
    shape,
    ...(shape.children.length === 0 ? [] : placeShapes(shape.children, inherited)),
  ])
}

function hasContent({ paragraphs, events, children }: Shape): boolean {
  return paragraphs.length > 0 || events.length > 0 || children.length > 0
}

function orderShapes(shapes: readonly Shape[], inherited: readonly Placeholders[]): Shape[] {
  const placed = shapes.flatMap((shape) => {
    const box = shape.box ?? findBox(shape, inherited)
    return box === null ? [] : [{ shape, box }]
  })
  if (placed.length < shapes.length) return [...shapes]
  return inReadingOrder(placed).map(({ shape }) => shape)
}

/** A placeholder takes the place of the one with its number, else of the one with its type. */
function findBox({ placeholder, index }: Shape, inherited: readonly Placeholders[]): Box | null {
  if (placeholder === null) return null
  for (const placeholders of inherited) {
    const byIndex = placeholders.find((other) => index !== null && other.index === index && other.box !== null)
    const found = byIndex ?? placeholders.find((other) => other.placeholder === placeholder && other.box !== null)
    if (found !== undefined) return found.box
  }
  return null
}
