import type { Block, PageReceipt } from '../parse-event.ts'

/** Counts what each page gave, for documents whose pages come in order. */
export type PageReceipts = {
  /** Takes the next block, and gives the receipts of the pages before its page. */
  add(block: Block): PageReceipt[]
  /** Receipts of all pages up to `lastPage` that were not given. */
  end(lastPage: number): PageReceipt[]
}

/** A document has no more pages than this; what claims more is damage. */
const MAX_PAGES = 100_000

/** Makes the counter of one document. */
export function createPageReceipts(): PageReceipts {
  let page = 1
  let characters = 0

  function closeBefore(next: number): PageReceipt[] {
    const receipts: PageReceipt[] = []
    for (; page < Math.min(next, MAX_PAGES); page += 1) {
      receipts.push(receiptOf(page, characters))
      characters = 0
    }
    return receipts
  }

  return {
    add(block) {
      const receipts = closeBefore(block.page ?? page)
      characters += block.text.length
      return receipts
    },
    end: (lastPage) => closeBefore(lastPage + 1),
  }
}

/** The receipt of a page whose text was in the file. */
export function receiptOf(page: number, characters: number, message: string | null = null): PageReceipt {
  return { page, method: characters > 0 ? 'text' : 'empty', characters, confidence: null, message }
}
