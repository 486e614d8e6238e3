import type { ModelName } from './model-name.ts'

/**
 * Tokens of prompt and answer together, by the beginning of the name, longest first. From the providers' model pages as of November 2026;
 * a model that is not here gets the cautious value, which costs some context and never an answer.
 */
const KNOWN: readonly (readonly [beginning: string, tokens: number])[] = [
  ['gpt-3.5-turbo', 16_385],
  ['gpt-4.1', 1_047_576],
  ['gpt-4-turbo', 128_000],
  ['gpt-4o', 128_000],
  ['gpt-4', 8_192],
  ['gpt-5-chat', 128_000],
  ['gpt-5', 272_000],
  ['chatgpt-4o', 128_000],
  ['o1', 128_000],
  ['o3', 200_000],
  ['o4-mini', 200_000],
  ['claude-', 200_000],
  ['gemini-', 1_048_576],
]
const UNKNOWN = 8_192
/** What Ollama gives a model on a machine with little graphics memory, whatever the model could do (its documentation, "Context length"). */
const UNKNOWN_COMPATIBLE = 4_096

/**
 * How many tokens the context of a model has: what the setting says, else what is known of it, else a cautious value. A name with a slash
 * (`openai/gpt-4o`, as routers write it) is known by its last part.
 */
export function contextTokensOf({ provider, model, contextTokens }: ModelName): number {
  if (contextTokens !== null) return contextTokens
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  const known = KNOWN.find(([beginning]) => name.startsWith(beginning))
  if (known !== undefined) return known[1]
  return provider === 'openai-compatible' ? UNKNOWN_COMPATIBLE : UNKNOWN
}
