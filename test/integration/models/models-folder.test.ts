import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createOnnxEmbedder, createOnnxReranker } from '../../../src/models/local/onnx-models.ts'
import { loadOnnxRuntime, type OnnxRuntime, type OnnxTensor } from '../../../src/models/local/onnx-runtime.ts'
import { readModelFolder } from '../../../src/models/local/open-onnx-model.ts'

const root = await mkdtemp(join(tmpdir(), 'recollect-models-'))
after(() => rm(root, { recursive: true }))

const VOCABULARY = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'ripe', 'apple', '##s', 'pear']
const ids = { ripe: 4, apple: 5, pear: 7 }

async function layOut(name: string, files: Record<string, unknown>): Promise<string> {
  const folder = join(root, name)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const SENTENCE_MODEL = { 'onnx/model.onnx': 'network', 'vocab.txt': `${VOCABULARY.join('\n')}\n` }

type Shape = (ids: readonly number[][]) => { name: string; tensor: OnnxTensor }

/** A runtime whose networks do simple arithmetic on the ids. */
function runtimeWith(shape: Shape): OnnxRuntime {
  class Tensor {
    rows: number[][]
    constructor(_type: 'int64', data: BigInt64Array, dims: readonly number[]) {
      const width = dims[1] ?? 0
      this.rows = Array.from({ length: dims[0] ?? 0 }, (_, row) =>
        [...data.slice(row * width, (row + 1) * width)].map(Number),
      )
    }
  }
  const inputNames = ['input_ids', 'attention_mask']
  const run = async (feeds: Record<string, unknown>) => {
    assert.deepEqual(Object.keys(feeds), inputNames)
    const { name, tensor } = shape((feeds['input_ids'] as Tensor).rows)
    return { [name]: tensor }
  }
  return { Tensor, InferenceSession: { create: async () => ({ inputNames, outputNames: ['out'], run }) } }
}

/** One number for each token and column: 1 in the column of the token's id. */
const oneHot: Shape = (rows) => {
  const width = VOCABULARY.length
  const data = rows.flatMap((row) => row.flatMap((id) => Array.from({ length: width }, (_, at) => (at === id ? 1 : 0))))
  return { name: 'last_hidden_state', tensor: { data, dims: [rows.length, rows[0]?.length ?? 0, width] } }
}

describe('an embedder of a local folder', () => {
  it('takes the mean of the tokens that are there, and keeps the order of the texts', async () => {
    const folder = await layOut('mean', SENTENCE_MODEL)
    const embedder = await createOnnxEmbedder({ folder, runtime: runtimeWith(oneHot) })
    assert.equal(embedder.model, 'onnx:mean')
    const [long, blank, short] = await embedder.embed(['ripe ripe pear', '', 'apple'], 'passage')
    const half = 1 / Math.sqrt(4 + 1 + 1 + 1)
    assert.ok(Math.abs((long?.[ids.ripe] ?? 0) - 2 * half) < 1e-6)
    assert.ok(Math.abs((long?.[ids.pear] ?? 0) - half) < 1e-6)
    assert.deepEqual(blank, new Float32Array(VOCABULARY.length))
    assert.ok(Math.abs((short?.[ids.apple] ?? 0) - 1 / Math.sqrt(3)) < 1e-6)
    assert.equal(short?.[0], 0, 'padding does not count')
  })

  it('takes the first token where the folder says so', async () => {
    const pooling = { pooling_mode_cls_token: true }
    const folder = await layOut('first', { ...SENTENCE_MODEL, '1_Pooling/config.json': pooling })
    const embedder = await createOnnxEmbedder({ folder, runtime: runtimeWith(oneHot) })
    const [vector] = await embedder.embed(['ripe'], 'passage')
    assert.equal(vector?.indexOf(1), 2, 'the mark of the beginning')
  })

  it('fails with model_failed where the network breaks', async () => {
    const folder = await layOut('breaks', SENTENCE_MODEL)
    const runtime = runtimeWith((rows) => {
      if (rows.flat().includes(ids.pear)) throw new Error('out of memory')
      return oneHot(rows)
    })
    const embedder = await createOnnxEmbedder({ folder, runtime })
    await assert.rejects(embedder.embed(['pear'], 'query'), { code: 'model_failed' })
  })
})

describe('a reranker of a local folder', () => {
  it('scores each pair by the last class', async () => {
    const folder = await layOut('cross', SENTENCE_MODEL)
    const shape: Shape = (rows) => {
      const common = rows.map((row) => row.filter((id) => id === ids.apple).length - 1)
      return { name: 'logits', tensor: { data: common.flatMap((count) => [-count, count]), dims: [rows.length, 2] } }
    }
    const reranker = await createOnnxReranker({ folder, runtime: runtimeWith(shape) })
    const texts = ['apple', 'pear', 'apple apple', 'ripe', 'ripe apple']
    assert.deepEqual(await reranker.rerank({ query: 'apple', texts }), [1, 0, 2, 0, 1])
    const signal = AbortSignal.abort(new Error('over budget'))
    await assert.rejects(reranker.rerank({ query: 'apple', texts, signal }), { message: 'over budget' })
  })
})

describe('a folder of a model', () => {
  it('is read from tokenizer.json where there is no vocab.txt', async () => {
    const vocab = Object.fromEntries(VOCABULARY.map((piece, id) => [piece, id]))
    const folder = await layOut('tokenizer', {
      'model.onnx': 'network',
      'tokenizer.json': { model: { type: 'WordPiece', vocab } },
      'sentence_bert_config.json': { max_seq_length: 128 },
    })
    const read = await readModelFolder(folder)
    assert.deepEqual(read.vocabulary, VOCABULARY)
    assert.equal(read.maxTokens, 128)
    assert.equal(read.network, join(folder, 'model.onnx'))
  })

  it('names missing files', async () => {
    await assert.rejects(readModelFolder(join(root, 'nowhere')), /has none of model\.onnx/)
    const folder = await layOut('bare', { 'model.onnx': 'network', 'tokenizer.json': { model: { type: 'BPE' } } })
    await assert.rejects(readModelFolder(folder), /neither vocab\.txt nor a tokenizer\.json of word pieces/)
  })

  it('names a required package that is not installed', async () => {
    await assert.rejects(
      loadOnnxRuntime(join(root, 'models', 'one'), 'onnxruntime-not-there'),
      /not installed\. Install it beside the model: npm install --prefix .+models onnxruntime-not-there$/,
    )
  })

  it('uses a package installed in a parent folder', async () => {
    const folder = await layOut('with-runtime', {
      'node_modules/onnxruntime-beside/package.json': { name: 'onnxruntime-beside', main: 'main.js' },
      'node_modules/onnxruntime-beside/main.js': "module.exports = { Tensor: 'its own' }",
    })
    const runtime: { Tensor: unknown } = await loadOnnxRuntime(join(folder, 'one'), 'onnxruntime-beside')
    assert.equal(runtime.Tensor, 'its own')
  })
})
