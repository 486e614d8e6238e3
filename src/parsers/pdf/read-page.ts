import { listAnnotations, mergeAnnotations, readDrawnAnnotations } from './annotations.ts'
import type { Glyph } from './glyph.ts'
import { layOutPage } from './layout/lay-out-page.ts'
import type { LayoutBlock } from './layout/layout-blocks.ts'
import { listGlyphs } from './page-glyphs.ts'
import { IMAGE_OBJECT, readBounds, visitObjects } from './page-objects.ts'
import type { PdfDocument } from './pdf-document.ts'

/** Content of a page: text, a scan that needs OCR, or nothing. */
export type PageContent = {
  kind: 'text' | 'scan' | 'empty'
  blocks: LayoutBlock[]
  comments: string[]
  /** True for a page without any drawn object. */
  isBlank: boolean
  /** True for a scan because its text is unreadable. */
  isGarbled: boolean
  widthPoints: number
  heightPoints: number
}

/**
 * A page with fewer characters and an image is a scan. The limit found all scans among 330 files.
 */
const MIN_TEXT_CHARACTERS = 10
/**
 * Limits for stamps and page numbers on a scan. Small print of courts and archives ("Downloaded
 * from …") covers 1 to 2 % of a page, three lines of a letter 3 %. The image must cover most of the
 * page.
 */
const MAX_STAMP_CHARACTERS = 100
const SMALL_PRINT = { characters: 1_000, share: 0.02 } as const
const MIN_SCAN_SHARE = 0.8

/** Scanned forms may have check boxes too, so a check box is no text of a page. */
const CHECK_BOX_TEXT = /^\[[ x]\]/

/** `index`: position of the page, from 0. `annotations`: whether their appearances are read. */
type ReadOptions = { index: number; annotations: 'as-drawn' | 'values' }

/** Reads an open page. */
export function readPage(
  document: PdfDocument,
  page: number,
  { index, annotations: wanted }: ReadOptions,
): PageContent {
  const annotations = listAnnotations(document, page, wanted)
  const merged = annotations.drawn.length === 0 ? 0 : mergeAnnotations(document, page, index)
  const drawing = merged === 0 ? null : merged
  const { glyphs, unmapped, hidden, rules } = listGlyphs(document, drawing ?? page)
  const shown = readDrawnAnnotations(document, { page: drawing, glyphs, annotations })
  if (drawing !== null) document.pdfium.FPDF_ClosePage(drawing)
  const own = shown.own.map((glyph) => glyph.text).join('')
  const hasPlaced = [...shown.texts, ...shown.placed.map(({ text }) => text)].some(
    (text) => text.length > 3 && !CHECK_BOX_TEXT.test(text),
  )
  const widthPoints = document.pdfium.FPDF_GetPageWidthF(page)
  const heightPoints = document.pdfium.FPDF_GetPageHeightF(page)
  const isSmall = hidden === 0 && isSmallPrint(shown.own, widthPoints * heightPoints)
  const isGarbledPage = isGarbled(own, unmapped)
  const kind = isGarbledPage ? 'scan' : classifyPage(document, { page, text: own, hasPlaced, isSmall })
  const drawn = { glyphs: [...shown.own, ...shown.added], placed: shown.placed, rules }
  return {
    kind,
    blocks: isGarbledPage ? [] : layOutPage(drawn).filter((block) => block.text.trim() !== ''),
    comments: shown.comments,
    isBlank: document.pdfium.FPDFPage_CountObjects(page) === 0,
    isGarbled: isGarbledPage,
    widthPoints,
    heightPoints,
  }
}

/** `text`: all visible and hidden text. `isSmall`: visible text small enough for a stamp. */
type PageMeasures = { page: number; text: string; hasPlaced: boolean; isSmall: boolean }

function classifyPage(document: PdfDocument, { page, text, hasPlaced, isSmall }: PageMeasures): PageContent['kind'] {
  const characters = text.replace(/\s/g, '').length
  // Inspecting objects takes longer than reading text, so only short texts are checked.
  const mayBeStamp = characters < MAX_STAMP_CHARACTERS || (isSmall && characters < SMALL_PRINT.characters)
  const share = mayBeStamp ? getImageShare(document, page) : null
  if (share !== null && (share >= MIN_SCAN_SHARE || (characters < MIN_TEXT_CHARACTERS && !hasPlaced))) return 'scan'
  return characters > 0 || hasPlaced ? 'text' : 'empty'
}

function isSmallPrint(glyphs: readonly Glyph[], pageArea: number): boolean {
  const visible = glyphs.filter(({ text, isGenerated }) => !isGenerated && text.trim() !== '')
  const area = visible.reduce((total, { left, right, size }) => total + (right - left) * size, 0)
  return area < SMALL_PRINT.share * pageArea
}

