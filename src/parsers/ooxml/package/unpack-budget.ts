import { tooLargeUnpacked } from '../../parse-event.ts'

const MB = 1024 * 1024

/**
 * Limits on the unpacked bytes of an upload, per part and in total. Embedded files share the
 * budget.
 */
export type UnpackBudget = {
  readonly maxEntryBytes: number
  /** Consumes `bytes`; throws `unprocessable_document` when the budget is exhausted. */
  consume(bytes: number): void
}

/**
 * A sheet of a million cells is about 40 MB of XML. A parse has 60 seconds, enough for some 2 GB of
 * XML.
 */
const DEFAULT_LIMITS = { maxEntryBytes: 512 * MB, maxBytes: 1024 * MB }

/** Creates the budget of an upload. */
export function createUnpackBudget(limits: { maxEntryBytes: number; maxBytes: number } = DEFAULT_LIMITS): UnpackBudget {
  let taken = 0
  return {
    maxEntryBytes: limits.maxEntryBytes,
    consume(bytes) {
      taken += bytes
      if (taken > limits.maxBytes) throw tooLargeUnpacked(`more than ${Math.floor(limits.maxBytes / MB)} MB in all`)
    },
  }
}
