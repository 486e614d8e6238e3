import type { Glyph } from './glyph.ts'
import type { PdfDocument } from './pdf-document.ts'

/** A part of a page of which the file says what it reads: its mark, and where what is drawn for it ends, in points; `null` where that is not known. */
export type ActualText = { mark: number; right: number | null }

/** Tells the parts of one page. */
export type ActualTexts = {
  /** The part that a text object is of; `null` where it stands for itself. */
  find(object: number): ActualText | null
  close(): void
}

/** fpdfview.h: the type of a string. */
const STRING = 3
/** Objects of a page that are looked at. */
const MAX_OBJECTS = 50_000
const MAX_MARKS = 20

/** Opens those of a page; `close` them. */
export function openActualTexts({ pdfium, scratch }: PdfDocument, page: number): ActualTexts {
  const key = pdfium.malloc(NAME.length)
  pdfium.memory().bytes.set(NAME, key)
  let rights: ReadonlyMap<number, number> | null = null

  function markOf(object: number): number {
    const marks = Math.min(pdfium.FPDFPageObj_CountMarks(object), MAX_MARKS)
    for (let index = 0; index < marks; index++) {
      const mark = pdfium.FPDFPageObj_GetMark(object, index)
      if (pdfium.FPDFPageObjMark_GetParamValueType(mark, key) === STRING) return mark
    }
    return 0
  }

  /** Several objects may be drawn for one part. */
  function findRights(): ReadonlyMap<number, number> {
    const found = new Map<number, number>()
    const count = Math.min(pdfium.FPDFPage_CountObjects(page), MAX_OBJECTS)
    for (let index = 0; index < count; index++) {
      const object = pdfium.FPDFPage_GetObject(page, index)
      const mark = markOf(object)
      if (mark === 0) continue
      if (pdfium.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) continue
      const right = pdfium.memory().floats[(scratch >> 2) + 2] ?? 0
      found.set(mark, Math.max(right, found.get(mark) ?? right))
    }
    return found
  }

  return {
    find(object) {
      const mark = object === 0 ? 0 : markOf(object)
      if (mark === 0) return null
      rights ??= findRights()
      return { mark, right: rights.get(mark) ?? null }
    },
    close: () => pdfium.free(key),
  }
}

const NAME = Buffer.from('ActualText\0', 'latin1')

/** Glyphs nearer than this, in font sizes, have no space between. */
const SPACE_SIZES = 0.15
/** A part that is wider is no letter with its marks. */
const MAX_LETTER_SIZES = 6

/**
 * Glyphs as the file says that they read, `parts` being those of each: of a letter that is drawn with its marks, as browsers print Thai and Hindi, PDFium gives the words
 * of the part once more where another letter was drawn meanwhile, and a space where the marks stand, which it does not see.
 */
export function mendActualTexts(glyphs: readonly Glyph[], parts: readonly (ActualText | null)[]): Glyph[] {
  const mended: Glyph[] = []
  const seen = new Set<number>()
  /** The mark of the letter before. */
  let before: number | null = null
  let isRepeated = false
  /** The spaces since the last letter of a part. */
  let gaps = 0
  for (const [index, glyph] of glyphs.entries()) {
    if (glyph.isGenerated) {
      gaps += 1
      mended.push(glyph)
      continue
    }
    const part = parts[index] ?? null
    const mark = part?.mark ?? null
    if (mark !== before) isRepeated = mark !== null && seen.has(mark)
    const isAfterPart = before !== null
    before = mark
    if (mark !== null) seen.add(mark)
    if (isRepeated) continue
    const letter = mended.at(-1 - gaps)
    if (isAfterPart && gaps > 0 && letter !== undefined && isBeside(letter, glyph)) mended.splice(-gaps)
    gaps = 0
    mended.push(withRight(glyph, part))
  }
  return mended
}

function isBeside(one: Glyph, next: Glyph): boolean {
  return one.baseline === next.baseline && next.left >= one.left && next.left - one.right < SPACE_SIZES * one.size
}

function withRight(glyph: Glyph, part: ActualText | null): Glyph {
  const right = part?.right ?? glyph.right
  const isLetter = glyph.angle === 0 && right > glyph.left && right - glyph.left < MAX_LETTER_SIZES * glyph.size
  return isLetter ? { ...glyph, right } : glyph
}
