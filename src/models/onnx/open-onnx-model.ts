import { ApiError } from '../../errors.ts'
import { type BertEncoder, createBertEncoder, type EncodedBatch } from './bert-encoder.ts'
import { type ModelFolder, readModelFolder } from './model-folder.ts'
import { loadOnnxRuntime, type OnnxRuntime, type OnnxTensor } from './onnx-runtime.ts'

/** A thread of its own; more would take processors from searches. */
const THREADS = { intraOpNumThreads: 1, interOpNumThreads: 1 }

/** A model of a local folder, loaded. */
export type OnnxModel = Pick<ModelFolder, 'name' | 'pooling'> & {
  encoder: BertEncoder
  /** Runs it on a batch: the first of `outputs` that it has, else its first. Rejects with `model_failed`. */
  run(batch: EncodedBatch, outputs: readonly string[]): Promise<OnnxTensor>
}

/**
 * Loads the model of a folder. Rejects where `onnxruntime-node` is not installed, saying so, and where the folder is none (`readModelFolder`).
 * `runtime` stands in for the installed one.
 */
export async function openOnnxModel(folder: string, runtime?: OnnxRuntime): Promise<OnnxModel> {
  const { name, network, pooling, ...text } = await readModelFolder(folder)
  const encoder = createBertEncoder(text)
  const { InferenceSession, Tensor } = runtime ?? (await loadOnnxRuntime(folder))
  const session = await InferenceSession.create(network, THREADS)

  function toFeeds({ ids, types, masks }: EncodedBatch): Record<string, unknown> {
    const dims = [ids.length, ids[0]?.length ?? 0]
    const rows = { input_ids: ids, attention_mask: masks, token_type_ids: types }
    const taken = Object.entries(rows).filter(([input]) => session.inputNames.includes(input))
    return Object.fromEntries(
      taken.map(([input, values]) => [input, new Tensor('int64', BigInt64Array.from(values.flat(), BigInt), dims)]),
    )
  }

  return {
    name,
    pooling,
    encoder,
    async run(batch, outputs) {
      const feeds = toFeeds(batch)
      try {
        const results = await session.run(feeds)
        const output = outputs.find((wanted) => wanted in results) ?? session.outputNames[0] ?? ''
        const tensor = results[output]
        if (tensor !== undefined) return tensor
      } catch (error) {
        throw new ApiError('model_failed', { cause: error })
      }
      throw new ApiError('model_failed', { cause: new Error('the model of the folder has no output that is known') })
    },
  }
}
