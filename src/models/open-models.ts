/**
 * Opens the models that settings name. The code of a model is loaded only when a setting names one,
 * so that an installation without models pays nothing.
 */
import type { Log } from '../observability/log.ts'
import type { ChatModel } from './chat-model.ts'
import type { Embedder } from './embedder.ts'
import type { CallTimeouts } from './endpoints/deadline.ts'
import { DEFAULT_BASE_URLS, type ModelEndpoint } from './endpoints/endpoint.ts'
import type { ChatProvider, ModelName } from './endpoints/model-name.ts'
import type { Reranker } from './reranker.ts'
import type { VisionReader } from './vision-reader.ts'

/** Endpoints and keys of models; `null` means the default address of the provider, or no key. */
export type ModelAccess = {
  readonly openai: { readonly baseUrl: string | null; readonly apiKey: string | null }
  readonly anthropic: { readonly apiKey: string | null }
  readonly google: { readonly apiKey: string | null }
}

type OpenModelDeps = { access: ModelAccess; log: Pick<Log, 'warn'> }

/**
 * A page of small print takes a large model half a minute, and a request may have several pages.
 * After the timeout, the reading of the embedded engine is used.
 */
const PAGE_TIMEOUTS: Partial<CallTimeouts> = { totalMs: 90_000 }

/** Maximum silence within a stream, for limits of 30 s or more. */
const GAP_MS = 30_000

/** Time limits of a language model whose answers may take some time. */
export function limitAnswers(totalMs: number): CallTimeouts {
  return { totalMs, firstMs: totalMs, gapMs: Math.min(GAP_MS, totalMs) }
}

/** Opens a language model. Sends no request. */
export async function openChatModel(
  name: ModelName<ChatProvider>,
  { access, log, timeouts = {} }: OpenModelDeps & { timeouts?: Partial<CallTimeouts> },
): Promise<ChatModel> {
  const { createSdkChatModel } = await import('./endpoints/sdk-chat-model.ts')
  return createSdkChatModel({ name, endpoint: endpointOf(name.provider, access), log, timeouts })
}

/**
 * Opens an embedder; endpoints receive no request yet. Rejects if the folder is invalid or the
 * runtime is not installed.
 */
export async function openEmbedder(
  name: ModelName<'openai' | 'onnx'>,
  { access, log }: OpenModelDeps,
): Promise<Embedder> {
  if (name.provider === 'onnx') {
    const { createOnnxEmbedder } = await import('./local/onnx-models.ts')
    return await createOnnxEmbedder({ folder: name.model })
  }
  const { createEndpointEmbedder } = await import('./endpoints/endpoint-embedder.ts')
  return createEndpointEmbedder({ model: name.model, endpoint: endpointOf('openai', access), log })
}

/** Opens a reranker. Rejects if the folder is invalid or the runtime is not installed. */
export async function openReranker(
  name: ModelName<'openai-compatible' | 'onnx'>,
  { access, log }: OpenModelDeps,
): Promise<Reranker> {
  if (name.provider === 'onnx') {
    const { createOnnxReranker } = await import('./local/onnx-models.ts')
    return await createOnnxReranker({ folder: name.model })
  }
  const { createEndpointReranker } = await import('./endpoints/endpoint-reranker.ts')
  return createEndpointReranker({ model: name.model, endpoint: endpointOf(name.provider, access), log })
}

/** Opens a page reader with a vision model. Sends no request. */
export async function openVisionReader(name: ModelName<ChatProvider>, deps: OpenModelDeps): Promise<VisionReader> {
  const { createVisionReader } = await import('./vision-reader.ts')
  const chat = await openChatModel(name, { ...deps, timeouts: PAGE_TIMEOUTS })
  return createVisionReader({ chat, log: deps.log })
}

/**
 * Checks that the endpoint of a model answers and accepts the key. Costs no tokens. Rejects with
 * `model_failed` or the signal's reason.
 */
export async function probeModel(
  { provider }: Pick<ModelName<ChatProvider>, 'provider'>,
  { access, signal }: { access: ModelAccess; signal: AbortSignal },
): Promise<void> {
  const { probeEndpoint } = await import('./endpoints/endpoint.ts')
  await probeEndpoint(endpointOf(provider, access), { provider, signal })
}

/** The endpoint of a provider. Throws if no address is configured. */
export function endpointOf(provider: ChatProvider, access: ModelAccess): ModelEndpoint {
  if (provider === 'anthropic' || provider === 'google')
    return { baseUrl: DEFAULT_BASE_URLS[provider], apiKey: access[provider].apiKey }
  const { baseUrl, apiKey } = access.openai
  const address = baseUrl ?? DEFAULT_BASE_URLS[provider]
  if (address === null) throw new Error(`nothing says where models of ${provider} answer`)
  return { baseUrl: address, apiKey }
}
