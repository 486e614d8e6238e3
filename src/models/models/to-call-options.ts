import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import type { ChatMessage, ChatRequest, JsonSchema } from '../chat-model.ts'
import type { ModelName } from './model-name.ts'
import { thinkingTokensOf } from './thinking-tokens.ts'

/**
 * How much is asked of the endpoint: `full` names temperature and schema in the fields made for them; `plain` uses neither, since some servers
 * refuse such a request as a whole.
 */
export type RequestStyle = 'full' | 'plain'

/** What a call of the SDK needs to know beside the request. */
export type CallFacts = { name: ModelName; style: RequestStyle; schema?: JsonSchema | undefined; signal: AbortSignal }

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
