import type { Warning } from '../../api/values.ts'
import { ApiError } from '../../errors.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Embedders } from '../../models/embedders.ts'

const PARAM = 'options.embeddingModel'

/**
 * Which embedder a memory's documents take (contract, "embeddingModel in a request"). `pinned` is
 * the memory's model, `null` before its first ingest; `requested` is what the caller named. Throws
 * `embedding_model_pinned` when another, available model was named explicitly, and when the
 * memory's own is not configured (any more).
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
  const message = `The embedding model ${requested.slice(0, 100)} is not available here; ${model} was used.`
  return { model, warnings: [{ code: 'embedding_model_unavailable', message, param: PARAM }] }
}

/**
 * The embedder that a memory is pinned to. Throws `embedding_model_pinned` where it is not
 * configured: vectors of two models do not compare.
 */
export function requireEmbedder(embedders: Embedders, pinned: string): Embedder {
  const embedder = embedders.get(pinned)
  if (embedder !== null) return embedder
  throw new ApiError('embedding_model_pinned', {
    message:
      `The memory is pinned to the embedding model ${pinned}, which is not configured here, ` +
      'so nothing can be added to it.',
    remedy:
      'Name that model in RECOLLECT_EMBEDDER again, ' +
      'or have the memory re-embedded with another: POST /v1/memories/:id/reembed.',
  })
}
