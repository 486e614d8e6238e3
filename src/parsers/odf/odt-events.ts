import { createPageCounter } from '../ooxml/docx/story.ts'
import { createPageAssigner, type OfficeEvent } from '../ooxml/office-block.ts'
import { type Attributes, getAttribute, readXml, type XmlHandler } from '../ooxml/package/read-xml.ts'
import type { Block, ParseEvent } from '../parse-event.ts'
import { CONTENT_PART, type OdfFile, STYLES_PART } from './odf-file.ts'
import type { StoryContext } from './odf-story.ts'
import { createOdfLists, OdfStyles } from './odf-styles.ts'
import { createTextHandler, type ObjectSources, readFormulas, readOdfObject } from './text-handler.ts'

/** Styles of the content, and styles of headers and footers. */
export type DocumentStyles = { content: OdfStyles; shared: OdfStyles }

/** Reads the styles of a document. */
export async function readDocumentStyles(file: OdfFile): Promise<DocumentStyles> {
  const shared = new OdfStyles(null)
  await file.parseHead(STYLES_PART, shared.createHandler())
  const content = new OdfStyles(shared)
  if (!file.isFlat) await file.parseHead(CONTENT_PART, content.createHandler())
  return { content, shared }
}

/**
 * Reads a text document: headers, the body with notes, comments, text boxes, charts and embedded
 * files in place, footers. Pages are numbered when the document marks page ends. Throws
 * `unprocessable_document` for damage, possibly after yielding blocks.
 */
export async function* odtEvents(sources: ObjectSources): AsyncGenerator<ParseEvent> {
  const { file } = sources
  const styles = await readDocumentStyles(file)
  const pages = (await hasPageMarks(file.read(CONTENT_PART))) ? createPageCounter() : null
  const assigner = createPageAssigner(pages)
  const margins = await readMargins(file, styles.shared)
  const events: OfficeEvent[] = []
  const handler = createTextHandler({
    styles: styles.content,
    lists: createOdfLists(styles.content),
    formulas: await readFormulas(file),
    pages,
    emit: (event) => void events.push(event),
  })

  async function* takeEvents(): AsyncGenerator<ParseEvent> {
    for (const event of events.splice(0)) {
      if ('block' in event) yield* assigner.assignPages([event.block])
      else for await (const read of readOdfObject(event.object, sources)) yield* assigner.forward(read)
    }
  }

  yield* assigner.assignPages(toParagraphs(margins.header))
  for await (const _ of readXml(CONTENT_PART, file.read(CONTENT_PART), handler)) yield* takeEvents()
  yield* takeEvents()
  yield* assigner.assignPages(toParagraphs(margins.footer))
  yield* assigner.end()
}

/** Page ends recorded at the last layout, or set by an author. */
const PAGE_MARK = /soft-page-break\b|break-(?:before|after)="page"/
/** Longer than a mark. */
const OVERLAP_CHARACTERS = 100

/** True when a document marks page ends; other documents have no pages. */
async function hasPageMarks(pieces: AsyncIterable<Buffer>): Promise<boolean> {
  let tail = ''
  for await (const piece of pieces) {
    const text = tail + piece.toString('latin1').replaceAll('\0', '')
    if (PAGE_MARK.test(text)) return true
    tail = text.slice(-OVERLAP_CHARACTERS)
  }
  return false
}

/** Printed at the head or foot of pages. Each text once; `hasField` for page numbers and dates. */
export type MarginText = { text: string; hasField: boolean }
type Margins = { header: MarginText[]; footer: MarginText[] }

const MARGIN_ELEMENT = /^(header|footer)(?:-left|-first)?$/
/** Fields that differ from page to page, or repeat other text of the document. */
const MARGIN_FIELDS: ReadonlySet<string> = new Set([
  ...['page-number', 'page-count', 'sheet-name', 'date', 'time', 'file-name', 'title'],
])

/** Reads the headers and footers of all page styles. */
export async function readMargins(file: OdfFile, styles: OdfStyles): Promise<Margins> {
  const margins: Margins = { header: [], footer: [] }
  let open: keyof Margins | null = null
  let hasField = false
  const text = createTextHandler(createMarginContext(styles, add))

  function add(block: Block): void {
    const known = open === null ? [] : margins[open]
    const shown = block.text.trim()
    if (/\p{L}/u.test(shown) && !known.some((other) => other.text === shown)) known.push({ text: shown, hasField })
    hasField = false
  }

  function openElement(name: string, attributes: Attributes): boolean {
    const side = MARGIN_ELEMENT.exec(name)?.[1]
    if (open === null && side === undefined) return SKIPPED_BESIDE_MARGINS.has(name)
    if (open === null) {
      if (getAttribute(attributes, 'display') === 'false') return true
      open = side === 'header' ? 'header' : 'footer'
      return false
    }
    hasField ||= MARGIN_FIELDS.has(name)
    return text.open(name, attributes)
  }

  const handler: XmlHandler = {
    open: openElement,
    close(name) {
      if (open === null) return
      if (MARGIN_ELEMENT.test(name)) open = null
      else text.close(name)
    },
    text: (piece) => void (open !== null && text.text(piece)),
  }
  await file.parseHead(STYLES_PART, handler)
  return margins
}

/** Parts of the styles without headers and footers. */
const SKIPPED_BESIDE_MARGINS: ReadonlySet<string> = new Set([
  ...['styles', 'automatic-styles', 'meta', 'settings', 'scripts', 'font-face-decls', 'notes'],
])

function createMarginContext(styles: OdfStyles, add: (block: Block) => void): StoryContext {
  return {
    styles,
    lists: createOdfLists(styles),
    formulas: new Map(),
    pages: null,
    emit: (event) => void ('block' in event && add(event.block)),
  }
}

/** Headings and lists of headers and footers are not document structure. */
export function toParagraphs(texts: readonly MarginText[]): Block[] {
  return texts.map(({ text }) => ({ text: `${text}\n\n`, kind: 'paragraph' }))
}
