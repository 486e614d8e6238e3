import type { Kysely } from 'kysely'
import type { PageReceiptResource, PageTotalsResource } from '../../api/document.ts'
import { eachReceipt } from '../../database/documents/page-receipts.ts'
import type { Tables } from '../../database/schema.ts'
import { MOST_FAILED_DOCUMENTS } from '../../limits.ts'

type FailedDocument = PageTotalsResource['documents'][number]

/**
 * What became of the pages of all documents of a memory, corrections left out, and the documents of which most pages failed, the newest first of
 * those alike. A document without pages counts as one page, one that is still being read as none. Rejects when `signal` fires.
 */
export async function countPages(
  db: Kysely<Tables>,
  memoryId: string,
  signal: AbortSignal,
): Promise<PageTotalsResource> {
  const counts = { text: 0, ocr: 0, empty: 0, failed: 0 }
  const worst: FailedDocument[] = []
  for await (const { id, title, pages } of eachReceipt(db, memoryId)) {
    signal.throwIfAborted()
    const failedBefore = counts.failed
    for (const { method } of JSON.parse(pages) as PageReceiptResource[]) counts[method] += 1
    place({ documentId: id, title, failed: counts.failed - failedBefore }, worst)
  }
  return { pages: counts.text + counts.ocr + counts.empty + counts.failed, ...counts, documents: worst }
}

/** Puts a document among the worst, where it is one of them. */
function place(document: FailedDocument, worst: FailedDocument[]): void {
  if (document.failed === 0) return
  const better = worst.findIndex(({ failed }) => failed < document.failed)
  worst.splice(better === -1 ? worst.length : better, 0, document)
  worst.splice(MOST_FAILED_DOCUMENTS)
}
