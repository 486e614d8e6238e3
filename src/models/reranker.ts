/** The seam to what puts found texts in order by reading each of them together with the question. */
export type Reranker = {
  /** Such as `rerank-v3.5`. */
  readonly model: string
  /**
   * How well each text answers the query, in the order of the texts; higher is better, and scores of different queries do not compare.
   * Rejects with `model_failed`, and with the reason of an aborted signal: a caller with a time budget aborts and keeps the order it has.
   */
  rerank(request: { query: string; texts: readonly string[]; signal?: AbortSignal }): Promise<number[]>
}
