import type { Glyph } from './glyph.ts'
import type { PdfDocument } from './pdf-document.ts'

/**
 * A marked part of a page with replacement text (ActualText). `right`: the right edge of the drawn
 * content in points; `null` if unknown.
 */
export type ActualText = { mark: number; right: number | null }

/** Lookup of the ActualText parts of a page. */
export type ActualTexts = {
  /** Returns the part of a text object; `null` for ordinary text. */
  find(object: number): ActualText | null
  close(): void
}

/** fpdfview.h: the string object type. */
const STRING = 3
/** Limit on the objects inspected per page. */
const MAX_OBJECTS = 50_000
const MAX_MARKS = 20

/** Opens the lookup for a page. The caller closes it. */
export function openActualTexts({ pdfium, scratch }: PdfDocument, page: number): ActualTexts {
  const key = pdfium.malloc(ACTUAL_TEXT_KEY.length)
  pdfium.memory().bytes.set(ACTUAL_TEXT_KEY, key)
  let rights: ReadonlyMap<number, number> | null = null

  function findMark(object: number): number {
    const marks = Math.min(pdfium.FPDFPageObj_CountMarks(object), MAX_MARKS)
    for (let index = 0; index < marks; index++) {
      const mark = pdfium.FPDFPageObj_GetMark(object, index)
      if (pdfium.FPDFPageObjMark_GetParamValueType(mark, key) === STRING) return mark
    }
    return 0
  }

  /** A part may consist of several objects. */
  function findRightEdges(): ReadonlyMap<number, number> {
    const found = new Map<number, number>()
    const count = Math.min(pdfium.FPDFPage_CountObjects(page), MAX_OBJECTS)
    for (let index = 0; index < count; index++) {
      const object = pdfium.FPDFPage_GetObject(page, index)
      const mark = findMark(object)
      if (mark === 0) continue
      if (pdfium.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) continue
      const right = pdfium.memory().floats[(scratch >> 2) + 2] ?? 0
      found.set(mark, Math.max(right, found.get(mark) ?? right))
    }
    return found
  }

  return {
    find(object) {
      const mark = object === 0 ? 0 : findMark(object)
      if (mark === 0) return null
      rights ??= findRightEdges()
      return { mark, right: rights.get(mark) ?? null }
    },
    close: () => pdfium.free(key),
  }
}

const ACTUAL_TEXT_KEY = Buffer.from('ActualText\0', 'latin1')

/** Glyphs closer than this, in font sizes, have no space between. */
const MAX_LETTER_GAP_SIZES = 0.15
/** A wider part is not a letter with marks. */
const MAX_LETTER_SIZES = 6

/**
 * Repairs text with ActualText, as browsers print Thai and Hindi: letters drawn together with their
 * marks. PDFium repeats a part's text after each intervening letter, and inserts a space at the
 * position of marks. `objects` holds the text object of each glyph.
 */
export function repairActualTexts(glyphs: Glyph[], objects: readonly { part: ActualText | null }[]): Glyph[] {
  if (objects.every(({ part }) => part === null)) return glyphs
  const fixed: Glyph[] = []
  const seen = new Set<number>()
  /** Mark of the previous letter. */
  let before: number | null = null
  let isRepeated = false
  /** Count of spaces since the last letter of a part. */
  let gaps = 0
  for (const [index, glyph] of glyphs.entries()) {
    if (glyph.isGenerated) {
      gaps += 1
      fixed.push(glyph)
      continue
    }
    const part = objects[index]?.part ?? null
    const mark = part?.mark ?? null
    if (mark !== before) isRepeated = mark !== null && seen.has(mark)
    const isAfterPart = before !== null
    before = mark
    if (mark !== null) seen.add(mark)
    if (isRepeated) continue
    const letter = fixed.at(-1 - gaps)
    if (isAfterPart && gaps > 0 && letter !== undefined && isAdjacent(letter, glyph)) fixed.splice(-gaps)
    gaps = 0
    fixed.push(widenToActualText(glyph, part))
  }
  return fixed
}

function isAdjacent(one: Glyph, next: Glyph): boolean {
  return (
    one.baseline === next.baseline && next.left >= one.left && next.left - one.right < MAX_LETTER_GAP_SIZES * one.size
  )
}

function widenToActualText(glyph: Glyph, part: ActualText | null): Glyph {
  const right = part?.right ?? glyph.right
  const isLetter = glyph.angle === 0 && right > glyph.left && right - glyph.left < MAX_LETTER_SIZES * glyph.size
  return isLetter ? { ...glyph, right } : glyph
}
