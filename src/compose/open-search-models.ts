import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import type { Embedder } from '../models/embedder.ts'
import { createEmbedders, type Embedders } from '../models/embedders.ts'
import { openEmbedder, openReranker } from '../models/open-models.ts'
import type { Reranker } from '../models/reranker.ts'
import { createStaticEmbedder } from '../models/static/static-model.ts'
import type { Log } from '../observability/log.ts'
import { meteredEmbedder, meteredReranker } from '../observability/metered.ts'
import type { Meters } from '../observability/meters.ts'

/** The models that find: what compares meanings, and what reads again. */
export type SearchModels = {
  embedders: Embedders
  /** The embedded one: quotes and `ask-once` need the vectors of many sentences, at once. */
  embedder: Embedder
  /** Absent where no model reads again what was found. */
  reranker?: Reranker
}

/** Where the embedded embedder's files stand, beside `src` and beside `dist`. */
export const EMBEDDER_FOLDER = join(import.meta.dirname, '..', '..', 'embedder')

/** The embedded embedder and what the settings name beside it. Rejects with {@link ConfigError} for a model that cannot be used. */
export async function openSearchModels(
  { search, models: { access } }: Config,
  { log, meters }: { log: Log; meters: Meters },
): Promise<SearchModels> {
  const { embedder: named, reranker } = search
  const embedder = await createStaticEmbedder({ directory: EMBEDDER_FOLDER })
  const open = async () => {
    if (named === 'embedded') return createEmbedders(embedder)
    const setting = `${named.provider}:${named.model}`
    return createEmbedders(embedder, {
      setting,
      embedder: meteredEmbedder(await openEmbedder(named, { access, log }), meters),
    })
  }
  const embedders = await openNamed('RECOLLECT_EMBEDDER', open())
  if (typeof reranker === 'string') return { embedder, embedders }
  const opening = openReranker(reranker, { access, log })
  return { embedder, embedders, reranker: meteredReranker(await openNamed('RECOLLECT_RERANKER', opening), meters) }
}

/** What a setting names. Rejects with {@link ConfigError} where it is not there or cannot be used. */
async function openNamed<Model>(setting: string, opening: Promise<Model>): Promise<Model> {
  try {
    return await opening
  } catch (error) {
    throw new ConfigError([`${setting}: ${error instanceof Error ? error.message : String(error)}`])
  }
}
