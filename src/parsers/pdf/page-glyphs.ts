import { type ActualText, type ActualTexts, mendActualTexts, openActualTexts } from './actual-texts.ts'
import type { Glyph } from './glyph.ts'
import type { PdfDocument } from './pdf-document.ts'

/** The characters of a page in the order of the file. */
export type PageGlyphs = {
  glyphs: Glyph[]
  /** Characters the fonts say nothing of. */
  unmapped: number
  /** Characters that are not drawn: what an earlier recogniser laid over a scan. */
  hidden: number
}

type Style = FontFacts & { size: number; isHidden: boolean; angle: number; cos: number; sin: number }

type FontFacts = { isBold: boolean; isNamed: boolean }

/** What is known of the fonts of a document, by their handles: a font is the same object from page to page, and its name is slow to ask for. */
export type Fonts = Map<number, FontFacts>

/** fpdf_edit.h: the render mode of text that is neither filled nor stroked. */
const INVISIBLE = 3

/** Characters of a page that are read: more than the densest page of print has fifty times over. */
const MAX_PAGE_CHARACTERS = 500_000

/** The text of a page, glyph by glyph. */
export function listGlyphs(document: PdfDocument, page: number): PageGlyphs {
  const { pdfium } = document
  const text = pdfium.FPDFText_LoadPage(page)
  if (text === 0) return { glyphs: [], unmapped: 0, hidden: 0 }
  const actualTexts = openActualTexts(document, page)
  try {
    return readGlyphs(document, { text, actualTexts })
  } finally {
    actualTexts.close()
    pdfium.FPDFText_ClosePage(text)
  }
}

type PageText = { text: number; actualTexts: ActualTexts }

function readGlyphs(document: PdfDocument, page: PageText): PageGlyphs {
  const { text } = page
  const { pdfium } = document
  const count = Math.min(pdfium.FPDFText_CountChars(text), MAX_PAGE_CHARACTERS)
  const glyphs: Glyph[] = []
  const parts: (ActualText | null)[] = []
  let unmapped = 0
  let hidden = 0
  const readObject = createObjectReader(document, page)
  let object: TextObject = { style: NO_STYLE, part: null }
  for (let index = 0; index < count; index++) {
    const code = pdfium.FPDFText_GetUnicode(text, index)
    const isGenerated = code <= 32 && pdfium.FPDFText_IsGenerated(text, index) === 1
    if (!isGenerated) {
      object = readObject(index)
      if (object.style.isHidden) hidden++
      if (code < 32 || code > 0x2fff) unmapped += pdfium.FPDFText_HasUnicodeMapError(text, index) === 1 ? 1 : 0
    }
    const { style, part } = object
    parts.push(isGenerated ? null : part)
    glyphs.push({
      ...placeOf(document, { text, index, style }),
      text: toText(code),
      isGenerated,
      ...(!style.isNamed && { isOfPictures: true }),
    })
  }
  return { glyphs: mendActualTexts(glyphs, parts), unmapped, hidden }
}

type TextObject = { style: Style; part: ActualText | null }

const NO_STYLE: Style = { size: 0, isBold: false, isNamed: true, isHidden: false, angle: 0, cos: 1, sin: 0 }

/** Reads the object that a character is of, once for those that follow each other in it. */
function createObjectReader(document: PdfDocument, { text, actualTexts }: PageText) {
  let handle = 0
  let object: TextObject = { style: NO_STYLE, part: null }
  return (index: number): TextObject => {
    const current = document.pdfium.FPDFText_GetTextObject(text, index)
    if (current === handle && current !== 0) return object
    handle = current
    const style = readStyle(document, { text, index, object: current })
    object = { style, part: actualTexts.find(current) }
    return object
  }
}

/** The bullets of Symbol and Wingdings, which have no letters, as text writes them. */
const PICTURE_BULLETS: ReadonlyMap<number, string> = new Map([
  [0xf0b7, '•'],
  [0xf0a7, '•'],
  [0xf0d8, '•'],
  [0xf076, '•'],
  [0xf0fc, '✓'],
])

function toText(code: number): string {
  const bullet = PICTURE_BULLETS.get(code)
  if (bullet !== undefined) return bullet
  // Halves of a pair come one by one.
  return code <= 0xffff ? String.fromCharCode(code) : String.fromCodePoint(Math.min(code, 0x10ffff))
}

/** The font size times the scale of the text matrix is what a person sees; files write 12 × 1 as often as 1 × 12. */
function readStyle(
  { pdfium, scratch, fonts }: PdfDocument,
  { text, index, object }: { text: number; index: number; object: number },
): Style {
  const size = pdfium.FPDFText_GetFontSize(text, index)
  pdfium.FPDFText_GetMatrix(text, index, scratch)
  const { floats } = pdfium.memory()
  const [a = 1, b = 0, c = 0, d = 1] = floats.subarray(scratch >> 2, (scratch >> 2) + 4)
  const radians = Math.atan2(b, a)
  const degrees = Math.round((radians * 180) / Math.PI)
  const isUpright = Math.abs(degrees) <= 3
  return {
    size: Math.abs(size) * Math.hypot(c, d) || 1,
    ...(object === 0 ? NO_FONT : readFont({ pdfium, scratch }, pdfium.FPDFTextObj_GetFont(object), fonts)),
    isHidden: object !== 0 && pdfium.FPDFTextObj_GetTextRenderMode(object) === INVISIBLE,
    angle: isUpright ? 0 : (degrees + 360) % 360,
    cos: isUpright ? 1 : Math.cos(radians),
    sin: isUpright ? 0 : Math.sin(radians),
  }
}

const NO_FONT: FontFacts = { isBold: false, isNamed: true }

function readFont({ pdfium, scratch }: Pick<PdfDocument, 'pdfium' | 'scratch'>, font: number, fonts: Fonts): FontFacts {
  const known = fonts.get(font)
  if (known !== undefined) return known
  const bytes = Math.min(pdfium.FPDFFont_GetBaseFontName(font, scratch, 256), 256)
  const name = Buffer.from(pdfium.memory().bytes.subarray(scratch, scratch + Math.max(0, bytes - 1))).toString('latin1')
  const isBold = /bold|black|heavy|semib|demi|\bCMBX/i.test(name) || pdfium.FPDFFont_GetWeight(font) >= 600
  const facts = { isBold, isNamed: name !== '' }
  fonts.set(font, facts)
  return facts
}

type Place = Pick<Glyph, 'left' | 'right' | 'baseline' | 'size' | 'isBold' | 'angle'>

function placeOf(
  { pdfium, scratch }: PdfDocument,
  { text, index, style }: { text: number; index: number; style: Style },
): Place {
  pdfium.FPDFText_GetCharOrigin(text, index, scratch, scratch + 8)
  pdfium.FPDFText_GetLooseCharBox(text, index, scratch + 16)
  const { floats, doubles } = pdfium.memory()
  const x = doubles[scratch >> 3] ?? 0
  const y = doubles[(scratch >> 3) + 1] ?? 0
  const box = (scratch + 16) >> 2
  const [left = x, top = y, right = x, bottom = y] = [floats[box], floats[box + 1], floats[box + 2], floats[box + 3]]
  const { size, isBold, angle, cos, sin } = style
  if (angle === 0) return { left: Math.min(left, x), right, baseline: y, size, isBold, angle }
  const along = [left * cos + bottom * sin, left * cos + top * sin, right * cos + bottom * sin, right * cos + top * sin]
  return { left: x * cos + y * sin, right: Math.max(...along), baseline: y * cos - x * sin, size, isBold, angle }
}
