import { access, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ApiError } from '../../errors.ts'
import { type BertEncoder, createBertEncoder, type EncodedBatch } from './bert-encoder.ts'
import { loadOnnxRuntime, type OnnxRuntime, type OnnxTensor } from './onnx-runtime.ts'

/** A thread of its own; more would take processors from searches. */
const THREADS = { intraOpNumThreads: 1, interOpNumThreads: 1 }

/** A model of a local folder, loaded. */
type OnnxModel = Pick<ModelFolder, 'name' | 'pooling'> & {
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

/** What a folder of a local model says of it, as sentence-transformers and their exports lay it out. */
type ModelFolder = {
  /** The folder's name. */
  name: string
  /** Path of the network. */
  network: string
  /** The piece of every id. */
  vocabulary: readonly string[]
  maxTokens: number
  /** How the vectors of the tokens become one: their mean, or that of the first token. */
  pooling: 'mean' | 'first'
}

const NETWORKS = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx']
/** What all-MiniLM-L6-v2 was trained with; more costs time and brings nothing there. */
const DEFAULT_TOKENS = 256
/** More than this costs seconds a text. */
const MAX_TOKENS = 512

/**
 * Reads `model.onnx` (or `onnx/model.onnx`, or a quantised one), `vocab.txt` or `tokenizer.json`, and, where they are there, `config.json`,
 * `sentence_bert_config.json` and `1_Pooling/config.json`. Rejects, naming what is missing; only vocabularies of word pieces are understood.
 */
export async function readModelFolder(folder: string): Promise<ModelFolder> {
  const network = await findNetwork(folder)
  const [tokenizer, sentence, pooling] = await Promise.all([
    readJson(join(folder, 'tokenizer.json')),
    readJson(join(folder, 'sentence_bert_config.json')),
    readJson(join(folder, '1_Pooling', 'config.json')),
  ])
  const declared = sentence?.['max_seq_length']
  return {
    name: basename(folder),
    network,
    vocabulary: await readVocabulary(folder, tokenizer),
    maxTokens: typeof declared === 'number' && declared >= 8 ? Math.min(declared, MAX_TOKENS) : DEFAULT_TOKENS,
    pooling: pooling?.['pooling_mode_cls_token'] === true ? 'first' : 'mean',
  }
}

async function findNetwork(folder: string): Promise<string> {
  for (const name of NETWORKS) {
    const path = join(folder, name)
    const isThere = await access(path).then(() => true, toNull)
    if (isThere !== null) return path
  }
  throw new Error(`${folder} has none of ${NETWORKS.join(', ')}`)
}

async function readVocabulary(folder: string, tokenizer: Record<string, unknown> | null): Promise<string[]> {
  const lines = await readFile(join(folder, 'vocab.txt'), 'utf8').catch(toNull)
  if (lines !== null) return lines.replace(/\r?\n$/, '').split(/\r?\n/)
  const { type, vocab } = (tokenizer?.['model'] ?? {}) as { type?: unknown; vocab?: Record<string, number> }
  if (type !== 'WordPiece' || vocab === undefined)
    throw new Error(`${folder} has neither vocab.txt nor a tokenizer.json of word pieces (BERT's kind)`)
  const pieces: string[] = []
  for (const [piece, id] of Object.entries(vocab)) pieces[id] = piece
  return Array.from(pieces, (piece) => piece ?? '')
}

async function readJson(path: string): Promise<Record<string, unknown> | null> {
  const text = await readFile(path, 'utf8').catch(toNull)
  if (text === null) return null
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    throw new Error(`${path} is not JSON`, { cause: error })
  }
}

/** A file that is not there is an answer; any other error is one. */
function toNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}
