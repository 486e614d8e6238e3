import type { Block } from '../../parse-event.ts'
import { headingOf, listItemOf, paragraphOf } from '../office-block.ts'
import type { OfficeEvent } from '../office-event.ts'
import { isTitle, type Shape } from './shape.ts'

/** A first line as short as this is read as the title of a slide that has none. */
const MAX_TITLE_CHARACTERS = 80
/** Placeholders whose paragraphs are points of a list. */
const LISTS = new Set(['body', 'obj'])

/** What the shapes of a slide, in reading order, say. */
export function* slideEvents(shapes: readonly Shape[]): Generator<OfficeEvent> {
  let needsTitle = !shapes.some((shape) => isTitle(shape) && shape.paragraphs.length > 0)
  for (const shape of shapes) {
    const { paragraphs, events } = shape
    if (isTitle(shape)) {
      const block = headingOf(paragraphs.map(({ text }) => text).join(' '), 1)
      if (block !== null) yield { block }
    }
    const rest = isTitle(shape) ? [] : [...paragraphs]
    const [first] = rest
    if (needsTitle && first !== undefined && isTitleLike(first.text)) {
      const block = headingOf(first.text, 1)
      if (block !== null) yield { block }
      rest.shift()
    }
    if (first !== undefined || events.length > 0) needsTitle = false
    for (const block of blocksOf(shape, rest)) yield { block }
    yield* events
  }
}

function blocksOf({ placeholder }: Shape, paragraphs: Shape['paragraphs']): Block[] {
  const isList = paragraphs.length > 1 && placeholder !== null && LISTS.has(placeholder)
  const blocks = paragraphs.map((paragraph) => {
    if (!isList && !paragraph.isNumbered && paragraph.level === 0) return paragraphOf(paragraph.text)
    return listItemOf(`${'  '.repeat(paragraph.level)}${paragraph.text}`)
  })
  return blocks.filter((block) => block !== null)
}

function isTitleLike(text: string): boolean {
  return text.length <= MAX_TITLE_CHARACTERS && /\p{L}/u.test(text) && !/[.;:,]$/.test(text)
}
