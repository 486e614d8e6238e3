import { inflateSync } from 'node:zlib'
import {
  createPageReport,
  looksLikeHeader,
  splitBlocks,
  toHeading,
  toListItem,
  toParagraph,
  toTable,
  toTableRow,
} from '../ooxml/office-block.ts'
import { type Block, type ParseEvent, tooLargeUnpacked, unreadable } from '../parse-event.ts'
import { findRecord, listRecords, type PptRecord, RECORD_TYPES } from './ppt-record.ts'
import type { Presentation, SlideEntry } from './presentation.ts'
import { listShapes, type SlideShape } from './slide-shapes.ts'

/**
 * Larger than any honest presentation. A small file reaches the limit by listing the same slide
 * many times.
 */
const MAX_CHARACTERS = 50_000_000

/** Reads a file embedded in a slide. */
type ReadObject = (bytes: Buffer) => AsyncIterable<ParseEvent>

/**
 * Yields the slides as pages. `readObject` is `null` in a presentation that is itself embedded.
 * Throws `unprocessable_document` when no slide has text.
 */
export async function* presentationEvents(
  presentation: Presentation,
  readObject: ReadObject | null,
): AsyncGenerator<ParseEvent> {
  const objects = readObject === null ? new Map<number, number>() : listObjects(presentation)
  const footers = new Set<string>()
  yield { pageCount: presentation.slides.length }
  let total = 0
  for (const [index, slide] of presentation.slides.entries()) {
    const page = index + 1
    let characters = 0
    for await (const event of slideEvents(presentation, slide, { objects, footers, readObject })) {
      if ('block' in event) {
        characters += event.block.text.length
        yield { block: { ...event.block, page } }
      } else if ('warning' in event) yield event
    }
    total += characters
    if (total > MAX_CHARACTERS) throw tooLargeUnpacked('it repeats a slide many times')
    yield { page: createPageReport(page, characters, isHidden(slide) ? 'hidden slide' : null) }
  }
  if (total === 0) throw unreadable('The PowerPoint file has no text.')
  if (presentation.isTruncated)
    yield { cut: 'The PowerPoint file is damaged: its end is missing, so the file is probably truncated.' }
}

type SlideContext = { objects: ReadonlyMap<number, number>; footers: Set<string>; readObject: ReadObject | null }

async function* slideEvents(
  presentation: Presentation,
  slide: SlideEntry,
  seen: SlideContext,
): AsyncGenerator<ParseEvent> {
  const shapes = listShapes(slide.record, slide.outline)
  for (const block of slideBlocks(shapes)) yield { block }
  for (const shape of shapes) {
    const part = shape.kind === 'object' ? seen.objects.get(shape.id) : undefined
    if (part === undefined || seen.readObject === null) continue
    const bytes = decompressObject(presentation.getPart(part))
    if (bytes === null) yield { warning: 'An embedded file was not read: it is damaged or too large.' }
    else yield* seen.readObject(bytes)
  }
  for (const block of [...notesBlocks(presentation, slide), ...commentBlocks(slide)]) yield { block }
  for (const text of [...listSlideFooters(presentation, slide), ...listMasterTexts(presentation, slide)]) {
    if (!seen.footers.has(text)) yield { block: { text: `${text}\n\n`, kind: 'paragraph' } }
    seen.footers.add(text)
  }
}

const MAX_OBJECT_BYTES = 64 * 1024 * 1024
const COMPRESSED = 1

/** Maps object ids, as shapes reference them, to the parts with the embedded files. MS-PPT 2.10. */
function listObjects({ document }: Presentation): ReadonlyMap<number, number> {
  const parts = new Map<number, number>()
  for (const list of listRecords(document.body)) {
    if (list.type !== RECORD_TYPES.objectList) continue
    for (const object of listRecords(list.body)) {
      if (object.type !== RECORD_TYPES.embedded) continue
      for (const { type, body } of listRecords(object.body)) {
        if (type === RECORD_TYPES.objectAtom && body.length >= 20)
          parts.set(body.readUInt32LE(8), body.readUInt32LE(16))
      }
    }
  }
  return parts
}

/** Returns the embedded compound file; `null` when damaged or too large. */
function decompressObject(record: PptRecord | null): Buffer | null {
  if (record?.type !== RECORD_TYPES.objectStorage || record.body.length < 8) return null
  if (record.instance !== COMPRESSED) return record.body
  try {
    return inflateSync(record.body.subarray(4), { maxOutputLength: MAX_OBJECT_BYTES })
  } catch {
    // The caller reports the object in a warning.
    return null
  }
}

const TITLE_KINDS: ReadonlySet<number> = new Set([0, 6])
const BODY_KINDS: ReadonlySet<number> = new Set([1, 5, 7, 8])
const NOTES_KIND = 2
const MAX_TITLE_CHARACTERS = 400
/** Placeholders of dates, slide numbers, footers and headers. MS-PPT 2.13.23. */
const HEADER_FOOTER_PLACEHOLDERS: ReadonlySet<number> = new Set([7, 8, 9, 10])

/** Blocks of a slide: the title first, then the shapes in reading order. */
function slideBlocks(shapes: readonly SlideShape[]): Block[] {
  const isTitle = (shape: SlideShape) => shape.kind === 'text' && TITLE_KINDS.has(shape.textKind)
  return [...shapes.filter(isTitle), ...shapes.filter((shape) => !isTitle(shape))].flatMap(shapeBlocks)
}

