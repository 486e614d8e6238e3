import { ApiError } from '../../errors.ts'
import { describeAttachments } from '../describe-attachments.ts'
import type { ParseEvent, SourceFile } from '../parse-event.ts'
import type { LayoutBlock } from './layout/layout-blocks.ts'
import { openPdf, PAGE_BREAKS, PAGE_DAMAGED, type PageOutcome, type PdfDocument } from './pdf-document.ts'
import { type PageContent, readPage } from './read-page.ts'

/** Pages read before the first output, to learn the sizes of text and headings. */
const SAMPLE_PAGES = 8

type NumberedPage = { index: number; outcome: PageOutcome<PageContent> }

/**
 * Reads a PDF page by page in reading order: columns, rows, headings, form fields, comments. A
 * report follows each page.
 *
 * A scanned or garbled page is emitted as `scan` with the text found, for OCR. A damaged page is
 * reported as failed, and reading continues. Throws `unprocessable_document` for a file that is
 * protected, damaged or without a readable page.
 */
export async function* readPdf(source: SourceFile): AsyncGenerator<ParseEvent> {
  const document = await openPdf(source)
  try {
    yield { pageCount: document.pageCount }
    const title = await document.attempt(() => readTitle(document))
    if (title !== null && title !== '') yield { title, over: 'file-name' }
    const attachments = await document.attempt(() => describeAttachments(document))
    if (attachments !== null) yield { warning: attachments }
    yield* readPages(document)
  } finally {
    document.close()
  }
}

/** Returns the title in the file's properties; '' when absent. */
function readTitle({ pdfium, handle, scratch, readString }: PdfDocument): string {
  const tag = Buffer.from('Title\0', 'latin1')
  pdfium.memory().bytes.set(tag, scratch)
  return readString((buffer, bytes) => pdfium.FPDF_GetMetaText(handle, scratch, buffer, bytes))
}

async function* readPages(document: PdfDocument): AsyncGenerator<ParseEvent> {
  const outline: Outline = (await document.attempt(() => readOutline(document))) ?? new Map()
  const waiting: NumberedPage[] = []
  let typography: Typography | null = null
  let failed = 0
  for (let index = 0; index < document.pageCount; index++) {
    const outcome = await readWithAnnotations(document, index)
    if ('failure' in outcome) failed++
    if (failed === document.pageCount) throw createAllFailedError(failed, 'failure' in outcome ? outcome.failure : '')
    waiting.push({ index, outcome })
    if (typography === null && waiting.length < Math.min(SAMPLE_PAGES, document.pageCount)) continue
    typography ??= createTypography(
      waiting.flatMap(({ outcome: read }) => ('value' in read ? read.value.blocks : [])),
      outline,
    )
    for (const ready of waiting.splice(0)) yield* pageEvents(ready, typography)
  }
}

/** Reads a page; if the drawing of an annotation breaks PDFium, without the drawings. */
async function readWithAnnotations(document: PdfDocument, index: number): Promise<PageOutcome<PageContent>> {
  let hasAnnotations = false
  const outcome = await document.withPage(index, (page) => {
    hasAnnotations = document.pdfium.FPDFPage_GetAnnotCount(page) > 0
    return readPage(document, page, { index, annotations: 'as-drawn' })
  })
  if ('value' in outcome || outcome.failure !== PAGE_BREAKS || !hasAnnotations) return outcome
  return document.withPage(index, (page) => readPage(document, page, { index, annotations: 'values' }))
}

