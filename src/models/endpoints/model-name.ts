/** Providers of language models in `RECOLLECT_LLM`. */
export const CHAT_PROVIDERS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const
/** Any of {@link CHAT_PROVIDERS}. */
export type ChatProvider = (typeof CHAT_PROVIDERS)[number]

/** A model as named in a setting. */
export type ModelName<Provider extends string = string> = {
  readonly provider: Provider
  /** The provider's name of the model; a folder for `onnx`. */
  readonly model: string
  /** Context size in tokens from the setting, else `null`. */
  readonly contextTokens: number | null
}
