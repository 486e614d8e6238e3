import { ApiError } from '../../../errors.ts'
import { type Block, isTooLargeUnpacked, type ParseEvent, unreadable } from '../../parse-event.ts'
import {
  cutBlock,
  headingOf,
  listItemOf,
  type OfficeEvent,
  paragraphOf,
  type ReadEmbedded,
  receiptOf,
} from '../office-block.ts'
import type { OfficePackage, Relationship } from '../package/office-package.ts'
import { getPrefixed } from '../package/read-xml.ts'
import { readObject } from '../read-object.ts'
import { type Box, inReadingOrder } from './reading-order.ts'
import { readAuthors, readComments } from './slide-comments.ts'
import { createSlideHandler, type Shape, type Slide } from './slide-handler.ts'

/** Far beyond the limits of PowerPoint. */
const MAX_SLIDES = 20_000

/**
 * Reads a presentation slide by slide in slide-show order: title, shapes, tables, charts, notes,
 * comments. Each slide is a page. A damaged slide fails alone; throws `unprocessable_document` when
 * no slide is readable.
 */
export async function* pptxEvents(pkg: OfficePackage, readEmbedded: ReadEmbedded | null): AsyncGenerator<ParseEvent> {
  const relationships = await pkg.listRelationships(pkg.mainPart)
  const deck: Deck = { pkg, readEmbedded, authors: await readAuthors(pkg, relationships), layouts: new Map() }
  const parts = await listSlides(pkg, relationships)
  yield { pageCount: parts.length }
  let failure: ApiError | null = null
  let good = 0
  for (const [index, part] of parts.entries()) {
    if (pkg.has(part) && !pkg.takeOnce(part)) {
      yield { page: receiptOf(index + 1, 0, 'It is the same part of the file as a slide before it.') }
      continue
    }
    try {
      yield* readSlide(deck, part, index + 1)
      good += 1
    } catch (error) {
      if (isTooLargeUnpacked(error)) throw error
      failure = error instanceof ApiError ? error : unreadable(`The slide ${index + 1} is damaged.`, error)
      yield { page: { ...receiptOf(index + 1, 0, failure.message), method: 'failed' } }
    }
  }
  if (failure !== null && good === 0) throw failure
}

type Deck = {
  pkg: OfficePackage
  readEmbedded: ReadEmbedded | null
  authors: ReadonlyMap<string, string>
  /** Cache of layouts and masters. */
  layouts: Map<string, Layout>
}

/** Placeholders of a layout or master, and the master part of a layout. */
type Layout = { placeholders: readonly Shape[]; master: string | null }

/** The slide list determines the order; the numbers in part names do not. */
async function listSlides(pkg: OfficePackage, relationships: readonly Relationship[]): Promise<string[]> {
  const parts = new Map(relationships.map(({ id, part }) => [id, part]))
  const slides: string[] = []
  await pkg.feed(pkg.mainPart, {
    open(name, attributes) {
      const part = name === 'sldId' ? parts.get(getPrefixed(attributes, 'id') ?? '') : null
      if (part !== null && part !== undefined && slides.length < MAX_SLIDES) slides.push(part)
      return false
    },
    close() {},
    text() {},
  })
  return slides
}

async function* readSlide(deck: Deck, part: string, page: number): AsyncGenerator<ParseEvent> {
  const { pkg, readEmbedded } = deck
  const relationships = await pkg.listRelationships(part)
  if (!pkg.has(part)) throw unreadable(`The slide ${page} is missing.`)
  const slide = await readShapes(pkg.feed, part)
  const inherited = await readInherited(deck, relationships)
  let characters = 0
  const count = (event: ParseEvent) => {
    if ('block' in event) characters += event.block.text.length
    return event
  }
  for (const event of slideEvents(placeShapes(slide.shapes, inherited))) {
    for await (const read of resolve(event, { pkg, relationships, readEmbedded })) yield count(onPage(read, page))
  }
  for (const block of await readSideText(deck, relationships)) yield count(onPage({ block }, page))
  yield { page: receiptOf(page, characters, slide.isHidden ? 'hidden slide' : null) }
}

