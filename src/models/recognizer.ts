/** Interface of text recognition (OCR). */

/** Rows of pixels from the top, 8 bits per channel, without padding. */
export type Raster = {
  data: Uint8Array
  width: number
  height: number
  /** 1 is gray, 3 is RGB, 4 is RGBA; transparency counts as white. */
  channels: 1 | 3 | 4
  /** Pixels per inch; `null` if unknown, as for most images. */
  dpi: number | null
  /** Size of the original image, in which boxes are measured, if the raster is a scaled copy. */
  source?: { width: number; height: number }
}

/** An image to read, and how. */
export type RecognitionRequest = {
  image: Raster | { png: Uint8Array }
  /**
   * `fast`: one pass. `accurate`: as many passes as needed, scaled to 300 dpi, cleaned and
   * straightened; the best is kept.
   */
  mode: 'fast' | 'accurate'
  /** Hints such as `de`, `deu` or `German`. Default: the configured languages. */
  languages?: readonly string[]
  /**
   * Languages of the page before, by the engine's names. Without hints the first pass uses them, so
   * that most pages of a document need one pass.
   */
  likely?: readonly string[]
  /** Aborting stops the recognition and rejects with the signal's reason. */
  signal?: AbortSignal
}

/** A paragraph. */
export type RecognizedBlock = {
  text: string
  /** From 0 to 1. */
  confidence: number
  /** Left, top, width and height in pixels of the original image. */
  bbox: [x: number, y: number, width: number, height: number]
}

/** Result of reading an image. Only `text` has text. */
export type Recognition = {
  /**
   * `blank`: empty page. `nonsense`: the text was implausible and was dropped. `timeout`:
   * recognition took too long. `failed`: the engine failed on the image.
   */
  outcome: 'text' | 'blank' | 'nonsense' | 'timeout' | 'failed'
  /** Paragraphs in reading order, separated by an empty line. */
  text: string
  /** From 0 to 1, weighted by length. For `nonsense`, the confidence of the dropped text. */
  confidence: number
  blocks: RecognizedBlock[]
  /** Languages used, by the engine's names: `eng`. */
  languages: string[]
  /** Name and version of the engine, such as `tesseract 5.5.0`. */
  engine: string
  /**
   * Reason for missing text or doubtful letters, as a sentence for a report; `null` if neither
   * applies.
   */
  message: string | null
  /** Warnings for the caller: hints that were not followed. */
  warnings: string[]
}

/** Recognises text in images, several at a time; further calls wait. */
export type Recognizer = {
  readonly engine: string
  /** Available languages, by the engine's names. */
  readonly languages: readonly string[]
  /**
   * Never throws because of the content of an image. Rejects with `image_unreadable` for a damaged
   * PNG, with the reason of an aborted signal, and with `service_unavailable` if the engine does
   * not start.
   */
  recognize(request: RecognitionRequest): Promise<Recognition>
  /** Stops the recognition; running calls return `failed`. */
  close(): Promise<void>
}