/** Limit on inspected objects; a page with a million strokes is no scan. */
const MAX_OBJECTS = 5_000

/**
 * Share of a page covered by images (0 to 1), including images in form objects; `null` without
 * images. Overlaps count twice.
 */
function getImageShare(document: PdfDocument, page: number): number | null {
  const { pdfium } = document
  const area = pdfium.FPDF_GetPageWidthF(page) * pdfium.FPDF_GetPageHeightF(page)
  let images = 0
  let covered = 0
  visitObjects(document, page, {
    maxObjects: MAX_OBJECTS,
    visit({ kind, outer }) {
      if (kind !== IMAGE_OBJECT) return
      images++
      // Bounds within a form use the form's coordinates, so the form's bounds are used.
      covered += measureArea(document, outer)
    },
  })
  return images === 0 ? null : Math.min(1, covered / Math.max(1, area))
}

function measureArea(document: PdfDocument, object: number): number {
  const bounds = readBounds(document, object)
  return bounds === null ? 0 : Math.abs((bounds.right - bounds.left) * (bounds.top - bounds.bottom))
}

/** Fewer letters do not reveal a language. */
const MIN_LETTERS = 60
/**
 * Vowels are 30 to 50 % of any Latin text; with a shifted character map, other letters appear as
 * vowels.
 */
const MIN_VOWEL_SHARE = 0.2
/**
 * Shifted lower-case letters appear as capitals. German, with its many R, then shows more apparent
 * vowels. Text in capitals has 33 % or more.
 */
const MIN_VOWEL_SHARE_IN_CAPITALS = 0.28
/** Characters absent from real text: replacement, private use, control. */
const MAX_UNPRINTABLE_SHARE = 0.3
/** A shorter text needs more of them, and characters without Unicode value are no evidence. */
const SHORT = { characters: 10, share: 0.5, minUnmapped: 4 } as const
/**
 * Dingbats. PostScript pages with bitmap letters name unmapped glyphs like dingbats (`a1`, `a2`).
 */
const MAX_DINGBAT_SHARE = 0.5
/** Punctuation of a text that is no more than codes, and its different characters. */
const MAX_PUNCTUATION_SHARE = 0.7
const MIN_PUNCTUATION_KINDS = 8

/**
 * True when a text does not match the page because its font lacks a correct character map. Such a
 * page needs OCR. `unmapped` counts the characters doubted by PDFium. Codes and sequences need no
 * vowels.
 */
export function isGarbled(text: string, unmapped: number): boolean {
  // Without accents, letters of all Latin-script languages are basic letters.
  const counts = countCharacters(text.normalize('NFD'))
  const { shown, letters, vowels } = counts
  if (counts.strange > (shown < SHORT.characters ? SHORT.share : MAX_UNPRINTABLE_SHARE) * shown) return true
  if (shown >= SHORT.minUnmapped && unmapped > 0.5 * shown && !isReadable(text, counts)) return true
  if (counts.ornaments > MAX_DINGBAT_SHARE * shown) return shown >= MIN_LETTERS
  const isMostlyPunctuation = counts.punctuation > MAX_PUNCTUATION_SHARE * shown
  if (isMostlyPunctuation && counts.punctuationKinds >= MIN_PUNCTUATION_KINDS && !WORD.test(text)) return true
  if (letters < MIN_LETTERS || letters < 0.5 * shown) return false
  const min = counts.capitals > 0.9 * letters ? MIN_VOWEL_SHARE_IN_CAPITALS : MIN_VOWEL_SHARE
  return vowels < min * letters && !hasCommonWords(text) && !isCodeList(text)
}

/** A word that may belong to a language. */
const WORD = /\p{L}{3}/u

/** Characters of a text by kind, without spaces and accents. `letters`: those of ASCII. */
type CharacterCounts = Record<
  'shown' | 'strange' | 'ornaments' | 'letters' | 'capitals' | 'vowels' | 'digits' | 'punctuation' | 'punctuationKinds',
  number
>

const SPACE = /\s/
/** First and last of the combining accents. */
const [FIRST_ACCENT, LAST_ACCENT] = [0x300, 0x36f]
const VOWELS = new Set([...'AEIOUYaeiouy'].map((letter) => letter.charCodeAt(0)))

/** Counts each code once, because lists of matches cost more than the rest of the page. */
function countCharacters(text: string): CharacterCounts {
  const ascii = new Uint32Array(127)
  const counts = { shown: 0, strange: 0, ornaments: 0 }
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 127) ascii[code] = (ascii[code] ?? 0) + 1
    else if (!SPACE.test(text.charAt(index)) && (code < FIRST_ACCENT || code > LAST_ACCENT)) {
      counts.shown += 1
      if (isUnprintable(code)) counts.strange += 1
      else if (code >= 0x2701 && code <= 0x27be) counts.ornaments += 1
    }
  }
  return addAscii(counts, ascii)
}

