import { cutBlock, headingOf, listItemOf, looksLikeHeader, paragraphOf, rowOf, tableOf } from '../ooxml/office-block.ts'
import type { Block } from '../parse-event.ts'
import { findRecord, listRecords, type PptRecord, RECORD } from './ppt-record.ts'
import type { Presentation, SlideEntry } from './presentation.ts'
import { listShapes, type SlideShape } from './slide-shapes.ts'

const TITLES: ReadonlySet<number> = new Set([0, 6])
const BODIES: ReadonlySet<number> = new Set([1, 5, 7, 8])
const NOTES_TEXT = 2
const MAX_TITLE_CHARACTERS = 400
/** Placeholders of dates, slide numbers, footers and headers. MS-PPT 2.13.23. */
const FURNITURE: ReadonlySet<number> = new Set([7, 8, 9, 10])

/** What a slide says: its title, then its other shapes as a person reads them. */
export function slideBlocks(shapes: readonly SlideShape[]): Block[] {
  const isTitle = (shape: SlideShape) => shape.kind === 'text' && TITLES.has(shape.textKind)
  return [...shapes.filter(isTitle), ...shapes.filter((shape) => !isTitle(shape))].flatMap(shapeBlocks)
}

function shapeBlocks(shape: SlideShape): Block[] {
  if (shape.kind === 'object') return []
  if (shape.kind === 'table') return tableBlocks(shape.rows)
  if (FURNITURE.has(shape.placeholder)) return []
  const paragraphs = listTextParagraphs(shape.text)
  if (TITLES.has(shape.textKind) && shape.text.length <= MAX_TITLE_CHARACTERS)
    return cut([headingOf(paragraphs.join(' '), 1)])
  const isList = paragraphs.length > 1 && BODIES.has(shape.textKind)
  return cut(paragraphs.map((text) => (isList ? listItemOf(text) : paragraphOf(text))))
}

function tableBlocks(rows: readonly string[][]): Block[] {
  const blocks = rows.map((cells, index) =>
    rowOf(cells, index === 0 && rows.length > 1 && looksLikeHeader(cells) ? 'table-header' : 'table-row'),
  )
  return cut([...tableOf(blocks), { text: '\n', kind: 'blank' }])
}

/** Letters of fonts that are pictures, such as Wingdings. */
const PICTURE_LETTERS = /[\uf000-\uf0ff]/g

/** Paragraphs end with a carriage return, lines inside of them with a vertical tab. */
function listTextParagraphs(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map((line) => line.replaceAll('\v', '\n').replaceAll(PICTURE_LETTERS, '').trim())
    .filter((line) => line !== '')
}

function cut(blocks: readonly (Block | null)[]): Block[] {
  return blocks.flatMap((block) => (block === null ? [] : [...cutBlock(block)]))
}

/** The notes of the speaker. Other shapes on their page repeat the slide. */
export function notesBlocks(presentation: Presentation, { record }: SlideEntry): Block[] {
  const atom = findRecord(record.body, RECORD.slideAtom)
  if (atom === null || atom.body.length < 20) return []
  const notes = presentation.getNotes(atom.body.readUInt32LE(16))
  if (notes === null) return []
  const texts = listShapes(notes, []).filter((shape) => shape.kind === 'text' && shape.textKind === NOTES_TEXT)
  const text = texts.flatMap((shape) => (shape.kind === 'text' ? listTextParagraphs(shape.text) : [])).join('\n')
  return text === '' ? [] : cut([paragraphOf(`Notes: ${text}`)])
}

/** The comments on a slide, with who made them. MS-PPT 2.5.24. */
export function commentBlocks({ record }: SlideEntry): Block[] {
  return cut(
    [...listComments(record, 0)].map(({ author, text }) =>
      paragraphOf(`Comment${author === '' ? '' : ` by ${author}`}: ${text}`),
    ),
  )
}

const COMMENT_PATH: ReadonlySet<number> = new Set([RECORD.tags, RECORD.binaryTag, RECORD.binaryTagData])

function* listComments(parent: PptRecord, depth: number): Generator<{ author: string; text: string }> {
  for (const child of listRecords(parent.body)) {
    if (child.type === RECORD.comment) {
      const [author, text] = [0, 1].map(
        (instance) => findRecord(child.body, RECORD.string, instance)?.body.toString('utf16le') ?? '',
      )
      if (text !== undefined && text.trim() !== '') yield { author: author ?? '', text }
    } else if (COMMENT_PATH.has(child.type) && depth < 4) yield* listComments(child, depth + 1)
  }
}

const FOOTER_STRINGS: readonly number[] = [1, 2]

/** Header and footer of a slide, or of the whole presentation. */
export function footerTexts(parent: PptRecord): string[] {
  const footers = findRecord(parent.body, RECORD.footers)
  if (footers === null) return []
  const texts = FOOTER_STRINGS.map(
    (instance) => findRecord(footers.body, RECORD.string, instance)?.body.toString('utf16le') ?? '',
  )
  return texts.map((text) => text.trim()).filter((text) => text !== '' && text !== '*')
}

/** True for a slide that is left out when the show runs. MS-PPT 2.6.6. */
export function isHidden({ record }: SlideEntry): boolean {
  const info = findRecord(record.body, RECORD.showInfo)
  return info !== null && info.body.length >= 12 && (info.body.readUInt16LE(10) & 0x04) !== 0
}
