import type { Embedder } from '../../models/embedder.ts'
import type { Embedders } from '../../models/embedders.ts'
import { tracedSeam } from './traced-seam.ts'
import type { Tracing } from './tracing.ts'

/** The same models, with a span for each time something is embedded. */
export function tracedModels<Models extends { embedders: Embedders }>(tracing: Tracing, models: Models): Models {
  if (!tracing.isOn) return models
  const known = new Map<Embedder, Embedder>()
  const traced = (embedder: Embedder): Embedder => {
    const made = known.get(embedder) ?? tracedSeam(tracing, embedder, { embed: 'embedding' })
    known.set(embedder, made)
    return made
  }
  const { embedders } = models
  const get = (name: string) => {
    const embedder = embedders.get(name)
    return embedder === null ? null : traced(embedder)
  }
  return { ...models, embedders: { ...embedders, default: traced(embedders.default), get } }
}
