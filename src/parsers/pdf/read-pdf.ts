import { ApiError } from '../../errors.ts'
import { describeAttachments } from '../describe-attachments.ts'
import type { ParseEvent, SourceFile } from '../parse-event.ts'
import { openPdf, PAGE_DAMAGED, type PageOutcome, type PdfDocument } from './pdf-document.ts'
import { type PageContent, readPage } from './read-page.ts'
import { createTypography, type Outline, readOutline, type Typography } from './typography.ts'

/** Pages that are read before the first is given out: from them the sizes of text and headings are learned. */
const SAMPLE_PAGES = 8

type NumberedPage = { index: number; outcome: PageOutcome<PageContent> }

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
    const title = await document.tryTo(() => readTitle(document))
    if (title !== null && title !== '') yield { title, over: 'file-name' }
    const attachments = await document.tryTo(() => describeAttachments(document))
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

async function* readPages(document: PdfDocument): AsyncGenerator<ParseEvent> {
  const outline: Outline = (await document.tryTo(() => readOutline(document))) ?? new Map()
  const waiting: NumberedPage[] = []
  let typography: Typography | null = null
  let failed = 0
  for (let index = 0; index < document.pageCount; index++) {
    const outcome = await document.withPage(index, (page) => readPage(document, page))
    if ('failure' in outcome) failed++
    if (failed === document.pageCount) throw allFailed(failed, 'failure' in outcome ? outcome.failure : '')
    waiting.push({ index, outcome })
    if (typography === null && waiting.length < Math.min(SAMPLE_PAGES, document.pageCount)) continue
    typography ??= createTypography(
      waiting.flatMap(({ outcome: read }) => ('value' in read ? read.value.blocks : [])),
      outline,
    )
    for (const ready of waiting.splice(0)) yield* pageEvents(ready, typography)
  }
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

/** `failure` is that of the last page. */
function allFailed(pages: number, failure: string): ApiError {
  const which = pages === 1 ? 'its page cannot be read' : `none of its ${pages} pages can be read`
  const message = failure === PAGE_DAMAGED ? `The PDF is damaged: ${which}.` : `Of the PDF ${which}. ${failure}`
  return new ApiError('unprocessable_document', { message })
}
