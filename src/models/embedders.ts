import type { Embedder } from './embedder.ts'

/** Embedding models of the service. */
export type Embedders = {
  /** Embedder of new memories without a named model. */
  readonly default: Embedder
  /** Names of all embedders. */
  readonly models: readonly string[]
  /**
   * Finds an embedder by name (`static-en`) or by setting (`embedded`, `openai:mini`); `null` if
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
