import { type ActualText, type ActualTexts, openActualTexts, repairActualTexts } from './actual-texts.ts'
import { dropOverprint } from './drop-overprint.ts'
import type { Glyph } from './glyph.ts'
import type { Rule } from './layout/rule.ts'
import { listPathRules, PATH_OBJECT, readBounds, TEXT_OBJECT, visitObjects } from './page-objects.ts'
import type { PdfDocument } from './pdf-document.ts'

/** Characters of a page in file order. */
type PageGlyphs = {
  glyphs: Glyph[]
  /**
   * Count of characters without a Unicode mapping in their font; on long pages, those beyond ASCII.
   */
  unmapped: number
  /** Count of invisible characters: the text layer of an earlier OCR. */
  hidden: number
  /** Drawn lines of the page. */
  rules: Rule[]
}

type FontFacts = { isBold: boolean; isNamed: boolean; isEmbedded: boolean }

type TextStyle = FontFacts & { size: number; isHidden: boolean; angle: number; cos: number; sin: number }

/** fpdf_edit.h: render modes of text; invisible text has no fill and no stroke. */
const FILL = 0
const FILL_AND_STROKE = 2
const INVISIBLE = 3

/** Limits on the objects inspected per page, and on its rules. */
const MAX_OBJECTS = 50_000
const MAX_RULES = 5_000
/** All characters of shorter pages are checked for a Unicode mapping. */
const MAX_SHORT_CHARACTERS = 400
/** Fifty times the characters of the densest printed page. */
const MAX_PAGE_CHARACTERS = 500_000

/** Reads the glyphs of a page, without text outside of its box and without overprinted copies. */
export function listGlyphs(document: PdfDocument, page: number): PageGlyphs {
  const { pdfium } = document
  const { rules, repaired } = inspectObjects(document, page)
  const text = pdfium.FPDFText_LoadPage(page)
  if (text === 0) return { glyphs: [], unmapped: 0, hidden: 0, rules }
  const actualTexts = openActualTexts(document, page)
  try {
    return { ...readGlyphs(document, { text, actualTexts, repaired, box: readPageBox(document, page) }), rules }
  } finally {
    actualTexts.close()
    pdfium.FPDFText_ClosePage(text)
  }
}

/** Lists the rules of a page, and makes text of missing fonts readable. */
function inspectObjects(document: PdfDocument, page: number): { rules: Rule[]; repaired: Set<number> } {
  const { pdfium, fonts } = document
  const rules: Rule[] = []
  const repaired = new Set<number>()
  visitObjects(document, page, {
    maxObjects: MAX_OBJECTS,
    visit({ object, kind, matrix }) {
      if (kind === PATH_OBJECT && rules.length < MAX_RULES) rules.push(...listPathRules(document, { object, matrix }))
      if (kind !== TEXT_OBJECT) return
      const { isEmbedded } = readFont(document, pdfium.FPDFTextObj_GetFont(object), fonts)
      if (!isEmbedded && showEmptyText(document, object)) repaired.add(object)
    },
  })
  return { rules, repaired }
}

/** `repaired`: text objects that PDFium would ignore without a repair. */
type PageText = { text: number; actualTexts: ActualTexts; repaired: ReadonlySet<number>; box: Box }

/**
 * Characters with the facts that only this step needs. `objects`: the text object of each glyph;
 * `outside`: indexes of glyphs that are not on the page as shown.
 */
type PageCharacters = { glyphs: Glyph[]; objects: TextObject[]; unmapped: UnmappedCode[]; outside: number[] }

function readGlyphs(document: PdfDocument, page: PageText): Omit<PageGlyphs, 'rules'> {
  const { glyphs, objects, unmapped } = dropOutside(listCharacters(document, page))
  const isDecoded = decodeUtf8Codes(glyphs, unmapped)
  turnVerticalText(glyphs)
  return {
    glyphs: dropOverprint(repairActualTexts(glyphs, objects)),
    unmapped: isDecoded ? 0 : unmapped.length,
    hidden: countHidden(glyphs, objects),
  }
}

function countHidden(glyphs: readonly Glyph[], objects: readonly TextObject[]): number {
  let hidden = 0
  for (const [index, { style }] of objects.entries())
    if (style.isHidden && glyphs[index]?.isGenerated === false) hidden += 1
  return hidden
}