/** `ascii`: the number of each character. */
function addAscii(
  { shown, strange, ornaments }: Pick<CharacterCounts, 'shown' | 'strange' | 'ornaments'>,
  ascii: Uint32Array,
): CharacterCounts {
  const sum = (from: number, to: number) => ascii.subarray(from, to + 1).reduce((total, count) => total + count, 0)
  const [control, digits, capitals, small] = [sum(0, 8) + sum(14, 31), sum(48, 57), sum(65, 90), sum(97, 122)]
  const punctuation = sum(33, 126) - digits - capitals - small
  return {
    shown: shown + control + sum(33, 126),
    strange: strange + control,
    ornaments,
    letters: capitals + small,
    capitals,
    vowels: [...VOWELS].reduce((total, code) => total + (ascii[code] ?? 0), 0),
    digits,
    punctuation,
    punctuationKinds: [...ascii].filter((count, code) => count > 0 && isPunctuation(code)).length,
  }
}

function isPunctuation(code: number): boolean {
  return code > 32 && /[^A-Za-z0-9]/.test(String.fromCharCode(code))
}

/** Replacement, control and private use, without the symbols of Wingdings; no part of a pair. */
function isUnprintable(code: number): boolean {
  if ((code >= 127 && code < 160) || code === 0xfffd || code === 0xffff) return true
  return (code >= 0xe000 && code < 0xf000) || (code >= 0xf100 && code < 0xf900) || (code >= 0xdb80 && code < 0xdc00)
}

/** Minimum share of vowels in the bare codes of a font, if they are letters. */
const MIN_CODE_VOWEL_SHARE = 0.25
/** Letters that continue as symbols or after digits: `IHUU\\`, `7KH`. */
const ODD_WORD = /[A-Za-z][[\]\\^_@{}|~<>=#$%&*+]|[[\]\\^@{}|~<>=#$%&*+][A-Za-z]|\d[A-Za-z]{2}/g
const MAX_ODD_SHARE = 0.05

/** True if the bare codes of a font are text, as with bitmap fonts of TeX. */
function isReadable(text: string, { shown, letters, digits, vowels }: CharacterCounts): boolean {
  if (letters + digits < 0.5 * shown) return false
  const odd = text.match(ODD_WORD)?.length ?? 0
  return odd <= MAX_ODD_SHARE * letters && vowels >= MIN_CODE_VOWEL_SHARE * letters
}

/** Minimum length of a code; most words of a language are shorter or vary in length. */
const MIN_CODE_CHARACTERS = 5
/** Minimum share of the most frequent shapes, and their count. Shifted words reach 30 %. */
const MIN_SHAPE_SHARE = 0.5
const MAX_SHAPES = 3
/** Minimum share of codes with letters and digits. Shifted capitals become digits in 10 %. */
const MIN_MIXED_SHARE = 0.4
/** Nucleotides: a sequence has few different letters. */
const MAX_SEQUENCE_LETTERS = 6

/**
 * True for part numbers, sequences and markup: the words have the same few shapes (`AAAAA-99`), or
 * mix letters and digits, or use few letters. Words of a language vary, also with a shifted
 * character map.
 */
function isCodeList(text: string): boolean {
  const words = text.match(/\S+/g) ?? []
  const shapes = new Map<string, number>()
  let mixed = 0
  for (const word of words) {
    if (word.length < MIN_CODE_CHARACTERS) continue
    if (/[A-Za-z]/.test(word) && /\d/.test(word)) mixed += 1
    const shape = word.replace(/\d/g, '9').replace(/[A-Z]/g, 'A').replace(/[a-z]/g, 'a')
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1)
  }
  const counts = [...shapes.values()].sort((a, b) => b - a).slice(0, MAX_SHAPES)
  const same = counts.reduce((total, count) => total + count, 0)
  if (same > MIN_SHAPE_SHARE * words.length || mixed > MIN_MIXED_SHARE * words.length) return true
  return new Set(text.match(/[A-Za-z]/g)).size <= MAX_SEQUENCE_LETTERS
}

/**
 * Counts short words of common Latin-script languages. Text with such words is not garbled; a list
 * of codes has none.
 */
function hasCommonWords(text: string): boolean {
  return (
    (text.match(/\b(?:the|and|of|to|in|for|is|der|die|und|das|de|la|le|et|el|en|di|il|que|um|van|na|och|att)\b/gi)
      ?.length ?? 0) >= 3
  )
}
