import { createHash } from 'node:crypto'
import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import type { Log } from '../../observability/log.ts'
import type { Embedder } from '../embedder.ts'
import { CROSS_LANGUAGE_WEIGHT, prefixesOf, toUnitVector } from '../sentence-embedding.ts'
import { startDeadline } from './deadline.ts'
import { createLimitedFetch, type ModelEndpoint } from './endpoint.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { describeFailure, ModelFailure } from './model-failure.ts'
import { tryAgain } from './try-again.ts'

/** Options of the embedder. */
export type EndpointEmbedderOptions = {
  model: string
  /** Any endpoint with the OpenAI protocol. */
  endpoint: ModelEndpoint
  log: Pick<Log, 'warn'>
  /** Limit of one request including retries. Default: one minute. */
  timeoutMs?: number
  /** Pause before the first retry. Default: half a second. */
  pauseMs?: number
  /** Size of the vector cache. Default: 16 MB. */
  cacheBytes?: number
  limits?: BatchLimits
}

const TIMEOUT_MS = 60_000
const CACHE_BYTES = 16 * 1024 * 1024
/**
 * 32 is the default limit of Hugging Face's embedding server. OpenAI allows more (2,048 texts,
 * 300,000 tokens).
 */
const LIMITS: BatchLimits = { texts: 32, tokens: 50_000 }
const REQUESTS_AT_ONCE = 4
/** OpenAI's models accept 8,191 tokens. Longer texts state their topic before that. */
const MAX_CHARACTERS = 24_000
/** Shorter texts are refused for a reason other than length. */
const MIN_CUT_CHARACTERS = 200
/**
 * As for other neural models. Measured with all-MiniLM-L6-v2: the best of .1 to .7 on ten sets
 * (docs/decisions/0020).
 */
const FUSION_WEIGHT = 0.5
/** The chunks of all parallel requests. */
const CHUNKS_AT_ONCE = LIMITS.texts * REQUESTS_AT_ONCE
/** From OpenAI's model pages. For other models, the first answer defines the dimensions. */
const KNOWN_DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
}

/**
 * An embedding model behind an endpoint, with batches and a cache keyed by the hash of the text.
 * The first call sends the first request: the endpoint may start later than the service.
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

  // The first answer defines the dimensions that the others must have.
  const atOnce = () => (dimensions === null ? 1 : REQUESTS_AT_ONCE)
  const queue = createTextQueue({ limits, atOnce, embedBatch: (batch) => embedBatch(batch) })

  async function askNow(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    return (await mapConcurrent(splitIntoBatches(texts, limits), 1, (batch) => embedBatch(batch, signal))).flat()
  }

  const embed: Embedder['embed'] = async (texts, kind, { signal } = {}) => {
    // Endpoints refuse blank texts, which have no meaning anyway.
    const asked = texts.map((text) => (text.trim() === '' ? null : (prefixes[kind] + text).slice(0, MAX_CHARACTERS)))
    const known = asked.map((text) => (text === null ? null : cache.get(text)))
    const missing = [...new Set(asked.filter((_text, at) => known[at] === null))].filter((text) => text !== null)
    // Queries bypass the queue of documents.
    const vectors = kind === 'query' ? await askNow(missing, signal) : await Promise.all(missing.map(queue))
    const found = new Map(missing.map((text, at) => [text, vectors[at]]))
    if (dimensions === null) await embedBatch(['size'], signal)
    return asked.map((text, at) => known[at] ?? found.get(text ?? '') ?? new Float32Array(dimensions ?? 0))
  }
  const forget = () => {
    cache.clear()
    // The name may refer to another model now, with other dimensions.
    dimensions = KNOWN_DIMENSIONS[model] ?? null
  }
  return {
    model,
    windowCharacters: null,
    chunksAtOnce: CHUNKS_AT_ONCE,
    crossLanguageWeight: CROSS_LANGUAGE_WEIGHT,
    fusionWeight: () => FUSION_WEIGHT,
    embed,
    forget,
  }
}

/** Expected dimensions of a request, if known, and the caller's signal. */
type EmbeddingRequest = { dimensions: number | null; signal: AbortSignal | undefined }
/** Returns the unit vectors of a batch. */
type RequestEmbeddings = (texts: readonly string[], wanted: EmbeddingRequest) => Promise<Float32Array[]>

