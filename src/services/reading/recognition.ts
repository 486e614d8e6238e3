/** Types of page recognition, from the request to the report. */

import type { ChatPicture } from '../../models/chat-model.ts'
import type { Recognition } from '../../models/recognizer.ts'
import type { SniffedType, SourceFile } from '../../parsers/parse-event.ts'

/** Options for recognising scanned pages. */
export type RecognitionPlan = {
  /** False: scanned pages are left out, and their reports say so. */
  enabled: boolean
  /** Maximum recognised pages of the document; reports of further pages say so. */
  maxPages: number
  mode: 'fast' | 'accurate'
  /** True: the vision model, if configured, also reads each page. */
  vision: boolean
  /** Language hints; empty: the configured languages. */
  languages: readonly string[]
  /** Number of retries of a partial document, each with `maxPages` more; 0 when absent. */
  retries?: number
}

/** Total pages of a document that may be recognised. */
export function allowedPages({ maxPages, retries = 0 }: RecognitionPlan): number {
  return maxPages * (1 + retries)
}

/** Result of recognising a page. */
export type RecognizedPage = {
  recognition: Recognition
  /** Size of the picture for the recognition's boxes, in pixels. */
  width: number
  height: number
  /** Why the vision model did not read the page, as a sentence; absent otherwise. */
  fallback?: string
}

/** A recognised page, with its picture for the model if requested and not blank. */
export type DrawnPage = Omit<RecognizedPage, 'fallback'> & { picture?: ChatPicture }

/** Store of recognised pages between two attempts at a document. */
export type RecognizedPages = {
  get(page: number): Promise<RecognizedPage | null>
  put(page: number, recognized: RecognizedPage): Promise<void>
}

/** Input of the task `recognize-page` of child processes; the result is a {@link DrawnPage}. */
export type RecognizePageInput = {
  source: SourceFile
  type: SniffedType
  page: number
  mode: 'fast' | 'accurate'
  /** True: the picture of the page is also returned. */
  draws: boolean
  /** Hints; may be empty. */
  languages: readonly string[]
  /** Languages to use when no hint applies. */
  configured: readonly string[]
}

/**
 * Outcome of a scanned page. `recognized`: read, with or without text; `failed`: not or
 * incompletely read; `over-limit`: beyond the page limit; `off`: recognition is disabled.
 */
export type ScanFate = 'recognized' | 'failed' | 'over-limit' | 'off'
