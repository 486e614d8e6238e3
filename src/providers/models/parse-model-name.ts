/** Providers of language models, as `RECOLLECT_LLM` names them. */
export const CHAT_PROVIDERS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const
/** One of {@link CHAT_PROVIDERS}. */
export type ChatProvider = (typeof CHAT_PROVIDERS)[number]

/** A model as a setting names it. */
export type ModelName<Provider extends string = string> = {
  provider: Provider
  /** What the provider calls it; a folder where the provider is `onnx`. */
  model: string
  /** Tokens of its context where the setting says so, else `null`. */
  contextTokens: number | null
}

/** `@32k` or `@1m` at the end. A number without a letter belongs to the name: some providers end theirs with `@20260301`. */
const CONTEXT = /@(\d{1,5})(k|m)$/i
const TOKENS = { k: 1024, m: 1024 * 1024 } as const

/**
 * Reads `<provider>:<model>` for one of `providers`: `openai:gpt-4.1-mini`, `openai-compatible:qwen3:8b@32k`, `onnx:./models/mini`. The model
 * may have colons of its own. `@32k` at the end says how many tokens its context has. `null` when the text is none of these.
 */
export function parseModelName<const Provider extends string>(
  text: string,
  providers: readonly Provider[],
): ModelName<Provider> | null {
  const colon = text.indexOf(':')
  const provider = providers.find((name) => name === text.slice(0, colon))
  const written = text.slice(colon + 1).trim()
  if (colon === -1 || provider === undefined) return null
  if (provider === 'onnx') return written === '' ? null : { provider, model: written, contextTokens: null }
  const [tail = '', count = '', letter = ''] = CONTEXT.exec(written) ?? []
  const model = written.slice(0, written.length - tail.length)
  if (model === '' || /\s|\p{Cc}/u.test(model)) return null
  const contextTokens = tail === '' ? null : Number(count) * TOKENS[letter.toLowerCase() === 'k' ? 'k' : 'm']
  return contextTokens === 0 ? null : { provider, model, contextTokens }
}
