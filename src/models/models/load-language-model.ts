import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelEndpoint } from './endpoint.ts'
import type { ChatProvider } from './model-name.ts'

/** A model of the SDK's providers, and how it is reached. */
export type LanguageModelParts = {
  provider: ChatProvider
  model: string
  endpoint: ModelEndpoint
  fetch: typeof globalThis.fetch
}

/**
 * The SDK's model. Its code is loaded now and not with ours: it takes 24 to 31 MB, which an installation without a model does not pay. Base URL
 * and key are always handed over, so that the SDK never looks for them in the environment.
 */
export async function loadLanguageModel({
  provider,
  model,
  endpoint,
  fetch,
}: LanguageModelParts): Promise<LanguageModelV4> {
  const { baseUrl: baseURL } = endpoint
  const apiKey = endpoint.apiKey ?? ''
  // An endpoint of one's own without a key is better spoken to as what it is: the other way sends an empty key.
  if (provider === 'openai' && apiKey !== '') {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ baseURL, apiKey, fetch }).chat(model)
  }
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL, apiKey, fetch }).languageModel(model)
  }
  if (provider === 'google') {
    const { createGoogle } = await import('@ai-sdk/google')
    return createGoogle({ baseURL, apiKey, fetch }).languageModel(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const key = apiKey === '' ? {} : { apiKey }
  const options = { name: 'compatible', includeUsage: true, supportsStructuredOutputs: true }
  return createOpenAICompatible({ baseURL, ...key, ...options, fetch }).chatModel(model)
}