function listCharacters(document: PdfDocument, page: PageText): PageCharacters {
  const { text, box, repaired } = page
  const { pdfium } = document
  const count = Math.min(pdfium.FPDFText_CountChars(text), MAX_PAGE_CHARACTERS)
  const characters: PageCharacters = { glyphs: [], objects: [], unmapped: [], outside: [] }
  const readObject = createObjectReader(document, page)
  const isShort = count <= MAX_SHORT_CHARACTERS
  let object: TextObject = NO_OBJECT
  for (let index = 0; index < count; index++) {
    const code = pdfium.FPDFText_GetUnicode(text, index)
    const isMade = code <= 32 && pdfium.FPDFText_IsGenerated(text, index) === 1
    if (!isMade) object = readObject(index)
    // PDFium ignores a lone space, and generates one if the gap is wide.
    const isGenerated = isMade || (code === 32 && repaired.has(object.handle))
    const isDoubtful = !isGenerated && (isShort || code < 32 || code > 0x2fff)
    const glyph = measureGlyph(document, { text, index, object })
    if (!isGenerated && !isInBox(document, box)) characters.outside.push(index)
    glyph.text = decodeCharacter(code)
    glyph.isGenerated = isGenerated
    if (!object.style.isNamed) glyph.isBitmapFont = true
    if (isDoubtful && pdfium.FPDFText_HasUnicodeMapError(text, index) === 1)
      characters.unmapped.push({ code, at: index })
    characters.glyphs.push(glyph)
    characters.objects.push(object)
  }
  return characters
}

/**
 * Drops text outside of the page: the other half of a spread, or printer's marks. A line that runs
 * off the page is kept whole.
 */
function dropOutside(characters: PageCharacters): PageCharacters {
  const { glyphs, objects } = characters
  if (characters.outside.length === 0) return characters
  const outside = new Set(characters.outside)
  const shown = new Set(
    objects
      .filter((_, index) => !outside.has(index) && glyphs[index]?.isGenerated === false)
      .map(({ handle }) => handle),
  )
  const kept = [...glyphs.keys()].filter((index) => !outside.has(index) || shown.has(objects[index]?.handle ?? 0))
  const places = new Map(kept.map((index, at) => [index, at]))
  return {
    glyphs: kept.map((index) => glyphs[index] as Glyph),
    objects: kept.map((index) => objects[index] as TextObject),
    unmapped: characters.unmapped
      .map(({ code, at }) => ({ code, at: places.get(at) ?? -1 }))
      .filter(({ at }) => at >= 0),
    outside: [],
  }
}

/** The character code of a glyph without a Unicode mapping. */
type UnmappedCode = { code: number; at: number }

/**
 * Decodes the codes of fonts whose character map is UTF-8, as libharu writes. PDFium rejects such a
 * map and returns the bare code. False when any code is not UTF-8: nothing is decoded then.
 */
function decodeUtf8Codes(glyphs: Glyph[], unmapped: readonly UnmappedCode[]): boolean {
  const texts = unmapped.map(({ code }) => (isAscii(code) ? String.fromCharCode(code) : decodeUtf8Code(code)))
  if (unmapped.every(({ code }) => isAscii(code)) || texts.includes(null)) return false
  for (const [index, { at }] of unmapped.entries()) {
    const glyph = glyphs[at]
    if (glyph !== undefined) glyphs[at] = { ...glyph, text: texts[index] ?? glyph.text }
  }
  return true
}

function isAscii(code: number): boolean {
  return code >= 32 && code < 127
}

/** `null` for a code that is not a character of several bytes. */
function decodeUtf8Code(code: number): string | null {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(code >>> 0)
  const text = bytes.subarray(bytes.findIndex((byte) => byte !== 0)).toString('utf8')
  return code > 0xff && [...text].length === 1 && text !== '\ufffd' ? text : null
}

type TextObject = { style: TextStyle; part: ActualText | null; handle: number }

const NO_FONT: FontFacts = { isBold: false, isNamed: true, isEmbedded: true }
const NO_STYLE: TextStyle = { ...NO_FONT, size: 0, isHidden: false, angle: 0, cos: 1, sin: 0 }
const NO_OBJECT: TextObject = { style: NO_STYLE, part: null, handle: 0 }

