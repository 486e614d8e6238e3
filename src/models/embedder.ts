/** The seam to what turns text into vectors. */
export type Embedder = {
  /** The name the memory is pinned to, such as `static-en`. */
  readonly model: string
  /** Weight of the semantic score in the fusion with BM25, by the language of the text (ISO 639-1). */
  fusionWeight(language: string): number
  /** Most characters of a window of whole sentences that is embedded on its own; `null`: chunks are embedded whole only. */
  readonly windowCharacters: number | null
  /** Chunks that are best embedded by one call: few where the work is done in this process, which others use too; many where each call is a journey. */
  readonly chunksAtOnce: number
  /**
   * One L2-normalised vector a text, all of one length, all zeros where nothing is known of the text. Rejects with `model_failed`, and with
   * the reason of the signal.
   */
  embed(texts: readonly string[], kind: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]>
  /** Forgets what earlier answers told, vectors of texts above all: the model is asked for each of them again. Absent where nothing is remembered. */
  forget?(): void
}
