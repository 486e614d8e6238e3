import { createBertEncoder } from '../onnx/bert-encoder.ts'
import { readModelFolder } from '../onnx/model-folder.ts'
import { loadOnnxRuntime, type OnnxRuntime, runOnnx } from '../onnx/onnx-runtime.ts'
import type { Reranker } from '../reranker.ts'

/** A batch is not stopped once it runs: small ones keep to the caller's budget. */
const BATCH_TEXTS = 4
const THREADS = { intraOpNumThreads: 1, interOpNumThreads: 1 }

/**
 * A cross-encoder of a local folder (BERT's kind, one score a pair). Rejects where `onnxruntime-node` is not installed, saying so, and where the
 * folder is none (`readModelFolder`).
 */
export async function createOnnxReranker({
  folder,
  runtime,
}: {
  folder: string
  runtime?: OnnxRuntime
}): Promise<Reranker> {
  const { name, network, ...text } = await readModelFolder(folder)
  const encoder = createBertEncoder(text)
  const onnx = runtime ?? (await loadOnnxRuntime(folder))
  const session = await onnx.InferenceSession.create(network, THREADS)
  return {
    model: `onnx:${name}`,
    async rerank({ query, texts, signal }) {
      const scores: number[] = []
      for (let at = 0; at < texts.length; at += BATCH_TEXTS) {
        signal?.throwIfAborted()
        const batch = texts.slice(at, at + BATCH_TEXTS)
        const { data, dims } = await runOnnx({ runtime: onnx, session }, encoder.encodePairs(query, batch), ['logits'])
        // Models with two classes say "relevant" last.
        const width = dims.at(-1) ?? 1
        for (let row = 0; row < batch.length; row += 1) scores.push(data[row * width + width - 1] ?? 0)
      }
      signal?.throwIfAborted()
      return scores
    },
  }
}
