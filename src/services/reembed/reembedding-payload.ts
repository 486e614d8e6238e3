/** What a job that re-embeds has to know beside its memory; stored as JSON, and how far it has come with it. */
export type ReembeddingPayload = {
  /** The model of the new vectors, by its own name. */
  embeddingModel: string
  /** The name of the file they go to. */
  file: string
  /** Every document that showed at the beginning, up to this number in the order of arrival, is in the file. */
  carriedTo: number
  /** Chunks that were written so far. */
  chunks: number
}
