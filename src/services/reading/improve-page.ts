import type { VisionReader } from '../../models/vision/vision-reader.ts'
import type { DrawnPage, RecognizedPage } from './recognition.ts'

/** Has a page read by a model that sees, after the embedded engine. Rejects with the reason of an aborted signal and for nothing else. */
export type ImprovePage = (page: DrawnPage, signal: AbortSignal) => Promise<RecognizedPage>

/** Our choice: a model that hangs would take its whole time for each page of a book. */
const MAX_FAILURES_IN_A_ROW = 2

/** For the pages of one document: a model that failed for two in a row is asked about no more of them. `languages` are hints and may be none. */
export function createPageImprover(vision: VisionReader, languages: readonly string[]): ImprovePage {
  let failures = 0
  return async ({ picture, ...page }, signal) => {
    if (picture === undefined) return page
    if (failures >= MAX_FAILURES_IN_A_ROW) return { ...page, fallback: gaveUp(vision.engine) }
    const { width, height, recognition: embedded } = page
    const { recognition, fallback } = await vision.improve({ picture, width, height, embedded, languages, signal })
    failures = fallback?.isFailure === true ? failures + 1 : 0
    return fallback === null ? { ...page, recognition } : { ...page, recognition, fallback: fallback.message }
  }
}

function gaveUp(engine: string): string {
  return `The model ${engine} had failed on other pages and was not asked; the page was read by the embedded engine.`
}
