import type { Reranker } from '../reranker.ts'
import type { OnnxRuntime } from './onnx-runtime.ts'
import { openOnnxModel } from './open-onnx-model.ts'

/** A batch is not stopped once it runs: small ones keep to the caller's budget. */
const BATCH_TEXTS = 4

/** A cross-encoder of a local folder (BERT's kind, one score a pair). Rejects as {@link openOnnxModel} does. */
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
      for (let at = 0; at < texts.length; at += BATCH_TEXTS) {
        signal?.throwIfAborted()
        const batch = texts.slice(at, at + BATCH_TEXTS)
        const { data, dims } = await run(encoder.encodePairs(query, batch), ['logits'])
        // Models with two classes say "relevant" last.
        const width = dims.at(-1) ?? 1
        for (let row = 0; row < batch.length; row += 1) scores.push(data[row * width + width - 1] ?? 0)
      }
      signal?.throwIfAborted()
      return scores
    },
  }
}
