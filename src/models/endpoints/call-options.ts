import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import type { ChatMessage, ChatRequest, JsonSchema } from '../chat-model.ts'
import type { ModelName } from './model-name.ts'

/**
 * How much is asked of the endpoint: `full` names temperature and schema in the fields made for them; `plain` uses neither, since some servers
 * refuse such a request as a whole.
 */
type RequestStyle = 'full' | 'plain'

/** What a call of the SDK needs to know beside the request. */
type CallFacts = { name: ModelName; style: RequestStyle; schema?: JsonSchema | undefined; signal: AbortSignal }

/** The request in the SDK's words. */
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
    // The same question should get the same answer. Google advises against a temperature of its own for its models.
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

/** Families whose thinking counts as output (the providers' model pages, November 2026). */
const THINKING = /^(o\d|gpt-(5|6|7|8|9|\d\d)(?!-chat)|gemini-(2\.5|[3-9]))/
const TOKENS = 4_096

/** Tokens of output that a model needs for its thinking, beside those of the answer; without them a short answer comes back empty. */
function thinkingTokensOf(model: string): number {
  return THINKING.test(model.slice(model.lastIndexOf('/') + 1).toLowerCase()) ? TOKENS : 0
}

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
