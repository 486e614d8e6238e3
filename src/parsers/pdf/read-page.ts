import { getImageShare } from './image-share.ts'
import { isGarbled } from './is-garbled.ts'
import type { LaidBlock } from './layout/laid-block.ts'
import { layOutPage } from './layout/lay-out-page.ts'
import { listAnnotations } from './page-annotations.ts'
import { listGlyphs } from './page-glyphs.ts'
import type { PdfDocument } from './pdf-document.ts'

/** What a page has: text, a picture of text that has to be recognised, or nothing. */
export type PageContent = {
  kind: 'text' | 'scan' | 'empty'
  blocks: LaidBlock[]
  comments: string[]
  widthPoints: number
  heightPoints: number
}

/** A page with fewer characters and an image is a picture of a page. Found all named scans among 330 files. */
const SCAN_CHARACTERS = 10
/** A stamp or page number on a scan has at most this many characters, and the image most of the page. */
const STAMP_CHARACTERS = 100
const STAMPED_SHARE = 0.8

/** Reads a page that is open. `fonts` is kept from page to page. */
export function readPage(document: PdfDocument, page: number, fonts: Map<number, boolean>): PageContent {
  const { glyphs, unmapped } = listGlyphs(document, page, fonts)
  const { placed, comments } = listAnnotations(document, page)
  const own = glyphs.map((glyph) => glyph.text).join('')
  const hasPlaced = placed.some(({ text }) => text.length > 3)
  const kind = getKind(document, { page, text: own, unmapped, hasPlaced })
  const isReadable = !isGarbled(own, unmapped)
  return {
    kind,
    blocks: isReadable ? layOutPage(glyphs, placed).filter((block) => block.text.trim() !== '') : [],
    comments,
    widthPoints: document.pdfium.FPDF_GetPageWidthF(page),
    heightPoints: document.pdfium.FPDF_GetPageHeightF(page),
  }
}

function getKind(
  document: PdfDocument,
  { page, text, unmapped, hasPlaced }: { page: number; text: string; unmapped: number; hasPlaced: boolean },
): PageContent['kind'] {
  const characters = text.replace(/\s/g, '').length
  if (isGarbled(text, unmapped)) return 'scan'
  // Objects are looked through only where the text is short: it takes longer than reading the text.
  const share = characters < STAMP_CHARACTERS ? getImageShare(document, page) : null
  if (share !== null && (characters < SCAN_CHARACTERS || share >= STAMPED_SHARE) && !hasPlaced) return 'scan'
  return characters > 0 || hasPlaced ? 'text' : 'empty'
}
