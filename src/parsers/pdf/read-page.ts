import type { Glyph } from './glyph.ts'
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
  /** Nothing is drawn on it, not even a line. */
  isBlank: boolean
  widthPoints: number
  heightPoints: number
}

/** A page with fewer characters and an image is a picture of a page. Found all named scans among 330 files. */
const SCAN_CHARACTERS = 10
/**
 * A stamp or page number on a scan has fewer characters, or is small print: the lines of courts and archives ("Downloaded from …") take 1 to 2 % of
 * a page, three lines of a letter 3 %. The image has most of the page.
 */
const STAMP_CHARACTERS = 100
const SMALL_PRINT = { characters: 1_000, share: 0.02 } as const
const STAMPED_SHARE = 0.8

/** A box that can be ticked stands on scans of forms as well, and is no text of a page. */
const CHECK_BOX = /^\[[ x]\]/

/** Reads a page that is open. */
export function readPage(document: PdfDocument, page: number): PageContent {
  const { glyphs, unmapped, hidden } = listGlyphs(document, page)
  const { placed, comments } = listAnnotations(document, page)
  const own = glyphs.map((glyph) => glyph.text).join('')
  const hasPlaced = placed.some(({ text }) => text.length > 3 && !CHECK_BOX.test(text))
  const widthPoints = document.pdfium.FPDF_GetPageWidthF(page)
  const heightPoints = document.pdfium.FPDF_GetPageHeightF(page)
  const isSmall = hidden === 0 && isSmallPrint(glyphs, widthPoints * heightPoints)
  const kind = getKind(document, { page, text: own, unmapped, hasPlaced, isSmall })
  const isReadable = !isGarbled(own, unmapped)
  return {
    kind,
    blocks: isReadable ? layOutPage(glyphs, placed).filter((block) => block.text.trim() !== '') : [],
    comments,
    isBlank: document.pdfium.FPDFPage_CountObjects(page) === 0,
    widthPoints,
    heightPoints,
  }
}

/** `text` is all that is drawn or hidden; `isSmall`: drawn, and so little that it may be a stamp. */
type PageFacts = { page: number; text: string; unmapped: number; hasPlaced: boolean; isSmall: boolean }

function getKind(document: PdfDocument, { page, text, unmapped, hasPlaced, isSmall }: PageFacts): PageContent['kind'] {
  const characters = text.replace(/\s/g, '').length
  if (isGarbled(text, unmapped)) return 'scan'
  // Objects are looked through only where the text is short: it takes longer than reading the text.
  const mayBeStamp = characters < STAMP_CHARACTERS || (isSmall && characters < SMALL_PRINT.characters)
  const share = mayBeStamp ? getImageShare(document, page) : null
  if (share !== null && (share >= STAMPED_SHARE || (characters < SCAN_CHARACTERS && !hasPlaced))) return 'scan'
  return characters > 0 || hasPlaced ? 'text' : 'empty'
}

function isSmallPrint(glyphs: readonly Glyph[], pageArea: number): boolean {
  const inked = glyphs.filter(({ text, isGenerated }) => !isGenerated && text.trim() !== '')
  const area = inked.reduce((total, { left, right, size }) => total + (right - left) * size, 0)
  return area < SMALL_PRINT.share * pageArea
}
