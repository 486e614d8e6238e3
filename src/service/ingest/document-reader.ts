import type { ParseEvent, SniffedType, SourceFile } from '../../parsers/parser.ts'
import type { Recognition } from '../../providers/recognizer.ts'

/** How pages that are pictures of text are treated. */
export type RecognitionPlan = {
  /** False: they are left out, and their receipts say so. */
  enabled: boolean
  /** Most pages recognised of the document; receipts of the others say so. */
  maxPages: number
  mode: 'fast' | 'accurate'
  /** Hints of languages; none: those of the settings. */
  languages: readonly string[]
}

/** Pages that were recognised already, kept between two attempts at a document. */
export type RecognizedPages = {
  get(page: number): Promise<Recognition | null>
  put(page: number, recognition: Recognition): Promise<void>
}

export type ReadOptions = {
  recognition: RecognitionPlan
  signal: AbortSignal
  /** What need not be recognised again; none where absent. */
  recognized?: RecognizedPages
  /** Hears of each page as it is recognised, in page order; its picture's size in pixels. */
  onRecognized?: (page: number, recognition: Recognition, size: { width: number; height: number }) => void
}

/** Reads files of every supported format, pictures of text included: no `scan` event comes out of it. */
export type DocumentReader = {
  read(source: SourceFile, type: SniffedType, options: ReadOptions): AsyncIterable<ParseEvent>
}
