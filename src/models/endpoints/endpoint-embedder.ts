import { createHash } from 'node:crypto'
import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import type { Log } from '../../observability/log.ts'
import type { Embedder } from '../embedder.ts'
import { prefixesOf, toUnitVector } from '../sentence-embedding.ts'
import { startDeadline } from './deadline.ts'
import { createLimitedFetch, type ModelEndpoint } from './endpoint.ts'
import { describeFailure, ModelFailure } from './model-failure.ts'
import { type BatchLimits, createTextQueue, splitIntoBatches } from './text-queue.ts'
import { tryAgain } from './try-again.ts'

/** What the embedder is made of. */
export type EndpointEmbedderOptions = {
  model: string
  /** Any that speaks the OpenAI protocol. */
  endpoint: ModelEndpoint
  log: Pick<Log, 'warn'>
  /** Of one request, its repeats included; a minute when absent. */
  timeoutMs?: number
  /** The pause before a failed request is repeated for the first time; half a second when absent. */
  pauseMs?: number
  /** What vectors of earlier texts may take; 16 MB when absent. */
  cacheBytes?: number
  limits?: BatchLimits
}

const TIMEOUT_MS = 60_000
const CACHE_BYTES = 16 * 1024 * 1024
/** 32 is the most that Hugging Face's embedding server takes as it comes; OpenAI's own limits are higher (2,048 texts, 300,000 tokens). */
const LIMITS: BatchLimits = { texts: 32, tokens: 50_000 }
const REQUESTS_AT_ONCE = 4
/** OpenAI's models take 8,191 tokens; a longer text says most of what it is about before that. */
const MAX_CHARACTERS = 24_000
/** A text this short is refused for another reason than its length. */
const MIN_CUT_CHARACTERS = 200
/** As for other neural models: measured with all-MiniLM-L6-v2, best of .1 to .7 on ten sets (docs/decisions/0020). */
const FUSION_WEIGHT = 0.5
/** Each of one request; as many as are sent at a time. */
const CHUNKS_AT_ONCE = LIMITS.texts * REQUESTS_AT_ONCE
/** From OpenAI's model pages; with others the first answer tells. */
const KNOWN_DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
}

/**
 * An embedding model behind an endpoint, in batches, with a cache by the hash of the text. Nothing is sent before the first call: the endpoint may
 * come later than the service.
 */
export function createEndpointEmbedder(options: EndpointEmbedderOptions): Embedder {
  const { model, limits = LIMITS } = options
  const cache = createVectorCache({ maxBytes: options.cacheBytes ?? CACHE_BYTES })
  const prefixes = prefixesOf(model)
  const request = createRequester(options)
  let dimensions = KNOWN_DIMENSIONS[model] ?? null

  async function embedBatch(batch: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors = await request(batch, { dimensions, signal })
    dimensions ??= vectors[0]?.length ?? null
    for (const [at, text] of batch.entries()) cache.set(text, vectors[at] ?? new Float32Array())
    return vectors
  }

  // The first answer tells what the others must be like.
  const atOnce = () => (dimensions === null ? 1 : REQUESTS_AT_ONCE)
  const queue = createTextQueue({ limits, atOnce, embedBatch: (batch) => embedBatch(batch) })

  async function askNow(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    return (await mapConcurrent(splitIntoBatches(texts, limits), 1, (batch) => embedBatch(batch, signal))).flat()
  }

  const embed: Embedder['embed'] = async (texts, kind, signal) => {
    // Nothing can be said of a blank text, and endpoints refuse it.
    const asked = texts.map((text) => (text.trim() === '' ? null : (prefixes[kind] + text).slice(0, MAX_CHARACTERS)))
    const known = asked.map((text) => (text === null ? null : cache.get(text)))
    const missing = [...new Set(asked.filter((_text, at) => known[at] === null))].filter((text) => text !== null)
    // A question does not wait behind the documents that are being added.
    const vectors = kind === 'query' ? await askNow(missing, signal) : await Promise.all(missing.map(queue))
    const found = new Map(missing.map((text, at) => [text, vectors[at]]))
    if (dimensions === null) await embedBatch(['size'], signal)
    return asked.map((text, at) => known[at] ?? found.get(text ?? '') ?? new Float32Array(dimensions ?? 0))
  }
  const forget = () => {
    cache.clear()
    // What answers by this name now may be another model, with vectors of another length.
    dimensions = KNOWN_DIMENSIONS[model] ?? null
  }
  const fusionWeight = () => FUSION_WEIGHT
  return { model, windowCharacters: null, chunksAtOnce: CHUNKS_AT_ONCE, fusionWeight, embed, forget }
}

/** What is known of a request: how long its vectors must be, where that is known, and whether its caller still waits. */
type Wanted = { dimensions: number | null; signal: AbortSignal | undefined }
/** Unit vectors of a batch. */
type Requester = (texts: readonly string[], wanted: Wanted) => Promise<Float32Array[]>

