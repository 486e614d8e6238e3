/** A page as a picture: what the task of the children takes. Its result is a PNG, `Uint8Array`, or `null` where there is no such page. */

import type { Passage } from '../../parsers/images/draw-pdf-page.ts'
import type { SniffedType, SourceFile } from '../../parsers/parse-event.ts'

/** Input of the task `draw-marked-page`. */
export type DrawPageInput = {
  source: SourceFile
  type: SniffedType
  /** From 1. */
  page: number
  /** What is marked; `null` for nothing. */
  passage: Passage | null
  /** True where the words of the page were recognised: the file does not say where they stand. */
  isRecognized: boolean
  /** What is recognised, as the settings name it. */
  languages: readonly string[]
}