function shapeBlocks(shape: SlideShape): Block[] {
  if (shape.kind === 'object') return []
  if (shape.kind === 'table') return tableBlocks(shape.rows)
  if (HEADER_FOOTER_PLACEHOLDERS.has(shape.placeholder)) return []
  const paragraphs = listTextParagraphs(shape.text)
  if (TITLE_KINDS.has(shape.textKind) && shape.text.length <= MAX_TITLE_CHARACTERS)
    return splitBlocks([toHeading(paragraphs.join(' '), 1)])
  const isList = paragraphs.length > 1 && BODY_KINDS.has(shape.textKind)
  return splitBlocks(paragraphs.map((text) => (isList ? toListItem(text) : toParagraph(text))))
}

function tableBlocks(rows: readonly string[][]): Block[] {
  const blocks = rows.map((cells, index) =>
    toTableRow(cells, index === 0 && rows.length > 1 && looksLikeHeader(cells) ? 'table-header' : 'table-row'),
  )
  return splitBlocks([...toTable(blocks), { text: '\n', kind: 'blank' }])
}

/** Characters of symbol fonts such as Wingdings. */
const SYMBOL_CHARACTERS = /[\uf000-\uf0ff]/g

/** A carriage return ends a paragraph, a vertical tab ends a line. */
function listTextParagraphs(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map((line) => line.replaceAll('\v', '\n').replaceAll(SYMBOL_CHARACTERS, '').trim())
    .filter((line) => line !== '')
}

/** Speaker notes. The other shapes of a notes page repeat the slide. */
function notesBlocks(presentation: Presentation, { record }: SlideEntry): Block[] {
  const atom = findRecord(record.body, RECORD_TYPES.slideAtom)
  if (atom === null || atom.body.length < 20) return []
  const notes = presentation.getNotes(atom.body.readUInt32LE(16))
  if (notes === null) return []
  const texts = listShapes(notes, []).filter((shape) => shape.kind === 'text' && shape.textKind === NOTES_KIND)
  const text = texts.flatMap((shape) => (shape.kind === 'text' ? listTextParagraphs(shape.text) : [])).join('\n')
  return text === '' ? [] : splitBlocks([toParagraph(`Notes: ${text}`)])
}

/** Comments on a slide, with their authors. MS-PPT 2.5.24. */
function commentBlocks({ record }: SlideEntry): Block[] {
  return splitBlocks(
    [...listComments(record, 0)].map(({ author, text }) =>
      toParagraph(`Comment${author === '' ? '' : ` by ${author}`}: ${text}`),
    ),
  )
}

const COMMENT_CONTAINERS: ReadonlySet<number> = new Set([
  RECORD_TYPES.tags,
  RECORD_TYPES.binaryTag,
  RECORD_TYPES.binaryTagData,
])

function* listComments(parent: PptRecord, depth: number): Generator<{ author: string; text: string }> {
  for (const child of listRecords(parent.body)) {
    if (child.type === RECORD_TYPES.comment) {
      const [author, text] = [0, 1].map(
        (instance) => findRecord(child.body, RECORD_TYPES.string, instance)?.body.toString('utf16le') ?? '',
      )
      if (text !== undefined && text.trim() !== '') yield { author: author ?? '', text }
    } else if (COMMENT_CONTAINERS.has(child.type) && depth < 4) yield* listComments(child, depth + 1)
  }
}

const FOOTER_STRINGS: readonly number[] = [1, 2]

/** Instance of the header and footer of all slides. MS-PPT 2.4.15.1. */
const ALL_SLIDES = 3
/** Flag of a shown footer. MS-PPT 2.4.15.3. */
const SHOWS_FOOTER = 0x20

/** Header and footer of a slide, else those of all slides. */
function listSlideFooters({ document }: Presentation, { record }: SlideEntry): string[] {
  const own = findRecord(record.body, RECORD_TYPES.footers)
  if (own !== null) return listFooterTexts(own)
  const shared = findRecord(document.body, RECORD_TYPES.footers, ALL_SLIDES)
  const atom = shared === null ? null : findRecord(shared.body, RECORD_TYPES.footersAtom)
  if (shared === null || atom === null || atom.body.length < 4) return []
  return (atom.body.readUInt16LE(2) & SHOWS_FOOTER) === 0 ? [] : listFooterTexts(shared)
}

/** Flag of slides that show the shapes of their master. MS-PPT 2.5.11. */
const SHOWS_MASTER = 0x01

/**
 * Texts that the master of a slide shows: footers and text boxes. The other placeholders are
 * prompts for authors.
 */
function listMasterTexts({ masters }: Presentation, { record }: SlideEntry): string[] {
  const atom = findRecord(record.body, RECORD_TYPES.slideAtom)
  if (atom === null || atom.body.length < 22 || (atom.body.readUInt16LE(20) & SHOWS_MASTER) === 0) return []
  const master = masters.get(atom.body.readUInt32LE(12))
  if (master === undefined) return []
  return listShapes(master, []).flatMap((shape) => {
    if (shape.kind !== 'text') return []
    const isShown = shape.placeholder === 0 || HEADER_FOOTER_PLACEHOLDERS.has(shape.placeholder)
    return isShown ? listTextParagraphs(shape.text).filter((text) => /\p{L}/u.test(text)) : []
  })
}

function listFooterTexts(footers: PptRecord): string[] {
  const texts = FOOTER_STRINGS.map(
    (instance) => findRecord(footers.body, RECORD_TYPES.string, instance)?.body.toString('utf16le') ?? '',
  )
  return texts.map((text) => text.trim()).filter((text) => text !== '' && text !== '*')
}

/** True for slides hidden in the slide show. MS-PPT 2.6.6. */
function isHidden({ record }: SlideEntry): boolean {
  const info = findRecord(record.body, RECORD_TYPES.showInfo)
  return info !== null && info.body.length >= 12 && (info.body.readUInt16LE(10) & 0x04) !== 0
}
