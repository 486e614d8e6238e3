import type { SourceFile } from '../parse-event.ts'
import { listAnnotations, mergeAnnotations } from '../pdf/annotations.ts'
import type { Glyph } from '../pdf/glyph.ts'
import { listGlyphs } from '../pdf/page-glyphs.ts'
import { openPdf, type PdfDocument } from '../pdf/pdf-document.ts'
import { type RenderedPage, renderOpenPage } from '../pdf/render-page.ts'
import type { Box } from './draw-image-page.ts'
import { findRuns } from './find-runs.ts'

/** The passage to highlight, and the words before, which distinguish it from similar passages. */
export type Passage = { before: string; wanted: string }

/** Height of letters above and below the baseline, as a share of the font size, in most fonts. */
const ABOVE = 0.85
const BELOW = 0.25

/**
 * Draws a page in colour and returns the boxes of the passage in pixels, one per line. Throws as
 * `drawPage` does. A passage not found on the page has no boxes.
 */
export async function drawPdfPage(
  source: SourceFile,
  page: number,
  { dpi, passage }: { dpi: number; passage: Passage | null },
): Promise<{ picture: RenderedPage; boxes: Box[] }> {
  const document = await openPdf(source)
  try {
    const picture = await renderOpenPage(document, page, { dpi, colours: 'rgba' })
    if (passage === null) return { picture, boxes: [] }
    const boxes = await document.withPage(page - 1, (handle) => {
      const hasDrawn = listAnnotations(document, handle).drawn.length > 0
      const merged = hasDrawn ? mergeAnnotations(document, handle, page - 1) : 0
      const { glyphs } = listGlyphs(document, merged === 0 ? handle : merged)
      if (merged !== 0) document.pdfium.FPDF_ClosePage(merged)
      const runs = findRuns(
        glyphs.map(({ text }) => text),
        passage,
      )
      return runs.flatMap(({ start, end }) => boxesOf(document, handle, { glyphs: glyphs.slice(start, end), picture }))
    })
    return { picture, boxes: 'value' in boxes ? boxes.value : [] }
  } finally {
    document.close()
  }
}

type Line = { glyphs: readonly Glyph[]; picture: RenderedPage }

/** Returns one box per line of glyphs. */
function boxesOf(document: PdfDocument, page: number, { glyphs, picture }: Line): Box[] {
  const lines: Glyph[][] = []
  for (const glyph of glyphs.filter(({ isGenerated }) => !isGenerated)) {
    const last = lines.at(-1)?.at(-1)
    const goesOn =
      last !== undefined &&
      last.angle === glyph.angle &&
      Math.abs(last.baseline - glyph.baseline) < glyph.size / 2 &&
      glyph.left >= last.left
    if (goesOn) lines.at(-1)?.push(glyph)
    else lines.push([glyph])
  }
  return lines.map((line) => boxOf(document, page, { glyphs: line, picture }))
}

function boxOf(document: PdfDocument, page: number, { glyphs, picture }: Line): Box {
  const [first] = glyphs
  const radians = ((first?.angle ?? 0) * Math.PI) / 180
  const left = Math.min(...glyphs.map((glyph) => glyph.left))
  const right = Math.max(...glyphs.map((glyph) => glyph.right))
  const bottom = Math.min(...glyphs.map(({ baseline, size }) => baseline - BELOW * size))
  const top = Math.max(...glyphs.map(({ baseline, size }) => baseline + ABOVE * size))
  // Glyphs are measured along their line, in the page's unrotated coordinates.
  const corners = [
    [left, bottom],
    [left, top],
    [right, bottom],
    [right, top],
  ].map(([along = 0, across = 0]) => {
    const x = along * Math.cos(radians) - across * Math.sin(radians)
    const y = along * Math.sin(radians) + across * Math.cos(radians)
    return toPixel(document, page, { x, y, picture })
  })
  const xs = corners.map(({ x }) => x)
  const ys = corners.map(({ y }) => y)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** Maps a page point to a pixel. PDFium applies crop boxes and page rotation. */
function toPixel(
  { pdfium, scratch }: PdfDocument,
  page: number,
  { x, y, picture: { width, height } }: { x: number; y: number; picture: RenderedPage },
): { x: number; y: number } {
  pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, scratch, scratch + 4)
  const pixels = new DataView(pdfium.memory().bytes.buffer, scratch, 8)
  return { x: pixels.getInt32(0, true), y: pixels.getInt32(4, true) }
}
