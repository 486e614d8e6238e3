import { invalid } from '../../errors.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Embedders } from '../../models/embedders.ts'

/** The embedder that a re-embedding asks for. Unlike in an add, no other is taken in its place: throws `validation_failed`, which says which there are. */
export function requireConfigured(embedders: Embedders, name: string): Embedder {
  const embedder = embedders.get(name)
  if (embedder !== null) return embedder
  const known = embedders.models.join(', ')
  throw invalid(
    'embeddingModel',
    `is not configured here: name one of ${known}, or set RECOLLECT_EMBEDDER to it and start again`,
  )
}