function* pageEvents({ index, outcome }: NumberedPage, typography: Typography): Generator<ParseEvent> {
  const page = index + 1
  if ('failure' in outcome) {
    yield { page: { page, method: 'failed', characters: 0, confidence: null, message: outcome.failure } }
    return
  }
  const content = outcome.value
  const { kind, widthPoints, heightPoints } = content
  const events = [...blockEvents(content, index, typography)]
  if (kind === 'scan') {
    const reason = content.isGarbled ? { isUnreadable: true as const } : {}
    yield { scan: { page, widthPoints, heightPoints, text: joinText(events), ...reason } }
    return
  }
  yield* events
  const characters = joinText(events).length
  if (characters > 0) yield { page: { page, method: 'text', characters, confidence: null, message: null } }
  else {
    const message = content.isBlank ? 'The page is blank.' : 'The page has no text.'
    yield { page: { page, method: 'empty', characters: 0, confidence: null, message } }
  }
}

function* blockEvents({ blocks, comments }: PageContent, index: number, typography: Typography): Generator<ParseEvent> {
  const page = index + 1
  let inTable = false
  for (const block of blocks) {
    const isRow = block.kind === 'table-row' || block.kind === 'table-header'
    if (inTable && !isRow) yield { block: { text: '\n', kind: 'blank', page } }
    inTable = isRow
    const text = `${toWellFormed(block.text)}\n`
    const level = typography.getHeadingLevel(block, index)
    if (level === null) yield { block: { text, kind: block.kind, page } }
    else yield { block: { text, kind: 'heading', level, heading: text.replace(/\s+/g, ' ').trim(), page } }
    if (block.kind === 'paragraph') yield { block: { text: '\n', kind: 'blank', page } }
  }
  for (const comment of comments) {
    yield { block: { text: `${toWellFormed(comment)}\n`, kind: 'paragraph', page } }
    yield { block: { text: '\n', kind: 'blank', page } }
  }
}

function joinText(events: readonly ParseEvent[]): string {
  return events.map((event) => ('block' in event ? event.block.text : '')).join('')
}

/** Expands typographic ligatures; removes lone surrogates and control characters. */
function toWellFormed(text: string): string {
  return text
    .replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'))
    .replace(/(?![\t\n])\p{Cc}|\p{Noncharacter_Code_Point}/gu, '')
    .toWellFormed()
}

/** `failure`: the failure of the last page. */
function createAllFailedError(pages: number, failure: string): ApiError {
  const which = pages === 1 ? 'its page cannot be read' : `none of its ${pages} pages can be read`
  const message =
    failure === PAGE_DAMAGED ? `The PDF is damaged: ${which}.` : `The PDF is unreadable: ${which}. ${failure}`
  return new ApiError('unprocessable_document', { message })
}

/** Detects headings by their style relative to the document's text. */
type Typography = {
  /** Returns the heading level from 1; `null` for other blocks. `page` is a zero-based index. */
  getHeadingLevel(block: LayoutBlock, page: number): number | null
}

/**
 * Minimum ratio of heading size to text size. In a document with 11-point text, 18 points matched
 * exactly the headings.
 */
const MIN_HEADING_RATIO = 1.15
const MAX_HEADING_CHARACTERS = 200
const MAX_BOLD_HEADING_CHARACTERS = 120
const MAX_LEVEL = 6
/** If more than this share of the text would be headings, the text itself is large or bold. */
const MAX_HEADING_SHARE = 0.35
const BULLET = /^[•◦▪▫■□●○‣⁃∙➢✓✔–—*-]/u

/** Learns the text sizes from sample pages. */
function createTypography(sample: readonly LayoutBlock[], outline: Outline): Typography {
  const bodySize = getBodySize(sample)
  const isBodyBold = measureShare(sample, (block) => block.isBold) > MAX_HEADING_SHARE
  const sizes = [...new Set(sample.filter((block) => isLarge(block, bodySize)).map((block) => roundSize(block.size)))]
    .sort((a, b) => b - a)
    .slice(0, MAX_LEVEL - 1)

  function getHeadingLevel(block: LayoutBlock, page: number): number | null {
    if (!mayBeHeading(block)) return null
    const listed = outline.size > 0 ? outline.get(toOutlineKey(page, block.text)) : undefined
    if (listed !== undefined) return listed
    if (isLarge(block, bodySize)) return getLevelBySize(block.size)
    return isBoldHeading(block) && !isBodyBold ? Math.min(MAX_LEVEL, sizes.length + 1) : null
  }

  /** A size absent from the sample gets the level of the next smaller size. */
  function getLevelBySize(size: number): number {
    const index = sizes.findIndex((known) => size >= known - 0.3)
    return index === -1 ? Math.max(1, Math.min(MAX_LEVEL, sizes.length)) : index + 1
  }

  function isBoldHeading(block: LayoutBlock): boolean {
    const isShort = block.lines <= 2 && block.text.length <= MAX_BOLD_HEADING_CHARACTERS
    return block.isBold && isShort && block.size >= 0.95 * bodySize && !/[.,;:!?]$/.test(block.text.trim())
  }

  return { getHeadingLevel }
}

