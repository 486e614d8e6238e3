/** The seam to what turns text into vectors. */
export type Embedder = {
  /** The name the memory is pinned to, such as `static-en`. */
  readonly model: string
  readonly dimensions: number
  /** Weight of the semantic score in the fusion with BM25, by the language of the text (ISO 639-1). */
  fusionWeight(language: string): number
  /** Most characters of a window of whole sentences that is embedded on its own; `null`: chunks are embedded whole only. */
  readonly windowCharacters: number | null
  /** One L2-normalised vector a text, all zeros where nothing is known of it. Rejects with `model_failed`. */
  embed(texts: readonly string[], kind: 'query' | 'passage'): Promise<Float32Array[]>
}
