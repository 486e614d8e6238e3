import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { type Config, ConfigError } from '../config.ts'
import { countByOtherModel } from '../database/memories/memories-table.ts'
import type { Tables } from '../database/schema.ts'
import { createEmbedders, describeUnavailable, type Embedders } from '../models/embedders.ts'
import { createStaticEmbedder, type StaticEmbedder } from '../models/local/static-model.ts'
import { openEmbedder, openReranker } from '../models/open-models.ts'
import type { Reranker } from '../models/reranker.ts'
import type { Log } from '../observability/log.ts'
import { meteredEmbedder, meteredReranker } from '../observability/metered.ts'
import type { Meters } from '../observability/meters.ts'

/** Models for search: embedders and the reranker. */
export type SearchModels = {
  embedders: Embedders
  /** The embedded one: quotes and `ask-once` need vectors of many sentences quickly. */
  embedder: StaticEmbedder
  /** Absent without reranking. */
  reranker?: Reranker
}

/** Folder of the embedded embedder, beside `src` and `dist`. */
const EMBEDDER_FOLDER = join(import.meta.dirname, '..', '..', 'embedder')

/**
 * Opens the embedded embedder and the configured models. Rejects with {@link ConfigError} for an
 * unusable model.
 */
export async function openSearchModels(
  { search, models: { access } }: Config,
  { log, meters }: { log: Log; meters: Meters },
): Promise<SearchModels> {
  const { embedder: named, reranker } = search
  const embedder = await createStaticEmbedder({ directory: EMBEDDER_FOLDER })
  // Read while the rest starts. The first use reports damage.
  embedder.openTable().catch(() => undefined)
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

/** Opens a configured model. Rejects with {@link ConfigError} if it is missing or unusable. */
async function openNamed<Model>(setting: string, opening: Promise<Model>): Promise<Model> {
  try {
    return await opening
  } catch (error) {
    throw new ConfigError([`${setting}: ${error instanceof Error ? error.message : String(error)}`])
  }
}

/** Logs a warning if memories use an unavailable embedding model. */
export async function warnOfUnavailableModels(
  { db, log }: { db: Kysely<Tables>; log: { warn(facts: object, message: string): void } },
  { models }: Embedders,
): Promise<void> {
  const told = describeUnavailable(await countByOtherModel(db, models))
  if (told !== null) log.warn({}, told)
}
