import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Embedder } from '../../models/embedder.ts'
import { createEmbedders } from '../../models/embedders.ts'
import { chooseEmbeddingModel } from './embedding-model.ts'

function named(model: string): Embedder {
  return { model, windowCharacters: null, chunksAtOnce: 1, fusionWeight: () => 0.5, embed: async () => [] }
}
const EMBEDDERS = createEmbedders(named('static-en'), { setting: 'openai:mini', embedder: named('mini') })

function choose(pinned: string | null, requested: string | null) {
  const { model, warnings } = chooseEmbeddingModel(EMBEDDERS, { pinned, requested })
  return [model, ...warnings.map(({ code, param }) => `${code} ${param}`)]
}

const UNAVAILABLE = 'embedding_model_unavailable options.embeddingModel'

test('the first ingest takes the embedder that is named, by either of its names, else the default', () => {
  assert.deepEqual(choose(null, null), ['mini'])
  assert.deepEqual(choose(null, 'static-en'), ['static-en'])
  assert.deepEqual(choose(null, 'embedded'), ['static-en'])
  assert.deepEqual(choose(null, 'openai:mini'), ['mini'])
})

test('a name that is not available takes the default, or the pinned one, with a warning', () => {
  assert.deepEqual(choose(null, 'text-embedding-3-small'), ['mini', UNAVAILABLE])
  assert.deepEqual(choose('static-en', 'text-embedding-3-small'), ['static-en', UNAVAILABLE])
})

test('a pinned memory keeps its model, whatever the default is; another that is available is refused', () => {
  assert.deepEqual(choose('static-en', null), ['static-en'])
  assert.deepEqual(choose('static-en', 'embedded'), ['static-en'])
  assert.throws(() => choose('static-en', 'mini'), { code: 'embedding_model_pinned', message: /static-en/ })
})

test('a memory whose model is not configured takes nothing, and the refusal says what to do', () => {
  for (const requested of [null, 'mini', 'gone', 'no-such-model']) {
    const refused = { code: 'embedding_model_pinned', message: /gone.*not configured/, remedy: /RECOLLECT_EMBEDDER/ }
    assert.throws(() => choose('gone', requested), refused)
  }
})