function createRequester({ model: name, endpoint, log, ...options }: EndpointEmbedderOptions): RequestEmbeddings {
  const fetch = createLimitedFetch()
  let loading: Promise<EmbeddingModelV4> | undefined

  async function request(texts: readonly string[], wanted: EmbeddingRequest): Promise<Float32Array[]> {
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

  /**
   * One text can cause the refusal of its whole batch, and only the model knows its length limit.
   */
  async function requestSmaller(
    texts: readonly string[],
    wanted: EmbeddingRequest,
    error: unknown,
  ): Promise<Float32Array[]> {
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

type EmbeddingResponse = Awaited<ReturnType<EmbeddingModelV4['doEmbed']>>

function toVectors(
  { embeddings, response }: EmbeddingResponse,
  count: number,
  dimensions: number | null,
): Float32Array[] {
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

/** The protocol numbers vectors without guaranteeing an order, and the SDK does not sort. */
function inOrder(vectors: Float32Array[], body: unknown): Float32Array[] {
  const data = (body as { data?: { index?: unknown }[] } | undefined)?.data ?? []
  const numbered = vectors.map((vector, at) => ({ vector, index: data[at]?.index }))
  const numbers = new Set(numbered.map(({ index }) => index))
  const isNumbered = numbered.every(({ index }) => typeof index === 'number') && numbers.size === vectors.length
  if (!isNumbered) return vectors
  return numbered.sort((a, b) => Number(a.index) - Number(b.index)).map(({ vector }) => vector)
}

/** Cache of recent vectors. */
type VectorCache = {
  /** Returns `null` if the text is not cached. */
  get(text: string): Float32Array | null
  set(text: string, vector: Float32Array): void
  clear(): void
}

/** Approximate overhead of a `Map` entry with its key. */
const ENTRY_BYTES = 200

/**
 * Caches vectors up to `maxBytes` by the hash of their text, never the text itself; evicts the
 * least recently used.
 */
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
      // A Map keeps insertion order: a hit moves to the end.
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

/** Options of the queue. */
type TextQueueOptions = {
  limits: BatchLimits
  /** Maximum number of parallel batches now. */
  atOnce: () => number
  /** Returns one vector per text, in order. */
  embedBatch: (texts: readonly string[]) => Promise<readonly Float32Array[]>
}

/** Returns the vector of a text. Rejects as its batch does. */
type TextQueue = (text: string) => Promise<Float32Array>

/**
 * Batches texts of concurrent callers: a hundred documents of one chunk are a few requests, and
 * never more in parallel than the endpoint can take. First come, first served.
 */
export function createTextQueue({ limits, atOnce, embedBatch }: TextQueueOptions): TextQueue {
  const waiting = new Map<string, PromiseWithResolvers<Float32Array>>()
  let running = 0
  let isScheduled = false

  function takeBatch(): string[] {
    const [batch = []] = splitIntoBatches([...waiting.keys()].slice(0, limits.texts), limits)
    return batch
  }

  async function send(texts: readonly string[]): Promise<void> {
    const askers = texts.map((text) => waiting.get(text))
    for (const text of texts) waiting.delete(text)
    running += 1
    try {
      const vectors = await embedBatch(texts)
      for (const [at, asker] of askers.entries()) asker?.resolve(vectors[at] ?? new Float32Array())
    } catch (error) {
      for (const asker of askers) asker?.reject(error)
    }
    running -= 1
    sendMore()
  }

  function sendMore(): void {
    isScheduled = false
    while (waiting.size > 0 && running < atOnce()) void send(takeBatch())
  }

  return (text) => {
    const asked = waiting.get(text) ?? Promise.withResolvers<Float32Array>()
    waiting.set(text, asked)
    // Collects the texts of one turn of the event loop.
    if (!isScheduled) setImmediate(sendMore)
    isScheduled = true
    return asked.promise
  }
}

/** Limits of one request. */
export type BatchLimits = { texts: number; tokens: number }

/**
 * Splits texts into the fewest batches within the limits, in order. A text above the limit gets its
 * own batch.
 */
export function splitIntoBatches<Text extends string>(texts: readonly Text[], limits: BatchLimits): Text[][] {
  const batches: Text[][] = []
  let batch: Text[] = []
  let tokens = 0
  for (const text of texts) {
    const size = estimateTokens(text)
    if (batch.length === limits.texts || (batch.length > 0 && tokens + size > limits.tokens)) {
      batches.push(batch)
      batch = []
      tokens = 0
    }
    batch.push(text)
    tokens += size
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