async function* resolve(event: OfficeEvent, sources: Parameters<typeof readObject>[1]): AsyncGenerator<ParseEvent> {
  if ('object' in event) yield* readObject(event.object, sources)
  else for (const block of cutBlock(event.block)) yield { block }
}

function onPage(event: ParseEvent, page: number): ParseEvent {
  return 'block' in event ? { block: { ...event.block, page } } : event
}

async function readShapes(feed: OfficePackage['feed'], part: string): Promise<Slide> {
  const slide: Slide = { shapes: [], isHidden: false }
  await feed(part, createSlideHandler(slide))
  return slide
}

/** Placeholders of the slide's layout, then of the layout's master. */
async function readInherited(deck: Deck, relationships: readonly Relationship[]): Promise<(readonly Shape[])[]> {
  const inherited: (readonly Shape[])[] = []
  let part = partOf(relationships, 'slideLayout')
  while (part !== null && inherited.length < 2) {
    const layout = deck.layouts.get(part) ?? (await readLayout(deck.pkg, part))
    deck.layouts.set(part, layout)
    inherited.push(layout.placeholders)
    part = layout.master
  }
  return inherited
}

async function readLayout(pkg: OfficePackage, part: string): Promise<Layout> {
  const { shapes } = await readShapes(pkg.tryFeed, part)
  return {
    placeholders: shapes.filter(({ placeholder, box }) => placeholder !== null && box !== null),
    master: partOf(await pkg.listRelationships(part), 'slideMaster'),
  }
}

function partOf(relationships: readonly Relationship[], type: string): string | null {
  return relationships.find((one) => one.type === type)?.part ?? null
}

/** Notes and comments. The other shapes of a notes page repeat the slide. */
async function readSideText({ pkg, authors }: Deck, relationships: readonly Relationship[]): Promise<Block[]> {
  const blocks: Block[] = []
  for (const { type, part } of relationships) {
    if (part === null || (type !== 'notesSlide' && type !== 'comments') || !pkg.takeOnce(part)) continue
    if (type === 'notesSlide') {
      const { shapes } = await readShapes(pkg.tryFeed, part)
      const paragraphs = shapes.filter(({ placeholder }) => placeholder === 'body').flatMap((shape) => shape.paragraphs)
      const text = paragraphs.map((paragraph) => paragraph.text).join('\n')
      const block = text.trim() === '' ? null : paragraphOf(`Notes: ${text}`)
      if (block !== null) blocks.push(block)
    } else blocks.push(...(await readComments(pkg, part, authors)))
  }
  return blocks
}

/** Placeholders of a layout or master, whose boxes slides inherit. */
type Placeholders = readonly Shape[]

/**
 * Sorts the visible shapes of a slide into reading order and flattens groups: titles first, footers
 * last. Shapes without a known box keep the file order.
 */
function placeShapes(shapes: readonly Shape[], inherited: readonly Placeholders[]): Shape[] {
  const visible = shapes.filter((shape) => !shape.isHidden && hasContent(shape))
  const titles = visible.filter(isTitle)
  const footers = visible.filter(isFooter)
  const others = visible.filter((shape) => !isTitle(shape) && !isFooter(shape))
  return [...titles, ...orderShapes(others, inherited), ...footers].flatMap((shape) => [
    shape,
    ...(shape.children.length === 0 ? [] : placeShapes(shape.children, inherited)),
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

function orderShapes(shapes: readonly Shape[], inherited: readonly Placeholders[]): Shape[] {
  const placed = shapes.flatMap((shape) => {
    const box = shape.box ?? findBox(shape, inherited)
    return box === null ? [] : [{ shape, box }]
  })
  if (placed.length < shapes.length) return [...shapes]
  return inReadingOrder(placed).map(({ shape }) => shape)
}

/** Finds the inherited box of a placeholder, by index or else by type. */
function findBox({ placeholder, index }: Shape, inherited: readonly Placeholders[]): Box | null {
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
const LISTS = new Set(['body', 'obj'])

/** Yields the content of shapes given in reading order. */
function* slideEvents(shapes: readonly Shape[]): Generator<OfficeEvent> {
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
