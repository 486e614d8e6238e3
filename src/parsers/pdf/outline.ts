import type { PdfDocument } from './pdf-document.ts'

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
export function outlineKey(page: number, title: string): string {
  const letters = title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return `${page} ${letters.replace(/^\d+/, '')}`
}
