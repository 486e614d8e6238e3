import type { PageReceipt } from '../../parsers/parse-event.ts'
import type { ReadEvent } from './read-event.ts'
import type { ScanFate } from './recognition.ts'

/** Something that has to be said of a page, a sentence. */
export type PageNote = { page: number; message: string }

/** What became of the pages of a document, as far as it was read. */
export type PageLedger = {
  /** As the parser said before the first; `null` when it did not. */
  readonly pageCount: number | null
  readonly pages: readonly PageReceipt[]
  /** Those that were tried and came to nothing. */
  readonly failed: readonly PageReceipt[]
  /** Those that a model was to read and did not, and why. */
  readonly fallbacks: readonly PageNote[]
  /** How many of the pages that are pictures became what. */
  readonly scans: Readonly<Record<ScanFate, number>>
  /** Pages whose text was recognised. */
  readonly recognized: number
  /** Takes what an event says of pages. */
  note(event: ReadEvent): void
}

/** A ledger without pages. */
export function createPageLedger(): PageLedger {
  const pages: PageReceipt[] = []
  const failed: PageReceipt[] = []
  const fallbacks: PageNote[] = []
  const scans = { recognized: 0, failed: 0, 'over-limit': 0, off: 0 }
  let pageCount: number | null = null
  let recognized = 0
  return {
    pages,
    failed,
    fallbacks,
    scans,
    get pageCount() {
      return pageCount
    },
    get recognized() {
      return recognized
    },
    note(event) {
      if ('pageCount' in event) pageCount = event.pageCount
      if (!('page' in event)) return
      pages.push(event.page)
      if (event.page.method === 'ocr') recognized++
      const fate = 'fate' in event ? event.fate : null
      if (fate !== null) scans[fate]++
      if ('fallback' in event) fallbacks.push({ page: event.page.page, message: event.fallback })
      if (event.page.method === 'failed' && fate !== 'over-limit') failed.push(event.page)
    },
  }
}
