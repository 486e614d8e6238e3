import type { PdfDocument } from './pdf-document.ts'

/** fpdfview.h: kinds of page objects. */
const IMAGE = 3
const FORM = 5
/** Objects that are looked at; a page of a million strokes is no scan. */
const MAX_OBJECTS = 5_000
const MAX_DEPTH = 8

/** The share of a page that images cover, 0 to 1, also those inside form objects; `null` when it has none. Overlaps count twice. */
export function getImageShare(document: PdfDocument, page: number): number | null {
  const { pdfium } = document
  const area = pdfium.FPDF_GetPageWidthF(page) * pdfium.FPDF_GetPageHeightF(page)
  const left = { objects: MAX_OBJECTS }
  let images = 0
  let covered = 0

  function look(object: number, depth: number, frame: number | null): void {
    if (left.objects-- <= 0) return
    const kind = pdfium.FPDFPageObj_GetType(object)
    if (kind === IMAGE) {
      images++
      // Bounds within a form are in the form's own measure: what counts there is the form.
      covered += frame ?? areaOf(document, object)
    }
    if (kind !== FORM || depth >= MAX_DEPTH) return
    const count = pdfium.FPDFFormObj_CountObjects(object)
    const outer = frame ?? areaOf(document, object)
    for (let index = 0; index < count && left.objects > 0; index++) {
      look(pdfium.FPDFFormObj_GetObject(object, index), depth + 1, outer)
    }
  }

  const count = pdfium.FPDFPage_CountObjects(page)
  for (let index = 0; index < count && left.objects > 0; index++) look(pdfium.FPDFPage_GetObject(page, index), 0, null)
  return images === 0 ? null : Math.min(1, covered / Math.max(1, area))
}

function areaOf({ pdfium, scratch }: PdfDocument, object: number): number {
  if (pdfium.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return 0
  const [left = 0, bottom = 0, right = 0, top = 0] = pdfium.memory().floats.subarray(scratch >> 2, (scratch >> 2) + 4)
  return Math.abs((right - left) * (top - bottom))
}