/**
 * Reads the text object of a character. Consecutive characters of the same object share a result.
 */
function createObjectReader(document: PdfDocument, { text, actualTexts }: PageText) {
  let handle = 0
  let object: TextObject = NO_OBJECT
  return (index: number): TextObject => {
    const current = document.pdfium.FPDFText_GetTextObject(text, index)
    if (current === handle && current !== 0) return object
    handle = current
    const style = readStyle(document, { text, index, object: current })
    object = { style, part: actualTexts.find(current), handle: current }
    return object
  }
}

/** Bullets of Symbol and Wingdings, mapped to Unicode. */
const SYMBOL_BULLETS: ReadonlyMap<number, string> = new Map([
  [0xf0b7, '•'],
  [0xf0a7, '•'],
  [0xf0d8, '•'],
  [0xf076, '•'],
  [0xf0fc, '✓'],
])

function decodeCharacter(code: number): string {
  const bullet = SYMBOL_BULLETS.get(code)
  if (bullet !== undefined) return bullet
  // Surrogate pairs arrive as two characters.
  return code <= 0xffff ? String.fromCharCode(code) : String.fromCodePoint(Math.min(code, 0x10ffff))
}

/**
 * The visible size is the font size times the scale of the text matrix: files write 12 × 1 as often
 * as 1 × 12. Programs that flip the page write a negative size, which turns the line around.
 */
