import type { Embedder } from '../embedder.ts'
import type { Reranker } from '../reranker.ts'
import { CROSS_LANGUAGE_WEIGHT, prefixesOf, toUnitVector } from '../sentence-embedding.ts'
import type { OnnxRuntime, OnnxTensor } from './onnx-runtime.ts'
import { openOnnxModel } from './open-onnx-model.ts'

/** Measured with all-MiniLM-L6-v2: the best of .1 to .7 on ten sets (docs/decisions/0020). */
const FUSION_WEIGHT = 0.5
/**
 * For languages that the model was not trained for: the best of .1 to .5 in German and Russian with
 * that model (docs/relevance.md). Multilingual models say so in their names, and were not measured.
 */
const FUSION_WEIGHT_OTHER = 0.3
/** Larger batches were not faster, and take more memory. */
const BATCH_TEXTS = 8
/** Some seconds of work: a stop should not wait longer. */
const CHUNKS_AT_ONCE = 32

/** Opens an embedding model of a local folder. Rejects as {@link openOnnxModel} does. */
export async function createOnnxEmbedder({
  folder,
  runtime,
}: {
  folder: string
  runtime?: OnnxRuntime
}): Promise<Embedder> {
  const { name, pooling, encoder, run } = await openOnnxModel(folder, runtime)
  const prefixes = prefixesOf(name)
  const isMultilingual = /multilingual/i.test(name)

  async function embedBatch(texts: readonly string[]): Promise<Float32Array[]> {
    const batch = encoder.encode(texts)
    const tensor = await run(batch, ['sentence_embedding', 'last_hidden_state'])
    return texts.map((_text, row) => toUnitVector(pool(tensor, row, { mask: batch.masks[row] ?? [], pooling })))
  }

  const dimensions = (await embedBatch(['size']))[0]?.length ?? 0
  return {
    model: `onnx:${name}`,
    // Windows take twice the time for no gain in hybrid search (docs/relevance.md).
    windowCharacters: null,
    chunksAtOnce: CHUNKS_AT_ONCE,
    ...(isMultilingual ? { crossLanguageWeight: CROSS_LANGUAGE_WEIGHT } : { calibratedLanguages: ['en'] }),
    fusionWeight: (language) => (language === 'en' || isMultilingual ? FUSION_WEIGHT : FUSION_WEIGHT_OTHER),
    async embed(texts, kind, { signal } = {}) {
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions))
      // Groups texts of similar length: a row is as long as the longest of its batch.
      const order = texts.map((_text, at) => at).filter((at) => texts[at]?.trim() !== '')
      order.sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0))
      for (let at = 0; at < order.length; at += BATCH_TEXTS) {
        signal?.throwIfAborted()
        const batch = order.slice(at, at + BATCH_TEXTS)
        const made = await embedBatch(batch.map((index) => prefixes[kind] + (texts[index] ?? '')))
        for (const [row, index] of batch.entries()) vectors[index] = made[row] ?? new Float32Array(dimensions)
      }
      return vectors
    },
  }
}

/**
 * The vector of one text: the row itself if the model pooled, else the mean or the first of its
 * tokens.
 */
function pool(
  { data, dims }: OnnxTensor,
  row: number,
  { mask, pooling }: { mask: readonly number[]; pooling: 'mean' | 'first' },
): Float64Array {
  const width = dims.at(-1) ?? 0
  const sum = new Float64Array(width)
  const tokens = dims.length === 2 ? 1 : pooling === 'first' ? 1 : mask.filter((bit) => bit === 1).length
  const start = row * (dims.length === 2 ? 1 : (dims[1] ?? 0)) * width
  for (let token = 0; token < tokens; token += 1)
    for (let at = 0; at < width; at += 1) sum[at] = (sum[at] ?? 0) + (data[start + token * width + at] ?? 0)
  return sum
}

/** A running batch cannot be stopped, so batches are small enough for the caller's budget. */
const PAIRS_AT_ONCE = 4

/**
 * Opens a cross-encoder of a local folder (BERT, one score per pair). Rejects as {@link
 * openOnnxModel} does.
 */
export async function createOnnxReranker({
  folder,
  runtime,
}: {
  folder: string
  runtime?: OnnxRuntime
}): Promise<Reranker> {
  const { name, encoder, run } = await openOnnxModel(folder, runtime)
  return {
    model: `onnx:${name}`,
    async rerank({ query, texts, signal }) {
      const scores: number[] = []
      for (let at = 0; at < texts.length; at += PAIRS_AT_ONCE) {
        signal?.throwIfAborted()
        const batch = texts.slice(at, at + PAIRS_AT_ONCE)
        const { data, dims } = await run(encoder.encodePairs(query, batch), ['logits'])
        // Models with two classes have "relevant" last.
        const width = dims.at(-1) ?? 1
        for (let row = 0; row < batch.length; row += 1) scores.push(data[row * width + width - 1] ?? 0)
      }
      signal?.throwIfAborted()
      return scores
    },
  }
}
