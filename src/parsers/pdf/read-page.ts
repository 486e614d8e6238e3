import type { Glyph } from './glyph.ts'
import type { LaidBlock } from './layout/laid-block.ts'
import { layOutPage, type PlacedText } from './layout/lay-out-page.ts'
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
const CHECK_BOX_TEXT = /^\[[ x]\]/

/** Reads a page that is open. */
export function readPage(document: PdfDocument, page: number): PageContent {
  const { glyphs, unmapped, hidden } = listGlyphs(document, page)
  const { placed, comments } = listAnnotations(document, page)
  const own = glyphs.map((glyph) => glyph.text).join('')
  const hasPlaced = placed.some(({ text }) => text.length > 3 && !CHECK_BOX_TEXT.test(text))
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

/** fpdfview.h: kinds of page objects. */
const IMAGE = 3
const FORM = 5
/** Objects that are looked at; a page of a million strokes is no scan. */
const MAX_OBJECTS = 5_000
const MAX_DEPTH = 8

/** The share of a page that images cover, 0 to 1, also those inside form objects; `null` when it has none. Overlaps count twice. */
function getImageShare(document: PdfDocument, page: number): number | null {
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

/** Fewer letters say nothing of a language. */
const MIN_LETTERS = 60
/** Of any text in Latin letters 30 to 50 % are vowels; where a font's table is shifted, what shows as vowels are other letters. */
const MIN_VOWELS = 0.2
/** Shifted small letters show as capitals, and German, with its many R, has more of them that look like vowels. Texts in capitals have 33 % and more. */
const MIN_VOWELS_IN_CAPITALS = 0.28
/** Marks that no text has: replacement, private use, control. */
const MAX_STRANGE = 0.3
/** Ornaments, which are what glyphs without a code of their own (`a1`, `a2`) are named as in the font that has them: pages of PostScript whose letters are pictures. */
const MAX_ORNAMENTS = 0.5

/**
 * True when a text is not what the page shows, because its font does not say which letters its shapes are: then the page has to be looked at.
 * `unmapped` counts the characters that PDFium itself doubts.
 */
export function isGarbled(text: string, unmapped: number): boolean {
  // Without their accents, letters are those of the basic alphabet in every language that is written in Latin.
  const shown = text.normalize('NFD').replace(/[\s\p{M}]/gu, '')
  if (shown.length < 10) return false
  const strange = shown.match(/(?![\uf000-\uf0ff])[\ufffd\p{Co}\p{Cc}]/gu)?.length ?? 0
  if (strange > MAX_STRANGE * shown.length || unmapped > 0.5 * shown.length) return true
  const ornaments = shown.match(/[\u2701-\u27be]/g)?.length ?? 0
  if (shown.length >= MIN_LETTERS && ornaments > MAX_ORNAMENTS * shown.length) return true
  const letters = shown.match(/[A-Za-z]/g)?.length ?? 0
  if (letters < MIN_LETTERS || letters < 0.5 * shown.length) return false
  const vowels = shown.match(/[AEIOUYaeiouy]/g)?.length ?? 0
  const capitals = shown.match(/[A-Z]/g)?.length ?? 0
  const least = capitals > 0.9 * letters ? MIN_VOWELS_IN_CAPITALS : MIN_VOWELS
  return vowels < least * letters && !hasWords(text)
}

/** Short words of the common languages in Latin letters: a list of codes has none, and is no garbled text if it has some. */
function hasWords(text: string): boolean {
  return (
    (text.match(/\b(?:the|and|of|to|in|for|is|der|die|und|das|de|la|le|et|el|en|di|il|que|um|van|na|och|att)\b/gi)
      ?.length ?? 0) >= 3
  )
}

/** What was laid upon a page: texts that stand in it, and remarks of readers. */
type Annotations = { placed: PlacedText[]; comments: string[] }

/** Annotations of a page that are read. */
const MAX_ANNOTATIONS = 2_000
/** fpdf_annot.h: subtypes. */
const FREE_TEXT = 3
const LINK = 2
const POPUP = 16
const WIDGET = 20
/** fpdf_formfill.h: kinds of fields. */
const CHECK_BOX = 2
const RADIO_BUTTON = 3
const PUSH_BUTTON = 1
const SIGNATURE = 7
/** fpdf_annot.h: a field whose value is a password; PDF 32000-1, table 165: an annotation that is not shown. */
const PASSWORD_FIELD = 1 << 13
const HIDDEN = 1 << 1

/** The values of form fields, text boxes and comments of a page. */
function listAnnotations(document: PdfDocument, page: number): Annotations {
  const { pdfium } = document
  const found: Annotations = { placed: [], comments: [] }
  const keys = {
    contents: putString(document, 'Contents'),
    author: putString(document, 'T'),
    state: putString(document, 'AS'),
  }
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    readAnnotation(document, { annotation, keys, found })
    pdfium.FPDFPage_CloseAnnot(annotation)
  }
  for (const key of Object.values(keys)) pdfium.free(key)
  return found
}

type Reading = { annotation: number; keys: { contents: number; author: number; state: number }; found: Annotations }

function readAnnotation(document: PdfDocument, { annotation, keys, found }: Reading): void {
  const { pdfium } = document
  const subtype = pdfium.FPDFAnnot_GetSubtype(annotation)
  if (subtype === LINK || subtype === POPUP || (pdfium.FPDFAnnot_GetFlags(annotation) & HIDDEN) !== 0) return
  if (subtype === WIDGET) {
    const text = fieldText(document, { annotation, keys, found })
    if (text.trim() !== '') found.placed.push({ text, ...rectangleOf(document, annotation) })
    return
  }
  const text = readValue(document, annotation, keys.contents)
  if (text.trim() === '') return
  if (subtype === FREE_TEXT) found.placed.push({ text, ...rectangleOf(document, annotation) })
  else {
    const author = readValue(document, annotation, keys.author).trim()
    found.comments.push(author === '' ? text : `${author}: ${text}`)
  }
}

function fieldText(document: PdfDocument, { annotation, keys }: Reading): string {
  const { pdfium, form } = document
  const kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
  if (kind <= 0 || kind === PUSH_BUTTON || kind === SIGNATURE) return ''
  if (kind === CHECK_BOX || kind === RADIO_BUTTON) {
    const isOff = /^(?:Off)?$/.test(readValue(document, annotation, keys.state))
    const label = labelOf(document, annotation, kind === RADIO_BUTTON && !isOff)
    return `${isOff ? '[ ]' : '[x]'} ${label}`.trim()
  }
  if ((pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & PASSWORD_FIELD) !== 0) return ''
  return readFormValue(document, annotation)
}

function readFormValue({ pdfium, form, readString }: PdfDocument, annotation: number): string {
  return readString((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes))
}

/** Names that a person gave, not `form1[0].c1_1[0]` or `Check Box12`. */
const WORDS = /^\p{L}[\p{L}\p{M} ,'’/()-]*$/u

/** What a box says of itself to who points at it, else what was chosen with it, else its name where that is words; '' when none. */
function labelOf(document: PdfDocument, annotation: number, isChosen: boolean): string {
  const { pdfium, form, readString } = document
  const tooltip = readString((buffer, bytes) =>
    pdfium.FPDFAnnot_GetFormFieldAlternateName(form, annotation, buffer, bytes),
  ).trim()
  if (tooltip !== '') return tooltip
  // The buttons of one choice share their name and their value.
  const value = isChosen ? readFormValue(document, annotation).trim() : ''
  if (WORDS.test(value)) return value
  const name = readString((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldName(form, annotation, buffer, bytes)).trim()
  return WORDS.test(name) ? name : ''
}

function readValue({ pdfium, readString }: PdfDocument, annotation: number, key: number): string {
  return readString((buffer, bytes) => pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, bytes))
}

function rectangleOf({ pdfium, scratch }: PdfDocument, annotation: number): Omit<PlacedText, 'text'> {
  pdfium.FPDFAnnot_GetRect(annotation, scratch)
  const { floats } = pdfium.memory()
  const [left = 0, top = 0, right = 0, bottom = 0] = floats.subarray(scratch >> 2, (scratch >> 2) + 4)
  return {
    left: Math.min(left, right),
    right: Math.max(left, right),
    bottom: Math.min(bottom, top),
    top: Math.max(bottom, top),
  }
}

function putString({ pdfium }: PdfDocument, text: string): number {
  const pointer = pdfium.malloc(text.length + 1)
  pdfium.memory().bytes.set(Buffer.from(`${text}\0`, 'latin1'), pointer)
  return pointer
}
