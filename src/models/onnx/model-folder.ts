import { access, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** What a folder of a local model says of it, as sentence-transformers and their exports lay it out. */
export type ModelFolder = {
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
