import type { OfficeEvent } from '../office-event.ts'

/** Where a shape lies on its slide, in English Metric Units. */
export type Box = { x: number; y: number; width: number; height: number }

/** A paragraph of a shape. */
export type ShapeParagraph = { text: string; level: number; isNumbered: boolean }

/** A thing on a slide, with what stands in it. */
export type Shape = {
  /** `title`, `body`, `ftr`, …: ECMA-376's ST_PlaceholderType; `null` for a shape of the slide's own. */
  placeholder: string | null
  /** Number of the placeholder in its layout. */
  index: string | null
  box: Box | null
  isHidden: boolean
  paragraphs: ShapeParagraph[]
  /** Rows of a table, charts, diagrams, embedded files. */
  events: OfficeEvent[]
  /** Shapes of a group. */
  children: Shape[]
}

/** A shape of which nothing is known yet. */
export function createShape(): Shape {
  return {
    placeholder: null,
    index: null,
    box: null,
    isHidden: false,
    paragraphs: [],
    events: [],
    children: [],
  }
}

/** True for the title of a slide. */
export function isTitle({ placeholder }: Shape): boolean {
  return placeholder === 'title' || placeholder === 'ctrTitle'
}

/** True for what stands below a slide: footer and date. */
export function isFooter({ placeholder }: Shape): boolean {
  return placeholder === 'ftr' || placeholder === 'dt' || placeholder === 'hdr'
}
