/** Interface of rerankers, which score each text together with the query. */
export type Reranker = {
  /** For example `rerank-v3.5`. */
  readonly model: string
  /**
   * Relevance of each text to the query, in the order of the texts. Higher is better; scores of
   * different queries are not comparable. Rejects with `model_failed`, or with the reason of an
   * aborted signal. A caller with a time budget aborts and keeps its order.
   */
  rerank(request: { query: string; texts: readonly string[]; signal?: AbortSignal }): Promise<number[]>
}
