import type { LaidBlock } from './layout/laid-block.ts'
import type { PdfDocument } from './pdf-document.ts'

/** Tells headings by how they look among the text of their document. */
export type Typography = {
  /** The level of a block that is a heading, from 1; `null` for other blocks. `page` is an index, from 0. */
  getHeadingLevel(block: LaidBlock, page: number): number | null
}

/** Letters this much larger than the text are a heading's. On a document of 11 point text 18 points told all headings exactly. */
const LARGER = 1.15
const MAX_HEADING_CHARACTERS = 200
const MAX_BOLD_HEADING_CHARACTERS = 120
const MAX_LEVEL = 6
/** Where more of the text than this would be headings, it is text that is large or bold. */
const MAX_HEADINGS = 0.35
const BULLET = /^[•◦▪▫■□●○‣⁃∙➢✓✔–—*-]/u

/** Learns the sizes of a document from some of its pages. */
export function createTypography(sample: readonly LaidBlock[], outline: Outline): Typography {
  const bodySize = getBodySize(sample)
  const isBodyBold = shareOf(sample, (block) => block.isBold) > MAX_HEADINGS
  const sizes = [...new Set(sample.filter((block) => isLarge(block, bodySize)).map((block) => round(block.size)))]
    .sort((a, b) => b - a)
    .slice(0, MAX_LEVEL - 1)

  function getHeadingLevel(block: LaidBlock, page: number): number | null {
    if (!mayBeHeading(block)) return null
    const listed = outline.size > 0 ? outline.get(outlineKey(page, block.text)) : undefined
    if (listed !== undefined) return listed
    if (isLarge(block, bodySize)) return levelOf(block.size)
    return isBoldHeading(block) && !isBodyBold ? Math.min(MAX_LEVEL, sizes.length + 1) : null
  }

  /** A size that was not in the sample has the level of the next smaller one. */
  function levelOf(size: number): number {
    const index = sizes.findIndex((known) => size >= known - 0.3)
    return index === -1 ? Math.max(1, Math.min(MAX_LEVEL, sizes.length)) : index + 1
  }

  function isBoldHeading(block: LaidBlock): boolean {
    const isShort = block.lines <= 2 && block.text.length <= MAX_BOLD_HEADING_CHARACTERS
    return block.isBold && isShort && block.size >= 0.95 * bodySize && !/[.,;:!?]$/.test(block.text.trim())
  }

  return { getHeadingLevel }
}

function isLarge(block: LaidBlock, bodySize: number): boolean {
  return mayBeHeading(block) && block.size >= LARGER * bodySize
}

function mayBeHeading({ kind, text, lines }: LaidBlock): boolean {
  if (kind === 'table-row' || kind === 'table-header' || lines > 4 || text.length > MAX_HEADING_CHARACTERS) return false
  return /\p{L}/u.test(text) && !text.includes('\t') && !BULLET.test(text)
}

/** The size in which most characters are set; on slides and forms, where that leaves more headings than text, a larger one. */
function getBodySize(blocks: readonly LaidBlock[]): number {
  const characters = new Map<number, number>()
  for (const { size, text } of blocks) characters.set(round(size), (characters.get(round(size)) ?? 0) + text.length)
  const most = [...characters].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 1
  const larger = [...characters.keys()].filter((size) => size >= most).sort((a, b) => a - b)
  return larger.find((size) => shareOf(blocks, (block) => isLarge(block, size)) <= MAX_HEADINGS) ?? most
}

/** The share of the characters that stand in blocks of that kind. */
function shareOf(blocks: readonly LaidBlock[], isKind: (block: LaidBlock) => boolean): number {
  const count = (some: readonly LaidBlock[]) => some.reduce((total, { text }) => total + text.length, 0)
  return count(blocks.filter(isKind)) / Math.max(1, count(blocks))
}

function round(size: number): number {
  return Math.round(size * 2) / 2
}

/** The bookmarks of a document: level, from 1, by page index and title as {@link outlineKey} makes it. */
export type Outline = ReadonlyMap<string, number>

/** Bookmarks that are read; they may also go in circles. */
const MAX_ENTRIES = 10_000
const MAX_DEPTH = 6

/** Reads the bookmarks. */
export function readOutline(document: PdfDocument): Outline {
  const { pdfium, handle, readString } = document
  const levels = new Map<string, number>()
  const seen = new Set<number>()

  function read(parent: number, level: number): void {
    let bookmark = pdfium.FPDFBookmark_GetFirstChild(handle, parent)
    while (bookmark !== 0 && !seen.has(bookmark) && seen.size < MAX_ENTRIES) {
      seen.add(bookmark)
      const title = readString((buffer, bytes) => pdfium.FPDFBookmark_GetTitle(bookmark, buffer, bytes))
      const destination = pdfium.FPDFBookmark_GetDest(handle, bookmark)
      const page = destination === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(handle, destination)
      const key = outlineKey(page, title)
      if (page >= 0 && !levels.has(key)) levels.set(key, level)
      if (level < MAX_DEPTH) read(bookmark, level + 1)
      bookmark = pdfium.FPDFBookmark_GetNextSibling(handle, bookmark)
    }
  }

  read(0, 1)
  return levels
}

/** A title as it is compared: letters and digits alone, because numbers, spaces and line ends differ between bookmark and page. */
function outlineKey(page: number, title: string): string {
  const letters = title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return `${page} ${letters.replace(/^\d+/, '')}`
}
