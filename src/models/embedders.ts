import { basename } from 'node:path'
import type { Embedder } from './embedder.ts'
import type { ModelName } from './endpoints/model-name.ts'

/** Name of the built-in embedder. */
export const EMBEDDED_MODEL = 'static-multi'

/** Embedding models of the service. */
export type Embedders = {
  /** Embedder of new memories without a named model. */
  readonly default: Embedder
  /** Names of all embedders. */
  readonly models: readonly string[]
  /**
   * Finds an embedder by name (`static-multi`) or by setting (`embedded`, `openai:mini`); `null` if
   * unknown.
   */
  get(name: string): Embedder | null
}

/** An embedder, and the setting that names the embedder. */
type NamedEmbedder = { setting: string; embedder: Embedder }

/**
 * Creates the set of the embedded embedder and a configured one, which is then the default. Throws
 * if both have the same name: memories identify their embedder by name alone.
 */
export function createEmbedders(embedded: Embedder, configured: NamedEmbedder | null = null): Embedders {
  const all = [{ setting: 'embedded', embedder: embedded }, ...(configured === null ? [] : [configured])]
  if (configured?.embedder.model === embedded.model)
    throw new Error(`${configured.setting} has the name of the embedded embedder, ${embedded.model}`)
  return {
    default: configured?.embedder ?? embedded,
    models: all.map(({ embedder }) => embedder.model),
    get: (name) => all.find(({ setting, embedder }) => name === embedder.model || name === setting)?.embedder ?? null,
  }
}

/** Names of the models available with a setting. Opens no model. */
export function listAvailableModels(
  setting: 'embedded' | Pick<ModelName<'openai' | 'onnx'>, 'provider' | 'model'>,
): string[] {
  if (setting === 'embedded') return [EMBEDDED_MODEL]
  return [EMBEDDED_MODEL, setting.provider === 'onnx' ? `onnx:${basename(setting.model)}` : setting.model]
}

/** Names unavailable models, the number of memories, and the remedy; `null` without models. */
export function describeUnavailable(models: readonly { model: string; memories: number }[]): string | null {
  if (models.length === 0) return null
  const each = models.map(({ model, memories }) => `${memories} of ${model}`).join(', ')
  return (
    `memories whose embedding model is not available: ${each}; only their words are searched, and nothing can be ` +
    'added, until each is re-embedded: recollect reembed <memory> embedded'
  )
}
