import { ApiError } from '../../errors.ts'
import type { Warning } from '../resources.ts'

/**
 * Which embedder a memory's documents take (contract, "embeddingModel in a request"). `pinned` is the memory's model,
 * `null` before its first ingest; `requested` is what the caller named; `available` is the configured embedder's name.
 * Throws `embedding_model_pinned` when another, available model was named explicitly.
 */
export function chooseEmbeddingModel({
  pinned,
  requested,
  available,
}: {
  pinned: string | null
  requested: string | null
  available: string
}): { model: string; warnings: Warning[] } {
  const model = pinned ?? available
  if (requested === null || requested === model) return { model, warnings: [] }
  if (requested === available) {
    throw new ApiError('embedding_model_pinned', {
      message: `The memory is pinned to the embedding model ${model}.`,
      param: 'options.embeddingModel',
    })
  }
  const message = `The embedding model ${requested.slice(0, 100)} is not available here; ${model} was used.`
  return { model, warnings: [{ code: 'embedding_model_unavailable', message, param: 'options.embeddingModel' }] }
}
