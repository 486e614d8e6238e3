import type { Warning } from '../../../api/values.ts'
import { ApiError, type ErrorCode } from '../../../errors.ts'
import { OCR_MAX_PAGES } from '../../../limits.ts'
import type { PageReport } from '../../../parsers/parse-event.ts'
import type { IndexedDocument } from '../indexing/index-document.ts'

/** A missing part of a document: the reason why document and job are `partial`. */
export type MissingPart = {
  /** Message for the document. */
  error: string
  /** Message for the job. */
  message: string
  /** `errorCode` of the job; `null` without an error code. */
  code: ErrorCode | null
  /** True if the caller excluded the part: the document is partial, and the job complete. */
  isExcluded?: true
}

/** Maximum pages listed individually in a message. */
const MAX_NAMED_PAGES = 10

/**
 * Missing parts of a document; empty for a complete one. Pages excluded by the caller are missing
 * only when the document has no other text.
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
    missing.push(toMissingPart(`recognised ${tried} of ${tried + scans['over-limit']} pages: ocrMaxPages`))
  }
  for (const [why, numbers] of groupByMessage(failedPages)) missing.push(toMissingPart(`${namePages(numbers)}: ${why}`))
  if (cut !== null) missing.push(toMissingPart(cut))
  if (scans.off > 0 && !hasText)
    missing.push({
      ...toMissingPart('No text was extracted: the pages are scanned and enableOcr is false.'),
      isExcluded: true,
    })
  return missing
}

/** True when the document may be a duplicate: a missing part could make the difference. */
export function mayBeDuplicate(indexed: IndexedDocument): boolean {
  return listMissing(indexed).length === 0
}

/** All missing parts as one text. */
export function describeMissing(missing: readonly MissingPart[], by: 'error' | 'message'): string {
  const sentences = missing.map((part) => part[by])
  return sentences.length === 1
    ? sentences.join()
    : sentences.map((sentence) => sentence.replace(/(?<!\.)$/, '.')).join(' ')
}

/** Remedy for pages beyond the limit: a request leaves nothing to retry. */
const MORE_PAGES = {
  request: `Send the document again with a larger ocrMaxPages, at most ${OCR_MAX_PAGES.max}.`,
  job: 'Retry the job for more of them.',
} as const

/**
 * Warnings about pages not recognised, pages whose text may be wrong, pages not read by the vision
 * model, and an early end. `by`: whether a request or a job read the document.
 */
export function listPageWarnings(
  { scans, failedPages, doubts, fallbacks, cut }: IndexedDocument,
  by: keyof typeof MORE_PAGES,
): Warning[] {
  const lost: string[] = []
  const beyond = scans['over-limit']
  if (beyond > 0) lost.push(`${count(beyond)} not recognised: ocrMaxPages is reached. ${MORE_PAGES[by]}`)
  if (scans.off > 0) lost.push(`${count(scans.off)} not recognised: enableOcr is false.`)
  for (const [why, numbers] of groupByMessage(failedPages)) lost.push(`${namePages(numbers)}: ${why}`)
  const warnings = lost.map((message): Warning => ({ code: 'pages_not_recognized', message, param: null }))
  for (const [why, numbers] of groupByMessage(doubts))
    warnings.push({ code: 'pages_uncertain', message: `${namePages(numbers)}: ${why}`, param: null })
  for (const [why, numbers] of groupByMessage(fallbacks))
    warnings.push({ code: 'vision_model_not_used', message: `${namePages(numbers)}: ${why}`, param: null })
  if (cut !== null) warnings.push({ code: 'document_read_with_losses', message: cut, param: null })
  return warnings
}

/** Sets the file name before the warnings of a file, if it is one of several. */
export function nameInWarnings(
  warnings: readonly Warning[],
  files: number,
  { filename }: { filename: string | null },
): Warning[] {
  if (files < 2 || filename === null) return [...warnings]
  return warnings.map((warning) => ({ ...warning, message: `${filename}: ${warning.message}` }))
}

/**
 * Throws `unprocessable_document` for a document without text, with the reasons of its pages. A
 * document with pages excluded by the caller or a limit passes as partial.
 */
export function requireText({ hasText, scans, pages, cut, truncated }: IndexedDocument): void {
  if (hasText || truncated || scans.off > 0 || scans['over-limit'] > 0) return
  const message = ['The document has no text.', ...describePages(pages), ...(cut === null ? [] : [cut])].join(' ')
  throw new ApiError('unprocessable_document', { message })
}

/** Messages of the pages, grouped by message. */
export function describePages(pages: readonly PageReport[]): string[] {
  const spoken = pages.filter(({ message }) => message !== null)
  return [...groupByMessage(spoken)].map(([why, numbers]) => `${namePages(numbers)}: ${why}`)
}

function toMissingPart(sentence: string): MissingPart {
  return { error: sentence, message: sentence, code: null }
}

function groupByMessage(pages: readonly Pick<PageReport, 'page' | 'message'>[]): Map<string, number[]> {
  const groups = Map.groupBy(pages, ({ message }) => message ?? 'Not read.')
  return new Map([...groups].map(([message, reports]) => [message, reports.map(({ page }) => page)]))
}

function namePages(numbers: readonly number[]): string {
  if (numbers.length === 1) return `Page ${numbers[0]}`
  if (numbers.length > MAX_NAMED_PAGES) return `${numbers.length} pages, the first of them ${numbers[0]}`
  return `Pages ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
}

function count(pages: number): string {
  return pages === 1 ? '1 page was' : `${pages} pages were`
}
