/** How long each page of a PDF may take, which depends on those before it. */
export type PageLimits = {
  limitMs(): number
  /** Why no further page is tried; `null` while any is. */
  refusal(): string | null
  succeeded(): void
  failed(): void
  tookTooLong(): void
}

/**
 * A page that takes too long leaves half of its time to each behind it, down to this: ten in a row take some 6 s. Each that is read doubles
 * it again, since one map among pages of text says nothing of them.
 */
const LEAST_LIMIT_MS = 250
/** Pages that may break PDFium or take too long, or a part of all where that is more; those behind them are not read. */
const LEAST_MAX_FAILURES = 10
const FAILING_PART = 0.1

/** Limits of a document of which no page was tried yet; `fullMs`: for a page that no other speaks against. */
export function createPageLimits({ fullMs, pageCount }: { fullMs: number; pageCount: number }): PageLimits {
  const maxFailures = Math.max(LEAST_MAX_FAILURES, Math.floor(pageCount * FAILING_PART))
  let limitMs = fullMs
  let failures = 0
  return {
    limitMs: () => limitMs,
    refusal: () => (failures < maxFailures ? null : `It stands behind ${maxFailures} that could not be read.`),
    succeeded() {
      limitMs = Math.min(fullMs, limitMs * 2)
    },
    failed() {
      failures++
    },
    tookTooLong() {
      limitMs = Math.max(LEAST_LIMIT_MS, limitMs / 2)
    },
  }
}
