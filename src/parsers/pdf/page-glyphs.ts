import { dropOverprint } from './drop-overprint.ts'
import type { Glyph } from './glyph.ts'
import type { PdfDocument } from './pdf-document.ts'

/** Characters of a page in file order. */
type PageGlyphs = {
  glyphs: Glyph[]
  /** Count of characters without a Unicode mapping in their font. */
  unmapped: number
  /** Count of invisible characters: the text layer of an earlier OCR. */
  hidden: number
}

type FontFacts = { isBold: boolean; isNamed: boolean }

type TextStyle = FontFacts & { size: number; isHidden: boolean; angle: number; cos: number; sin: number }

/** fpdf_edit.h: render mode of text without fill and stroke. */
const INVISIBLE = 3

/** Fifty times the characters of the densest printed page. */
const MAX_PAGE_CHARACTERS = 500_000

/** Reads the glyphs of a page, without text outside of its box and without overprinted copies. */
export function listGlyphs(document: PdfDocument, page: number): PageGlyphs {
  const { pdfium } = document
  const text = pdfium.FPDFText_LoadPage(page)
  if (text === 0) return { glyphs: [], unmapped: 0, hidden: 0 }
  const actualTexts = openActualTexts(document, page)
  try {
    return readGlyphs(document, { text, actualTexts, box: readPageBox(document, page) })
  } finally {
    actualTexts.close()
    pdfium.FPDFText_ClosePage(text)
  }
}

type PageText = { text: number; actualTexts: ActualTexts; box: Box }

/** A character with the facts that only this step needs. */
type ReadCharacter = { glyph: Glyph; code: number; object: TextObject; isShown: boolean; isUnmapped: boolean }

function readGlyphs(document: PdfDocument, page: PageText): PageGlyphs {
  const shown = listShownCharacters(listCharacters(document, page))
  const glyphs = shown.map(({ glyph }) => glyph)
  const parts = shown.map(({ glyph, object }) => (glyph.isGenerated ? null : object.part))
  const unmapped = shown.flatMap(({ isUnmapped, code }, at) => (isUnmapped ? [{ code, at }] : []))
  const hidden = shown.filter(({ glyph, object }) => !glyph.isGenerated && object.style.isHidden).length
  const isDecoded = decodeUtf8Codes(glyphs, unmapped)
  return {
    glyphs: dropOverprint(repairActualTexts(glyphs, parts)),
    unmapped: isDecoded ? 0 : unmapped.length,
    hidden,
  }
}

function listCharacters(document: PdfDocument, page: PageText): ReadCharacter[] {
  const { text, box } = page
  const { pdfium } = document
  const count = Math.min(pdfium.FPDFText_CountChars(text), MAX_PAGE_CHARACTERS)
  const characters: ReadCharacter[] = []
  const readObject = createObjectReader(document, page)
  let object: TextObject = NO_OBJECT
  for (let index = 0; index < count; index++) {
    const code = pdfium.FPDFText_GetUnicode(text, index)
    const isGenerated = code <= 32 && pdfium.FPDFText_IsGenerated(text, index) === 1
    if (!isGenerated) object = readObject(index)
    const isDoubtful = !isGenerated && (code < 32 || code > 0x2fff)
    const glyph = measureGlyph(document, { text, index, style: object.style })
    const isShown = isGenerated || isInBox(document, box)
    glyph.text = decodeCharacter(code)
    glyph.isGenerated = isGenerated
    glyph.object = object.handle
    if (!object.style.isNamed) glyph.isBitmapFont = true
    const isUnmapped = isDoubtful && pdfium.FPDFText_HasUnicodeMapError(text, index) === 1
    characters.push({ glyph, code, object, isShown, isUnmapped })
  }
  return characters
}

/**
 * Drops text outside of the page: the other half of a spread, or printer's marks. A line that runs
 * off the page is kept whole.
 */
function listShownCharacters(characters: ReadCharacter[]): ReadCharacter[] {
  if (characters.every(({ isShown }) => isShown)) return characters
  const shown = new Set(
    characters.flatMap(({ isShown, glyph, object }) => (isShown && !glyph.isGenerated ? [object.handle] : [])),
  )
  return characters.filter(({ isShown, object }) => isShown || shown.has(object.handle))
}

/** The character code of a glyph without a Unicode mapping. */
type UnmappedCode = { code: number; at: number }

/**
 * Decodes the codes of fonts whose character map is UTF-8, as libharu writes. PDFium rejects such a
 * map and returns the bare code. False when any code is not UTF-8: nothing is decoded then.
 */
function decodeUtf8Codes(glyphs: Glyph[], unmapped: readonly UnmappedCode[]): boolean {
  const texts = unmapped.map(({ code }) => decodeUtf8Code(code))
  if (texts.length === 0 || texts.includes(null)) return false
  for (const [index, { at }] of unmapped.entries()) {
    const glyph = glyphs[at]
    if (glyph !== undefined) glyphs[at] = { ...glyph, text: texts[index] ?? glyph.text }
  }
  return true
}

/** `null` for a code that is not a character of several bytes. */
function decodeUtf8Code(code: number): string | null {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(code >>> 0)
  const text = bytes.subarray(bytes.findIndex((byte) => byte !== 0)).toString('utf8')
  return code > 0xff && [...text].length === 1 && text !== '\ufffd' ? text : null
}

type TextObject = { style: TextStyle; part: ActualText | null; handle: number }

const NO_FONT: FontFacts = { isBold: false, isNamed: true }
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
  const facts = { isBold, isNamed: name !== '' }
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
  { text, index, style: { size, isBold, angle, cos, sin } }: { text: number; index: number; style: TextStyle },
): Glyph {
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

/**
 * A marked part of a page with replacement text (ActualText). `right`: the right edge of the drawn
 * content in points; `null` if unknown.
 */
type ActualText = { mark: number; right: number | null }

/** Lookup of the ActualText parts of a page. */
type ActualTexts = {
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
function openActualTexts({ pdfium, scratch }: PdfDocument, page: number): ActualTexts {
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
 * position of marks. `parts` holds the part of each glyph.
 */
function repairActualTexts(glyphs: readonly Glyph[], parts: readonly (ActualText | null)[]): Glyph[] {
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
    const part = parts[index] ?? null
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
