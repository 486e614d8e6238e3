/** The seam to what reads the text in pictures. */

/** Pixels in rows from the top, 8 bits a channel, without padding. */
export type Raster = {
  data: Uint8Array
  width: number
  height: number
  /** 1 is gray, 3 is RGB, 4 is RGBA, whose transparent parts count as white. */
  channels: 1 | 3 | 4
  /** Pixels an inch; `null` when nobody knows, which is true of most pictures. */
  dpi: number | null
  /** Size of the picture that boxes are measured in, where the raster is a smaller or larger copy of it. */
  source?: { width: number; height: number }
}

/** What is to be read, and how. */
export type RecognitionRequest = {
  image: Raster | { png: Uint8Array }
  /** One pass, or as many as it takes: scaled to 300 dpi, cleaned, straightened, the best kept. */
  mode: 'fast' | 'accurate'
  /** Hints such as `de`, `deu` or `German`; the configured languages when absent. */
  languages?: readonly string[]
  /** Aborting rejects with the signal's reason and ends what runs. */
  signal?: AbortSignal
}

/** A paragraph. */
export type RecognizedBlock = {
  text: string
  /** From 0 to 1. */
  confidence: number
  /** Left, top, width, height in pixels of the picture as it was given, whatever was done to it in between. */
  bbox: [x: number, y: number, width: number, height: number]
}

/** What came of a picture. Only `text` has text. */
export type Recognition = {
  /**
   * `blank`: nothing is on it. `nonsense`: what was read is not believable and was dropped. `timeout`: it took too long.
   * `failed`: the engine broke on it.
   */
  outcome: 'text' | 'blank' | 'nonsense' | 'timeout' | 'failed'
  /** The paragraphs in reading order, an empty line between two. */
  text: string
  /** From 0 to 1, weighed by length; of what was dropped where the outcome is `nonsense`. */
  confidence: number
  blocks: RecognizedBlock[]
  /** What was used, as the engine names them: `eng`. */
  languages: string[]
  /** Name and version, such as `tesseract 5.5.0`. */
  engine: string
  /** Why there is no text, as a sentence for a receipt; `null` where there is. */
  message: string | null
  /** What the caller should know: hints that were not followed. */
  warnings: string[]
}

/** Reads pictures, several at a time; more wait. */
export type Recognizer = {
  readonly engine: string
  /** Languages that can be asked for, as the engine names them. */
  readonly languages: readonly string[]
  /**
   * Never throws for what a picture is like. Rejects with `image_unreadable` where a PNG is damaged, with the reason of an aborted
   * signal, and with `service_unavailable` where the engine does not start.
   */
  recognize(request: RecognitionRequest): Promise<Recognition>
  /** Ends what runs; calls under way come back as `failed`. */
  close(): Promise<void>
}
