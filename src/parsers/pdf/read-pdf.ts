import { ApiError } from '../../errors.ts'
import type { ParseEvent, SourceFile } from '../parse-event.ts'
import { describeAttachments } from './describe-attachments.ts'
import { readOutline } from './outline.ts'
import type { Fonts } from './page-glyphs.ts'
import { openPdf, type PdfDocument } from './pdf-document.ts'
import { type PageContent, readPage } from './read-page.ts'
import { createTypography, type Typography } from './typography.ts'

/** Pages that are read before the first is given out: from them the sizes of text and headings are learned. */
const SAMPLE_PAGES = 8

type NumberedPage = { index: number; content: PageContent | null }

/**
 * Reads a PDF page by page, in the order a person reads each: columns, rows, headings, form fields, remarks of readers. After each page comes its receipt; a
 * page that is only a picture, or whose text is not what it shows, is announced as `scan` instead, with the text it has, for whoever recognises it.
 * A page that is damaged is reported as failed, and the others go on. Throws `unprocessable_document` for a file that is protected, damaged, or without a
 * page that can be read.
 */
export async function* readPdf(source: SourceFile): AsyncGenerator<ParseEvent> {
  const document = await openPdf(source)
  try {
    yield { pageCount: document.pageCount }
    const title = readTitle(document)
    if (title !== '') yield { title, over: 'file-name' }
    const attachments = describeAttachments(document)
    if (attachments !== null) yield { warning: attachments }
    yield* readPages(document)
  } finally {
    document.close()
  }
}

/** The title in the properties of the file; '' when there is none. */
function readTitle({ pdfium, handle, scratch, readString }: PdfDocument): string {
  const tag = Buffer.from('Title\0', 'latin1')
  pdfium.memory().bytes.set(tag, scratch)
  return readString((buffer, bytes) => pdfium.FPDF_GetMetaText(handle, scratch, buffer, bytes))
}

function* readPages(document: PdfDocument): Generator<ParseEvent> {
  const outline = readOutline(document)
  const waiting: NumberedPage[] = []
  let typography: Typography | null = null
  let failed = 0
  for (const page of listPages(document)) {
    if (page.content === null) failed++
    if (failed === document.pageCount) throw allFailed(failed)
    waiting.push(page)
    if (typography === null && waiting.length < Math.min(SAMPLE_PAGES, document.pageCount)) continue
    typography ??= createTypography(
      waiting.flatMap(({ content }) => content?.blocks ?? []),
      outline,
    )
    for (const ready of waiting.splice(0)) yield* pageEvents(ready, typography)
  }
}

function* listPages(document: PdfDocument): Generator<NumberedPage> {
  // A font is the same object from page to page, and its name is slow to ask for.
  const fonts: Fonts = new Map()
  for (let index = 0; index < document.pageCount; index++) {
    yield { index, content: document.withPage(index, (page) => readPage(document, page, fonts)) }
  }
}

function* pageEvents({ index, content }: NumberedPage, typography: Typography): Generator<ParseEvent> {
  const page = index + 1
  if (content === null) {
    yield { page: { page, method: 'failed', characters: 0, confidence: null, message: 'The page is damaged.' } }
    return
  }
  const { kind, widthPoints, heightPoints } = content
  const events = [...blockEvents(content, index, typography)]
  if (kind === 'scan') {
    yield { scan: { page, widthPoints, heightPoints, text: textOf(events) } }
    return
  }
  yield* events
  const characters = textOf(events).length
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

function textOf(events: readonly ParseEvent[]): string {
  return events.map((event) => ('block' in event ? event.block.text : '')).join('')
}

/** Letters that fonts draw as one, as text writes them; halves of pairs and control characters go. */
function toWellFormed(text: string): string {
  return text
    .replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'))
    .replace(/(?![\t\n])\p{Cc}|\p{Noncharacter_Code_Point}/gu, '')
    .toWellFormed()
}

function allFailed(pages: number): ApiError {
  return new ApiError('unprocessable_document', {
    message:
      pages === 1
        ? 'The PDF is damaged: its page cannot be read.'
        : `The PDF is damaged: none of its ${pages} pages can be read.`,
  })
}
