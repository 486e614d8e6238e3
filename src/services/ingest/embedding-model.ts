import type { Warning } from '../../api/values.ts'
import { ApiError } from '../../errors.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Embedders } from '../../models/embedders.ts'

const PARAM = 'options.embeddingModel'

/**
 * Embedding model for the documents of a memory (contract, "embeddingModel in a request"). `pinned`
 * is the memory's model, `null` before the first add; `requested` is the caller's choice. Throws
 * `embedding_model_pinned` when the caller requests another available model, or when the pinned
 * model is not configured.
 */
export function chooseEmbeddingModel(
  embedders: Embedders,
  { pinned, requested }: { pinned: string | null; requested: string | null },
): { model: string; warnings: Warning[] } {
  const named = requested === null ? null : embedders.get(requested)
  const { model } = pinned === null ? (named ?? embedders.default) : requireEmbedder(embedders, pinned)
  if (requested === null || named?.model === model) return { model, warnings: [] }
  if (named !== null) {
    const message = `The memory is pinned to the embedding model ${model}.`
    throw new ApiError('embedding_model_pinned', { message, param: PARAM, details: [{ param: PARAM, message }] })
  }
  const message = `The embedding model ${requested.slice(0, 100)} is not configured; ${model} was used.`
  return { model, warnings: [{ code: 'embedding_model_unavailable', message, param: PARAM }] }
}

/**
 * The embedder that a memory is pinned to. Throws `embedding_model_pinned` when not configured:
 * vectors of two models are not comparable.
 */
export function requireEmbedder(embedders: Embedders, pinned: string): Embedder {
  const embedder = embedders.get(pinned)
  if (embedder !== null) return embedder
  throw new ApiError('embedding_model_pinned', {
    message:
      `The memory is pinned to the embedding model ${pinned}, which is not configured, ` +
      'so no document can be added.',
    remedy:
      'Set RECOLLECT_EMBEDDER to that model, ' +
      'or re-embed the memory with another model: POST /v1/memories/:id/reembed.',
  })
}
