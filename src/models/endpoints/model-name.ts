/** Providers of language models, as `RECOLLECT_LLM` names them. */
export const CHAT_PROVIDERS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const
/** One of {@link CHAT_PROVIDERS}. */
export type ChatProvider = (typeof CHAT_PROVIDERS)[number]

/** A model as a setting names it. */
export type ModelName<Provider extends string = string> = {
  readonly provider: Provider
  /** What the provider calls it; a folder where the provider is `onnx`. */
  readonly model: string
  /** Tokens of its context where the setting says so, else `null`. */
  readonly contextTokens: number | null
}
