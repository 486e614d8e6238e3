import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import type { ChatMessage, ChatRequest, JsonSchema } from '../chat-model.ts'
import type { ModelName } from './model-name.ts'

/**
 * `full` sends temperature and schema in their fields. `plain` sends neither, since some servers
 * refuse the whole request because of them.
 */
type RequestStyle = 'full' | 'plain'

/** Facts of an SDK call beside the request. */
type CallFacts = { name: ModelName; style: RequestStyle; schema?: JsonSchema | undefined; signal: AbortSignal }

/** Converts a request to call options of the SDK. */
export function toCallOptions(
  request: ChatRequest,
  { name, style, schema, signal }: CallFacts,
): LanguageModelV4CallOptions {
  const prompt = request.messages.map(toMessage)
  if (schema !== undefined && style === 'plain') prompt.unshift({ role: 'system', content: describeSchema(schema) })
  return {
    prompt,
    maxOutputTokens: request.maxOutputTokens + thinkingTokensOf(name.model),
    abortSignal: signal,
    // Deterministic answers. Google advises against setting a temperature for its models.
    ...(style === 'full' && name.provider !== 'google' ? { temperature: 0 } : {}),
    ...(style === 'full' && schema !== undefined ? { responseFormat: { type: 'json', schema, name: 'answer' } } : {}),
  }
}

function toMessage({ role, text, pictures = [] }: ChatMessage): LanguageModelV4Message {
  if (role === 'system') return { role, content: text }
  if (role === 'assistant') return { role, content: [{ type: 'text', text }] }
  const files = pictures.map(({ bytes, mediaType }) => {
    return { type: 'file' as const, mediaType, data: { type: 'data' as const, data: bytes } }
  })
  return { role, content: [...files, { type: 'text', text }] }
}

function describeSchema(schema: JsonSchema): string {
  return `Answer with JSON alone, without any other word. It must fit this JSON Schema:\n${JSON.stringify(schema)}`
}

/** Model families whose thinking counts as output (model pages of the providers, November 2026). */
const THINKING = /^(o\d|gpt-(5|6|7|8|9|\d\d)(?!-chat)|gemini-(2\.5|[3-9]))/
const TOKENS = 4_096

/** Output tokens to reserve for thinking. Without the reserve, a short answer comes back empty. */
function thinkingTokensOf(model: string): number {
  return THINKING.test(model.slice(model.lastIndexOf('/') + 1).toLowerCase()) ? TOKENS : 0
}

/**
 * Context sizes by prefix of the model name, longest prefix first, from the providers' model pages
 * as of November 2026. An unknown model gets a cautious size, which costs some context but never an
 * answer.
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
/**
 * Ollama's context size on machines with little graphics memory, less than the model supports
 * (Ollama documentation, "Context length").
 */
const UNKNOWN_COMPATIBLE = 4_096

/**
 * Context size of a model in tokens: from the setting, else from the table, else a cautious value.
 * For a name with a slash, such as `openai/gpt-4o`, the last part is looked up.
 */
export function contextTokensOf({ provider, model, contextTokens }: ModelName): number {
  if (contextTokens !== null) return contextTokens
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  const known = KNOWN.find(([beginning]) => name.startsWith(beginning))
  if (known !== undefined) return known[1]
  return provider === 'openai-compatible' ? UNKNOWN_COMPATIBLE : UNKNOWN
}
