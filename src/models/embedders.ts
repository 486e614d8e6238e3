import type { Embedder } from './embedder.ts'

/** The embedders that the service holds. */
export type Embedders = {
  /** The one that memories are pinned to where nothing else is named. */
  readonly default: Embedder
  /** Their own names. */
  readonly models: readonly string[]
  /** By its own name (`static-en`) or as settings name it (`embedded`, `openai:mini`); `null` where none has it. */
  get(name: string): Embedder | null
}

/** An embedder and how the setting names it. */
type NamedEmbedder = { setting: string; embedder: Embedder }

/**
 * The embedded embedder, always there, and the one that the setting names beside it, which is the default then. Throws where both have one name:
 * memories know their embedder by nothing else.
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
