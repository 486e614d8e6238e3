/** What is known of recognising the pages of a document, from the request to the receipt. */

import type { ChatPicture } from '../../models/chat-model.ts'
import type { Recognition } from '../../models/recognizer.ts'
import type { SniffedType, SourceFile } from '../../parsers/parse-event.ts'

/** How pages that are pictures of text are treated. */
export type RecognitionPlan = {
  /** False: they are left out, and their receipts say so. */
  enabled: boolean
  /** Most pages recognised of the document; receipts of the others say so. */
  maxPages: number
  mode: 'fast' | 'accurate'
  /** True: a model that sees reads each page as well, where one is configured. */
  vision: boolean
  /** Hints of languages; none: those of the settings. */
  languages: readonly string[]
  /**
   * How often a partial document was taken up again, each time with `maxPages` more; none where
   * absent.
   */
  retries?: number
}

/** Pages of a document that may be recognised in all. */
export function allowedPages({ maxPages, retries = 0 }: RecognitionPlan): number {
  return maxPages * (1 + retries)
}

/** What came of a page. */
export type RecognizedPage = {
  recognition: Recognition
  /** Of the picture that the recognition's boxes are measured in, in pixels. */
  width: number
  height: number
  /**
   * Why a model that was to read the page did not, a sentence; absent where it did, or none was.
   */
  fallback?: string
}

/** A page with its picture for a model, where that was asked for and the page is not blank. */
export type DrawnPage = Omit<RecognizedPage, 'fallback'> & { picture?: ChatPicture }

/** Pages that were recognised already, kept between two attempts at a document. */
export type RecognizedPages = {
  get(page: number): Promise<RecognizedPage | null>
  put(page: number, recognized: RecognizedPage): Promise<void>
}

/** Input of the task `recognize-page` of the children; its result is a {@link DrawnPage}. */
export type RecognizePageInput = {
  source: SourceFile
  type: SniffedType
  page: number
  mode: 'fast' | 'accurate'
  /** True: the picture of the page is wanted as well. */
  draws: boolean
  /** Hints; may be none. */
  languages: readonly string[]
  /** What is recognised where no hint is followed. */
  configured: readonly string[]
}

/**
 * What became of a page that is a picture. `recognized`: looked at, with text or without; `failed`:
 * looked at in vain, or not to the end; `over-limit`, `off`: not looked at, since the plan allows
 * no more pages, or none.
 */
export type ScanFate = 'recognized' | 'failed' | 'over-limit' | 'off'
