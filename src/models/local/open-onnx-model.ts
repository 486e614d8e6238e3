import { access, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ApiError } from '../../errors.ts'
import { loadOnnxRuntime, type OnnxRuntime, type OnnxTensor } from './onnx-runtime.ts'
import { createWordPieces, splitBertWords } from './word-pieces.ts'

/** One thread; more would take processors from searches. */
const THREADS = { intraOpNumThreads: 1, interOpNumThreads: 1 }

/** A loaded model of a local folder. */
type OnnxModel = Pick<ModelFolder, 'name' | 'pooling'> & {
  encoder: BertEncoder
  /**
   * Runs a batch, and returns the first available output of `outputs`, else the model's first.
   * Rejects with `model_failed`.
   */
  run(batch: EncodedBatch, outputs: readonly string[]): Promise<OnnxTensor>
}

/**
 * Loads the model of a folder. Rejects if `onnxruntime-node` is not installed or the folder is
 * invalid (`readModelFolder`). `runtime` replaces the installed one.
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

/** Description of a local model, in the layout of sentence-transformers and its exports. */
type ModelFolder = {
  /** The folder's name. */
  name: string
  /** Path of the ONNX file. */
  network: string
  /** Word piece of every id. */
  vocabulary: readonly string[]
  maxTokens: number
  /** Pooling of token vectors: the mean, or the first token. */
  pooling: 'mean' | 'first'
}

const NETWORKS = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx']
/** all-MiniLM-L6-v2 was trained with this. More takes time without a gain there. */
const DEFAULT_TOKENS = 256
/** More takes seconds per text. */
const MAX_TOKENS = 512

/**
 * Reads `model.onnx` (or `onnx/model.onnx`, or a quantised file) and `vocab.txt` or
 * `tokenizer.json`. Also reads `config.json`, `sentence_bert_config.json` and
 * `1_Pooling/config.json` if present. Rejects with the missing file. Only word-piece vocabularies
 * are supported.
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

/** A missing file is a value; any other error is thrown. */
function toNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

/** Rows of ids, padded to one length. */
type EncodedBatch = { ids: readonly number[][]; types: readonly number[][]; masks: readonly number[][] }

/** Converts texts to ids as BERT models expect. */
type BertEncoder = {
  /** `[CLS] text [SEP]`, truncated to the model's limit and padded to the longest row. */
  encode(texts: readonly string[]): EncodedBatch
  /**
   * `[CLS] first [SEP] second [SEP]` for every second. Too long pairs lose the end of the second;
   * the first is limited to half.
   */
  encodePairs(first: string, seconds: readonly string[]): EncodedBatch
}

const SPECIALS = ['[CLS]', '[SEP]', '[UNK]', '[PAD]'] as const

/**
 * Creates an encoder for a vocabulary whose n-th line is the piece of id n. Throws if BERT's
 * special tokens are missing.
 */
export function createBertEncoder({
  vocabulary,
  maxTokens,
}: {
  vocabulary: readonly string[]
  maxTokens: number
}): BertEncoder {
  const [start, end, unknown, padding] = SPECIALS.map((mark) => requireId(vocabulary, mark)) as [
    number,
    number,
    number,
    number,
  ]
  const pieces = createWordPieces(vocabulary)

  function idsOf(text: string, most: number): number[] {
    const ids: number[] = []
    for (const word of splitBertWords(text)) {
      const found = pieces.find(word)
      ids.push(...(found.length === 0 ? [unknown] : found))
      if (ids.length >= most) return ids.slice(0, most)
    }
    return ids
  }

  function pad(rows: readonly { ids: number[]; types: number[] }[]): EncodedBatch {
    const longest = Math.max(0, ...rows.map(({ ids }) => ids.length))
    const fill = (row: readonly number[], value: number) => [
      ...row,
      ...Array.from({ length: longest - row.length }, () => value),
    ]
    return {
      ids: rows.map(({ ids }) => fill(ids, padding)),
      types: rows.map(({ types }) => fill(types, 0)),
      masks: rows.map(({ ids }) =>
        fill(
          ids.map(() => 1),
          0,
        ),
      ),
    }
  }

  return {
    encode(texts) {
      const rows = texts.map((text) => [start, ...idsOf(text, maxTokens - 2), end])
      return pad(rows.map((ids) => ({ ids, types: ids.map(() => 0) })))
    },
    encodePairs(first, seconds) {
      const head = [start, ...idsOf(first, Math.floor(maxTokens / 2)), end]
      const rows = seconds.map((second) => {
        const tail = [...idsOf(second, maxTokens - head.length - 1), end]
        return { ids: [...head, ...tail], types: [...head.map(() => 0), ...tail.map(() => 1)] }
      })
      return pad(rows)
    },
  }
}

function requireId(vocabulary: readonly string[], mark: string): number {
  const id = vocabulary.indexOf(mark)
  if (id === -1) throw new Error(`the vocabulary has no ${mark}: it is not one of BERT's kind`)
  return id
}
