import { ApiError } from '../../../errors.ts'
import { type Block, isTooLargeUnpacked, type ParseEvent, unreadable } from '../../parse-event.ts'
import { createPageReport, type OfficeEvent, type ReadEmbedded, splitBlock, toParagraph } from '../office-block.ts'
import type { OfficePackage, Relationship } from '../package/office-package.ts'
import { getPrefixedAttribute } from '../package/read-xml.ts'
import { readObject } from '../read-object.ts'
import { slideEvents, sortShapes } from './reading-order.ts'
import { readAuthors, readComments } from './slide-comments.ts'
import { readShapes, type Shape } from './slide-handler.ts'

/** Far beyond the limits of PowerPoint. */
const MAX_SLIDES = 20_000

/**
 * Reads a presentation slide by slide in slide-show order: title, shapes, tables, charts, notes,
 * comments. Each slide is a page. A damaged slide fails alone; throws `unprocessable_document` when
 * no slide is readable.
 */
export async function* pptxEvents(pkg: OfficePackage, readEmbedded: ReadEmbedded | null): AsyncGenerator<ParseEvent> {
  const relationships = await pkg.listRelationships(pkg.mainPart)
  const deck: DeckContext = { pkg, readEmbedded, authors: await readAuthors(pkg, relationships), layouts: new Map() }
  const parts = await listSlides(pkg, relationships)
  yield { pageCount: parts.length }
  let failure: ApiError | null = null
  let good = 0
  for (const [index, part] of parts.entries()) {
    if (pkg.has(part) && !pkg.claimPart(part)) {
      yield { page: createPageReport(index + 1, 0, 'The slide uses the same part of the file as an earlier slide.') }
      continue
    }
    try {
      yield* readSlide(deck, part, index + 1)
      good += 1
    } catch (error) {
      if (isTooLargeUnpacked(error)) throw error
      failure = error instanceof ApiError ? error : unreadable(`Slide ${index + 1} is damaged.`, error)
      yield { page: { ...createPageReport(index + 1, 0, failure.message), method: 'failed' } }
    }
  }
  if (failure !== null && good === 0) throw failure
}

type DeckContext = {
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
  await pkg.parse(pkg.mainPart, {
    open(name, attributes) {
      const part = name === 'sldId' ? parts.get(getPrefixedAttribute(attributes, 'id') ?? '') : null
      if (part !== null && part !== undefined && slides.length < MAX_SLIDES) slides.push(part)
      return false
    },
    close() {},
    text() {},
  })
  return slides
}

async function* readSlide(deck: DeckContext, part: string, page: number): AsyncGenerator<ParseEvent> {
  const { pkg, readEmbedded } = deck
  const relationships = await pkg.listRelationships(part)
  if (!pkg.has(part)) throw unreadable(`Slide ${page} is missing.`)
  const slide = await readShapes(pkg.parse, part)
  const inherited = await readInherited(deck, relationships)
  let characters = 0
  const count = (event: ParseEvent) => {
    if ('block' in event) characters += event.block.text.length
    return event
  }
  for (const event of slideEvents(sortShapes(slide.shapes, inherited))) {
    for await (const read of expandEvent(event, { pkg, relationships, readEmbedded })) yield count(withPage(read, page))
  }
  for (const block of await readNotesAndComments(deck, relationships)) yield count(withPage({ block }, page))
  yield { page: createPageReport(page, characters, slide.isHidden ? 'hidden slide' : null) }
}

async function* expandEvent(event: OfficeEvent, sources: Parameters<typeof readObject>[1]): AsyncGenerator<ParseEvent> {
  if ('object' in event) yield* readObject(event.object, sources)
  else for (const block of splitBlock(event.block)) yield { block }
}

function withPage(event: ParseEvent, page: number): ParseEvent {
  return 'block' in event ? { block: { ...event.block, page } } : event
}

/** Placeholders of the slide's layout, then of the layout's master. */
async function readInherited(deck: DeckContext, relationships: readonly Relationship[]): Promise<(readonly Shape[])[]> {
  const inherited: (readonly Shape[])[] = []
  let part = findRelatedPart(relationships, 'slideLayout')
  while (part !== null && inherited.length < 2) {
    const layout = deck.layouts.get(part) ?? (await readLayout(deck.pkg, part))
    deck.layouts.set(part, layout)
    inherited.push(layout.placeholders)
    part = layout.master
  }
  return inherited
}

async function readLayout(pkg: OfficePackage, part: string): Promise<Layout> {
  const { shapes } = await readShapes(pkg.parseOptional, part)
  return {
    placeholders: shapes.filter(({ placeholder, box }) => placeholder !== null && box !== null),
    master: findRelatedPart(await pkg.listRelationships(part), 'slideMaster'),
  }
}

function findRelatedPart(relationships: readonly Relationship[], type: string): string | null {
  return relationships.find((one) => one.type === type)?.part ?? null
}

/** Notes and comments. The other shapes of a notes page repeat the slide. */
async function readNotesAndComments(
  { pkg, authors }: DeckContext,
  relationships: readonly Relationship[],
): Promise<Block[]> {
  const blocks: Block[] = []
  for (const { type, part } of relationships) {
    if (part === null || (type !== 'notesSlide' && type !== 'comments') || !pkg.claimPart(part)) continue
    if (type === 'notesSlide') {
      const { shapes } = await readShapes(pkg.parseOptional, part)
      const paragraphs = shapes.filter(({ placeholder }) => placeholder === 'body').flatMap((shape) => shape.paragraphs)
      const text = paragraphs.map((paragraph) => paragraph.text).join('\n')
      const block = text.trim() === '' ? null : toParagraph(`Notes: ${text}`)
      if (block !== null) blocks.push(block)
    } else blocks.push(...(await readComments(pkg, part, authors)))
  }
  return blocks
}
