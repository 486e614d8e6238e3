import type { Config } from '../config.ts'
import { probeModel } from '../models/open-models.ts'
import type { Check } from '../services/health/health-service.ts'
import { requireLanguageData } from './open-document-reader.ts'
import type { SearchModels } from './open-search-models.ts'

/** Whether each model answers, by the name under which readiness lists it. */
export function listModelChecks(config: Config, models: SearchModels): Record<string, Check> {
  return { ...localChecks(models), ocr: checkLanguageData(config), ...endpointChecks(config) }
}

/** Models that are asked themselves, which costs nothing where they run in this process. */
function localChecks({ embedders, reranker }: SearchModels): Record<string, Check> {
  const embedder = async () => void (await embedders.default.embed(['ready'], 'query'))
  if (reranker === undefined) return { embedder }
  return {
    embedder,
    reranker: async (signal) => void (await reranker.rerank({ query: 'ready', texts: ['ready'], signal })),
  }
}

/** The recogniser of the package is processes that are started as they are needed; what can be missing is its data. */
function checkLanguageData({ recognition }: Config): Check {
  return async () => requireLanguageData(recognition.languages)
}

/** Models behind endpoints, in place of those: an embedder there would answer `ready` from its cache. */
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
