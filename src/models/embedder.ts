/** Interface of embedding models. */
export type Embedder = {
  /** The model name that memories are pinned to, such as `static-multi`. */
  readonly model: string
  /**
   * Weight of the semantic score in the fusion with BM25, by the language of the text (ISO 639-1).
   */
  fusionWeight(language: string): number
  /**
   * The same weight for a query in a language without documents. Absent: the weight of the
   * language.
   */
  readonly crossLanguageWeight?: number
  /**
   * Languages (ISO 639-1) in which unrelated texts have low cosines, and a high cosine is
   * sufficient evidence. Absent: all.
   */
  readonly calibratedLanguages?: readonly string[]
  /**
   * Lowest cosine of passages that are related to a query without a common word. Absent if
   * unrelated texts have no known cosine.
   */
  readonly minSimilarity?: number
  /**
   * Maximum characters of a window of whole sentences that gets its own embedding. `null`: only
   * whole chunks are embedded.
   */
  readonly windowCharacters: number | null
  /**
   * Best number of chunks per call: few for local models, which share the process; many for remote
   * ones, where each call is a round trip.
   */
  readonly chunksAtOnce: number
  /**
   * One L2-normalised vector per text, all of the same length; all zeros for a text without known
   * words. Rejects with `model_failed` or the reason of the signal.
   */
  embed(texts: readonly string[], kind: 'query' | 'passage', options?: EmbedOptions): Promise<Float32Array[]>
  /** Clears cached vectors, so that the model computes them again. Absent without a cache. */
  forget?(): void
}

/** Options of a call of an embedder. */
export type EmbedOptions = {
  signal?: AbortSignal | undefined
  /** Languages of the texts (ISO 639-1), in order; `null` if unknown. */
  languages?: readonly (string | null)[] | undefined
}

/** True if a high cosine is sufficient evidence in a language (ISO 639-1). */
export function isCalibrated(
  { calibratedLanguages }: Pick<Embedder, 'calibratedLanguages'>,
  language: string,
): boolean {
  return calibratedLanguages === undefined || calibratedLanguages.includes(language)
}
