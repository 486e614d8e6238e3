import { tooLargeUnpacked } from '../../parse-event.ts'

const MB = 1024 * 1024

/** Bytes that one upload may unpack to, in one part and in all; shared with the files inside it. */
export type UnpackBudget = {
  readonly maxEntryBytes: number
  /** Counts `bytes` more; throws `unprocessable_document` when there were too many. */
  take(bytes: number): void
}

/** A sheet of a million cells is about 40 MB of XML; a parse has 60 seconds, which is some 2 GB of XML. */
const DEFAULTS = { maxEntryBytes: 512 * MB, maxBytes: 1024 * MB }

/** Makes the budget of one upload. */
export function createUnpackBudget(limits: { maxEntryBytes: number; maxBytes: number } = DEFAULTS): UnpackBudget {
  let taken = 0
  return {
    maxEntryBytes: limits.maxEntryBytes,
    take(bytes) {
      taken += bytes
      if (taken > limits.maxBytes) throw tooLargeUnpacked(`more than ${Math.floor(limits.maxBytes / MB)} MB in all`)
    },
  }
}
