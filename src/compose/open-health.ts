import type { Config } from '../config.ts'
import type { Store } from '../database/store.ts'
import type { CheckedWorker } from '../jobs/worker.ts'
import { probeModel } from '../models/open-models.ts'
import type { DamageWatch } from '../services/health/damage-watch.ts'
import { type Check, createHealthService, type DrainingHealthService } from '../services/health/health-service.ts'
import { createMemoryFilesCheck } from '../services/health/memory-files-check.ts'
import { requireLanguageData } from './open-document-reader.ts'
import type { SharedDeps } from './open-parts.ts'
import type { SearchModels } from './open-search-models.ts'

/** Readiness: required database and object store; optional models and worker. */
export function openHealth(
  config: Config,
  { parts, store, worker, damage }: { parts: SharedDeps; store: Store; worker: CheckedWorker; damage: DamageWatch },
): DrainingHealthService {
  const models = listModelChecks(config, parts)
  const { db, blobs, storage } = parts
  const requireFiles = createMemoryFilesCheck({ db, listFiles: storage.memoryFile.list })
  return createHealthService({
    database: async () => {
      await store.probe()
      await damage.requireUndamaged()
    },
    objectStore: async (signal) => {
      await blobs.probe()
      await requireFiles(signal)
    },
    conditions: { openFiles: parts.openFiles.check },
    optional: config.role === 'api' ? models : { ...models, worker: worker.check },
    log: parts.log,
  })
}

/** Checks of each model, by its name in the readiness report. */
function listModelChecks(config: Config, models: SearchModels): Record<string, Check> {
  return { ...localChecks(models), ocr: checkLanguageData(config), ...endpointChecks(config) }
}

/** Checks of local models, by a call: free of cost for a model in this process. */
function localChecks({ embedders, reranker }: SearchModels): Record<string, Check> {
  const embedder = async () => void (await embedders.default.embed(['ready'], 'query'))
  if (reranker === undefined) return { embedder }
  return {
    embedder,
    reranker: async (signal) => void (await reranker.rerank({ query: 'ready', texts: ['ready'], signal })),
  }
}

/** The built-in recogniser starts processes on demand. Only its language data can be missing. */
function checkLanguageData({ recognition }: Config): Check {
  return async () => void requireLanguageData(recognition.languages)
}

/**
 * Checks of remote models, which replace the local checks: a remote embedder would answer `ready`
 * from its cache.
 */
function endpointChecks({ models: { chat, access }, search, recognition }: Config): Record<string, Check> {
  const named = { llm: chat, embedder: search.embedder, reranker: search.reranker, ocr: recognition.engine }
  const checks: Record<string, Check> = {}
  for (const [name, model] of Object.entries(named)) {
    if (model === null || typeof model === 'string' || model.provider === 'onnx') continue
    const { provider } = model
    checks[name] = (signal) => probeModel({ provider }, { access, signal })
  }
  return checks
}
