import { ApiError } from '../../../errors.ts'
import type { Block, ParseEvent } from '../../parse-event.ts'
import { isTooLargeUnpacked, unreadable } from '../../unreadable.ts'
import { readObject } from '../drawing/read-object.ts'
import { cutBlock, paragraphOf } from '../office-block.ts'
import type { OfficeEvent, ReadEmbedded } from '../office-event.ts'
import type { OfficePackage } from '../package/office-package.ts'
import type { Relationship } from '../package/relationships.ts'
import { receiptOf } from '../page-receipts.ts'
import { getPrefixed } from '../xml/xml-handler.ts'
import { placeShapes } from './place-shapes.ts'
import type { Shape } from './shape.ts'
import { slideEvents } from './slide-blocks.ts'
import { type Authors, readAuthors, readComments } from './slide-comments.ts'
import { createSlideHandler, type Slide } from './slide-handler.ts'

/** PowerPoint itself gives up long before. */
const MAX_SLIDES = 20_000

/**
 * Reads a presentation slide by slide, in the order they are shown: title, shapes, tables, charts, notes, comments; each
 * slide is a page. A damaged slide fails alone; throws `unprocessable_document` when no slide can be read.
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
  authors: Authors
  /** Layouts and masters that were read. */
  layouts: Map<string, Layout>
}

/** The placeholders of a layout or a master, and the part of a layout's master. */
type Layout = { placeholders: readonly Shape[]; master: string | null }

/** Slides stand in the order of the list; the numbers in their names mean nothing. */
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

/** Placeholders of the slide's layout, then those of the layout's master. */
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

/** Notes and comments. Other shapes on a page of notes repeat the slide. */
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