function createRequester({ model: name, endpoint, log, ...options }: EndpointEmbedderOptions): Requester {
  const fetch = createLimitedFetch()
  let loading: Promise<EmbeddingModelV4> | undefined

  async function request(texts: readonly string[], wanted: Wanted): Promise<Float32Array[]> {
    const deadline = startDeadline({ totalMs: options.timeoutMs ?? TIMEOUT_MS, signal: wanted.signal })
    const confidential = { apiKey: endpoint.apiKey, prompt: texts }
    const context = { deadline, who: `openai:${name}`, confidential, silenceMs: null, log, pauseMs: options.pauseMs }
    try {
      loading ??= loadEmbeddingModel(name, endpoint, fetch)
      const model = await loading
      const ask = () => model.doEmbed({ values: [...texts], abortSignal: deadline.signal })
      return await tryAgain(async () => toVectors(await ask(), texts.length, wanted.dimensions), context)
    } catch (error) {
      const { status } = describeFailure(error, confidential)
      if (status !== 400 && status !== 413 && status !== 422) throw error
      return await requestSmaller(texts, wanted, error)
    } finally {
      deadline.end()
    }
  }

  /** One text of a batch is enough to have it refused; a text may be refused for its length, which only the model knows. */
  async function requestSmaller(texts: readonly string[], wanted: Wanted, error: unknown): Promise<Float32Array[]> {
    const [first = ''] = texts
    if (texts.length === 1 && first.length < MIN_CUT_CHARACTERS) throw error
    if (texts.length === 1) return await request([first.slice(0, first.length / 2)], wanted)
    return (await mapConcurrent(texts, 1, (text) => request([text], wanted))).flat()
  }

  return request
}

async function loadEmbeddingModel(
  model: string,
  { baseUrl: baseURL, apiKey }: ModelEndpoint,
  fetch: typeof globalThis.fetch,
): Promise<EmbeddingModelV4> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const key = apiKey === null || apiKey === '' ? {} : { apiKey }
  return createOpenAICompatible({ name: 'embeddings', baseURL, ...key, fetch }).embeddingModel(model)
}

type Embedded = Awaited<ReturnType<EmbeddingModelV4['doEmbed']>>

function toVectors({ embeddings, response }: Embedded, count: number, dimensions: number | null): Float32Array[] {
  const length = dimensions ?? embeddings[0]?.length ?? 0
  if (embeddings.length !== count || length === 0)
    throw new ModelFailure('garbage', `gave ${embeddings.length} vectors for ${count} texts`)
  const wrong = embeddings.find((vector) => vector.length !== length)
  if (wrong !== undefined)
    throw new ModelFailure('garbage', `gave a vector of ${wrong.length} numbers, not of ${length}`)
  const vectors = embeddings.map(toUnitVector)
  if (vectors.some((vector) => !Number.isFinite(vector[0])))
    throw new ModelFailure('garbage', 'gave a vector that is not one')
  return inOrder(vectors, response?.body)
}

/** The protocol numbers its vectors and promises no order; the SDK leaves them as they came. */
function inOrder(vectors: Float32Array[], body: unknown): Float32Array[] {
  const data = (body as { data?: { index?: unknown }[] } | undefined)?.data ?? []
  const numbered = vectors.map((vector, at) => ({ vector, index: data[at]?.index }))
  const numbers = new Set(numbered.map(({ index }) => index))
  const isNumbered = numbered.every(({ index }) => typeof index === 'number') && numbers.size === vectors.length
  if (!isNumbered) return vectors
  return numbered.sort((a, b) => Number(a.index) - Number(b.index)).map(({ vector }) => vector)
}

/** Vectors of texts that were embedded lately, in memory. */
type VectorCache = {
  /** `null` where the text is not known, or no longer. */
  get(text: string): Float32Array | null
  set(text: string, vector: Float32Array): void
  clear(): void
}

/** The key and what a `Map` needs for an entry, about. */
const ENTRY_BYTES = 200

/** Keeps vectors by the hash of their text, never the text, up to `maxBytes`; what was not asked for the longest goes first. */
export function createVectorCache({ maxBytes }: { maxBytes: number }): VectorCache {
  const vectors = new Map<string, Float32Array>()
  let bytes = 0
  const sizeOf = (vector: Float32Array) => vector.byteLength + ENTRY_BYTES

  function drop(key: string): void {
    const vector = vectors.get(key)
    if (vector === undefined) return
    vectors.delete(key)
    bytes -= sizeOf(vector)
  }

  return {
    get(text) {
      const key = hash(text)
      const vector = vectors.get(key)
      if (vector === undefined) return null
      // A Map keeps the order of insertion: whoever was asked for moves to the end.
      vectors.delete(key)
      vectors.set(key, vector)
      return vector
    },
    set(text, vector) {
      const key = hash(text)
      drop(key)
      vectors.set(key, vector)
      bytes += sizeOf(vector)
      for (const oldest of vectors.keys()) {
        if (bytes <= maxBytes) break
        drop(oldest)
      }
    },
    clear() {
      vectors.clear()
      bytes = 0
    },
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