function isLarge(block: LayoutBlock, bodySize: number): boolean {
  return mayBeHeading(block) && block.size >= MIN_HEADING_RATIO * bodySize
}

function mayBeHeading({ kind, text, lines }: LayoutBlock): boolean {
  if (kind === 'table-row' || kind === 'table-header' || lines > 4 || text.length > MAX_HEADING_CHARACTERS) return false
  return /\p{L}/u.test(text) && !text.includes('\t') && !BULLET.test(text)
}

/**
 * Returns the size of most characters; a larger size on slides and forms, where headings would
 * outweigh the text.
 */
function getBodySize(blocks: readonly LayoutBlock[]): number {
  const characters = new Map<number, number>()
  for (const { size, text } of blocks)
    characters.set(roundSize(size), (characters.get(roundSize(size)) ?? 0) + text.length)
  const common = [...characters].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 1
  const larger = [...characters.keys()].filter((size) => size >= common).sort((a, b) => a - b)
  return larger.find((size) => measureShare(blocks, (block) => isLarge(block, size)) <= MAX_HEADING_SHARE) ?? common
}

/** Share of characters in matching blocks. */
function measureShare(blocks: readonly LayoutBlock[], isKind: (block: LayoutBlock) => boolean): number {
  const count = (some: readonly LayoutBlock[]) => some.reduce((total, { text }) => total + text.length, 0)
  return count(blocks.filter(isKind)) / Math.max(1, count(blocks))
}

function roundSize(size: number): number {
  return Math.round(size * 2) / 2
}

/** Bookmark levels (from 1) by page and title, with keys of {@link toOutlineKey}. */
type Outline = ReadonlyMap<string, number>

/** Limits on bookmarks, which may form a cycle. */
const MAX_ENTRIES = 10_000
const MAX_DEPTH = 6

/** Reads the bookmarks. */
function readOutline(document: PdfDocument): Outline {
  const { pdfium, handle, readString } = document
  const levels = new Map<string, number>()
  const seen = new Set<number>()

  function readChildren(parent: number, level: number): void {
    let bookmark = pdfium.FPDFBookmark_GetFirstChild(handle, parent)
    while (bookmark !== 0 && !seen.has(bookmark) && seen.size < MAX_ENTRIES) {
      seen.add(bookmark)
      const title = readString((buffer, bytes) => pdfium.FPDFBookmark_GetTitle(bookmark, buffer, bytes))
      const destination = pdfium.FPDFBookmark_GetDest(handle, bookmark)
      const page = destination === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(handle, destination)
      const key = toOutlineKey(page, title)
      if (page >= 0 && !levels.has(key)) levels.set(key, level)
      if (level < MAX_DEPTH) readChildren(bookmark, level + 1)
      bookmark = pdfium.FPDFBookmark_GetNextSibling(handle, bookmark)
    }
  }

  readChildren(0, 1)
  return levels
}

/**
 * Comparison key of a title: letters and digits only, because numbering, spaces and line ends
 * differ between bookmark and page.
 */
function toOutlineKey(page: number, title: string): string {
  const letters = title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return `${page} ${letters.replace(/^\d+/, '')}`
}