function readStyle(
  { pdfium, scratch, fonts }: PdfDocument,
  { text, index, object }: { text: number; index: number; object: number },
): TextStyle {
  const size = pdfium.FPDFText_GetFontSize(text, index)
  pdfium.FPDFText_GetMatrix(text, index, scratch)
  const { floats } = pdfium.memory()
  const [a = 1, b = 0, c = 0, d = 1] = floats.subarray(scratch >> 2, (scratch >> 2) + 4)
  const radians = size < 0 ? Math.atan2(-b, -a) : Math.atan2(b, a)
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

function readFont(
  { pdfium, scratch }: Pick<PdfDocument, 'pdfium' | 'scratch'>,
  font: number,
  fonts: PdfDocument['fonts'],
): FontFacts {
  const known = fonts.get(font)
  if (known !== undefined) return known
  const bytes = Math.min(pdfium.FPDFFont_GetBaseFontName(font, scratch, 256), 256)
  const name = Buffer.from(pdfium.memory().bytes.subarray(scratch, scratch + Math.max(0, bytes - 1))).toString('latin1')
  const isBold = /bold|black|heavy|semib|demi|\bCMBX/i.test(name) || pdfium.FPDFFont_GetWeight(font) >= 600
  const isEmbedded = pdfium.FPDFFont_GetIsEmbedded(font) === 1
  const facts = { isBold, isNamed: name !== '', isEmbedded }
  fonts.set(font, facts)
  return facts
}

/** Bounds on the page as shown, in points, before the rotation of the page. */
type Box = { left: number; bottom: number; right: number; top: number }

/** Extra margin in points, for rounded boxes. */
const BOX_MARGIN_POINTS = 1

function readPageBox({ pdfium, scratch }: PdfDocument, page: number): Box {
  if (pdfium.FPDF_GetPageBoundingBox(page, scratch) === 0) return WHOLE_PLANE
  const { floats } = pdfium.memory()
  const [left = 0, top = 0, right = 0, bottom = 0] = floats.subarray(scratch >> 2, (scratch >> 2) + 4)
  if (right <= left || top <= bottom) return WHOLE_PLANE
  return {
    left: left - BOX_MARGIN_POINTS,
    bottom: bottom - BOX_MARGIN_POINTS,
    right: right + BOX_MARGIN_POINTS,
    top: top + BOX_MARGIN_POINTS,
  }
}

const WHOLE_PLANE: Box = { left: -Infinity, bottom: -Infinity, right: Infinity, top: Infinity }

/** Measures a character; the caller fills in its text and object. */
function measureGlyph(
  { pdfium, scratch }: PdfDocument,
  { text, index, object: { style, handle } }: { text: number; index: number; object: TextObject },
): Glyph {
  const { size, isBold, angle, cos, sin } = style
  pdfium.FPDFText_GetCharOrigin(text, index, scratch, scratch + 8)
  pdfium.FPDFText_GetLooseCharBox(text, index, scratch + 16)
  const { floats, doubles } = pdfium.memory()
  const x = doubles[scratch >> 3] ?? 0
  const y = doubles[(scratch >> 3) + 1] ?? 0
  const box = (scratch + 16) >> 2
  const [left, top] = [floats[box] ?? x, floats[box + 1] ?? y]
  const [right, bottom] = [floats[box + 2] ?? x, floats[box + 3] ?? y]
  const isLevel = angle === 0
  return {
    text: '',
    left: isLevel ? Math.min(left, x) : x * cos + y * sin,
    right: isLevel ? right : Math.max(left * cos, right * cos) + Math.max(bottom * sin, top * sin),
    baseline: isLevel ? y : y * cos - x * sin,
    size,
    isBold,
    angle,
    isGenerated: false,
    object: handle,
  }
}

/** True if the middle of the character that was measured last is on the page as shown. */
function isInBox({ pdfium, scratch }: PdfDocument, shown: Box): boolean {
  const { floats } = pdfium.memory()
  const box = (scratch + 16) >> 2
  const x = ((floats[box] ?? 0) + (floats[box + 2] ?? 0)) / 2
  const y = ((floats[box + 1] ?? 0) + (floats[box + 3] ?? 0)) / 2
  return x >= shown.left && x <= shown.right && y >= shown.bottom && y <= shown.top
}

/** Angle of a line that runs downwards, as Glyph.angle. */
const DOWNWARDS = 270
/** Maximum offset of a letter from the one above, along and across the line, in font sizes. */
const MAX_STEP_SIZES = 2.5
const MAX_OFFSET_SIZES = 1
/** Top of a letter above its origin, and middle of a line above its baseline, in font sizes. */
const TOP_SIZES = 0.88
const MIDDLE_SIZES = 0.25

/**
 * Turns text written from top to bottom, as in Chinese and Japanese, into lines with an angle. The
 * first line is then the rightmost one. Within a text object, only vertical writing moves
 * downwards.
 */
function turnVerticalText(glyphs: Glyph[]): void {
  for (let from = 0; from < glyphs.length; ) {
    let end = from + 1
    while (end < glyphs.length && isBelow(glyphs[end], glyphs[end - 1])) end += 1
    if (end - from > 1) turnRun(glyphs, from, end)
    from = end
  }
}

function isBelow(glyph: Glyph | undefined, above: Glyph | undefined): boolean {
  if (glyph === undefined || above === undefined || glyph.object !== above.object) return false
  const step = above.baseline - glyph.baseline
  if (step <= 0 || step > MAX_STEP_SIZES * glyph.size || glyph.angle !== 0) return false
  return !glyph.isGenerated && !above.isGenerated && Math.abs(glyph.left - above.left) <= MAX_OFFSET_SIZES * glyph.size
}

function turnRun(glyphs: Glyph[], from: number, end: number): void {
  const middle = (glyphs[from]?.left ?? 0) + (glyphs[from]?.size ?? 0) / 2
  for (let index = from; index < end; index++) {
    const glyph = glyphs[index] as Glyph
    const { size, baseline } = glyph
    const left = -(baseline + TOP_SIZES * size)
    glyphs[index] = { ...glyph, angle: DOWNWARDS, left, right: left + size, baseline: middle - MIDDLE_SIZES * size }
  }
}

/** PDFium ignores text objects of a smaller width, in points. */
const MIN_TEXT_POINTS = 0.01

/**
 * Makes a text object readable whose font is not in the file, as is usual for Chinese, Japanese and
 * Korean. PDFium has no glyphs for such a font, measures a single character as empty and ignores
 * it. The width of a stroke gives the object an area. True for an object that was changed.
 */
function showEmptyText(document: PdfDocument, object: number): boolean {
  const { pdfium } = document
  const bounds = readBounds(document, object)
  if (bounds === null || bounds.right - bounds.left > MIN_TEXT_POINTS) return false
  if (pdfium.FPDFTextObj_GetTextRenderMode(object) !== FILL) return false
  pdfium.FPDFTextObj_SetTextRenderMode(object, FILL_AND_STROKE)
  // PDFium measures an object again only after a transformation.
  pdfium.FPDFPageObj_Transform(object, 1, 0, 0, 1, 0, 0)
  return true
}
