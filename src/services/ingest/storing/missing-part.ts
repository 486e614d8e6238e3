import type { Warning } from '../../../api/values.ts'
import { ApiError, type ErrorCode } from '../../../errors.ts'
import { OCR_MAX_PAGES } from '../../../limits.ts'
import type { PageReceipt } from '../../../parsers/parse-event.ts'
import type { IndexedDocument } from '../indexing/index-document.ts'

/**
 * Something of a document that is not there: why the document, and the job that made it, are
 * `partial`.
 */
export type MissingPart = {
  /** What the document says of it. */
  error: string
  /** What the job says of it. */
  message: string
  /** The job's `errorCode`; `null` where no error of the table stands for it. */
  code: ErrorCode | null
}

/** Pages that are named one by one in a sentence. */
const MAX_NAMED_PAGES = 10

/**
 * What a document lacks; none when it is whole. Pages that were left out because the caller wanted
 * it so are not missing, unless nothing else is there.
 */
export function listMissing(indexed: IndexedDocument): MissingPart[] {
  const { scans, truncated, characterCount, cut, hasText, failedPages } = indexed
  const missing: MissingPart[] = []
  if (truncated) {
    missing.push({
      error: 'The plan has no storage left for the rest of this document.',
      message: `Kept the first ${characterCount} characters: the plan's storage quota was reached.`,
      code: 'storage_quota_exceeded',
    })
  }
  if (scans['over-limit'] > 0) {
    const tried = scans.recognized + scans.failed
    missing.push(plain(`recognised ${tried} of ${tried + scans['over-limit']} pages: ocrMaxPages`))
  }
  for (const [why, numbers] of groupByMessage(failedPages)) missing.push(plain(`${namePages(numbers)}: ${why}`))
  if (cut !== null) missing.push(plain(cut))
  if (scans.off > 0 && !hasText)
    missing.push(plain('No text was read: the pages are pictures, and enableOcr is false.'))
  return missing
}

/**
 * True when the document may be a duplicate: what is missing of one may be what tells it from
 * another.
 */
export function canRepeat(indexed: IndexedDocument): boolean {
  return listMissing(indexed).length === 0
}

/** What is said of all that is missing: one sentence as it is, several after each other. */
export function describeMissing(missing: readonly MissingPart[], by: 'error' | 'message'): string {
  const sentences = missing.map((part) => part[by])
  return sentences.length === 1
    ? sentences.join()
    : sentences.map((sentence) => sentence.replace(/(?<!\.)$/, '.')).join(' ')
}

/**
 * What brings the pages beyond the limit, by what read the document: a request leaves nothing that
 * could be retried.
 */
const MORE_PAGES = {
  request: `Send the document again with a larger ocrMaxPages, at most ${OCR_MAX_PAGES.max}.`,
  job: 'Retry the job for more of them.',
} as const

/**
 * What is warned of: pages that are pictures and were not recognised, or not by the model that
 * should; and an end that was not read. `by`: what read the document.
 */
export function listPageWarnings(
  { scans, failedPages, fallbacks, cut }: IndexedDocument,
  by: keyof typeof MORE_PAGES,
): Warning[] {
  const lost: string[] = []
  const beyond = scans['over-limit']
  if (beyond > 0) lost.push(`${count(beyond)} not recognised: ocrMaxPages is reached. ${MORE_PAGES[by]}`)
  if (scans.off > 0) lost.push(`${count(scans.off)} not recognised: enableOcr is false.`)
  for (const [why, numbers] of groupByMessage(failedPages)) lost.push(`${namePages(numbers)}: ${why}`)
  const warnings = lost.map((message): Warning => ({ code: 'pages_not_recognized', message, param: null }))
  for (const [why, numbers] of groupByMessage(fallbacks))
    warnings.push({ code: 'vision_model_not_used', message: `${namePages(numbers)}: ${why}`, param: null })
  if (cut !== null) warnings.push({ code: 'document_read_with_losses', message: cut, param: null })
  return warnings
}

/**
 * Throws `unprocessable_document` for a document in which no text was found, saying what became of
 * its pages. One whose pages were not looked at, since the caller or a limit said so, passes: it is
 * partial.
 */
export function requireText({ hasText, scans, pages, cut, truncated }: IndexedDocument): void {
  if (hasText || truncated || scans.off > 0 || scans['over-limit'] > 0) return
  const message = ['The document has no text.', ...describePages(pages), ...(cut === null ? [] : [cut])].join(' ')
  throw new ApiError('unprocessable_document', { message })
}

/** What the receipts say of the pages, a sentence for those of which the same is said. */
export function describePages(pages: readonly PageReceipt[]): string[] {
  const spoken = pages.filter(({ message }) => message !== null)
  return [...groupByMessage(spoken)].map(([why, numbers]) => `${namePages(numbers)}: ${why}`)
}

function plain(sentence: string): MissingPart {
  return { error: sentence, message: sentence, code: null }
}

function groupByMessage(pages: readonly Pick<PageReceipt, 'page' | 'message'>[]): Map<string, number[]> {
  const groups = Map.groupBy(pages, ({ message }) => message ?? 'Not read.')
  return new Map([...groups].map(([message, receipts]) => [message, receipts.map(({ page }) => page)]))
}

function namePages(numbers: readonly number[]): string {
  if (numbers.length === 1) return `Page ${numbers[0]}`
  if (numbers.length > MAX_NAMED_PAGES) return `${numbers.length} pages, the first of them ${numbers[0]}`
  return `Pages ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
}

function count(pages: number): string {
  return pages === 1 ? '1 page was' : `${pages} pages were`
}
