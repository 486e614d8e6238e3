import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Embedder } from '../../models/embedder.ts'
import { createEmbedders } from '../../models/embedders.ts'
import { chooseEmbeddingModel } from './embedding-model.ts'

function named(model: string): Embedder {
  return { model, windowCharacters: null, chunksAtOnce: 1, fusionWeight: () => 0.5, embed: async () => [] }
}
const EMBEDDERS = createEmbedders(named('static-multi'), { setting: 'openai:mini', embedder: named('mini') })

function choose(pinned: string | null, requested: string | null) {
  const { model, warnings } = chooseEmbeddingModel(EMBEDDERS, { pinned, requested })
  return [model, ...warnings.map(({ code, param }) => `${code} ${param}`)]
}

const UNAVAILABLE = 'embedding_model_unavailable options.embeddingModel'

test('the first add uses the requested model, by either of its names, or the default', () => {
  assert.deepEqual(choose(null, null), ['mini'])
  assert.deepEqual(choose(null, 'static-multi'), ['static-multi'])
  assert.deepEqual(choose(null, 'embedded'), ['static-multi'])
  assert.deepEqual(choose(null, 'openai:mini'), ['mini'])
})

test('an unavailable model falls back to the pinned or the default model with a warning', () => {
  assert.deepEqual(choose(null, 'text-embedding-3-small'), ['mini', UNAVAILABLE])
  assert.deepEqual(choose('static-multi', 'text-embedding-3-small'), ['static-multi', UNAVAILABLE])
})

test('a pinned memory keeps its model, and another available model is rejected', () => {
  assert.deepEqual(choose('static-multi', null), ['static-multi'])
  assert.deepEqual(choose('static-multi', 'embedded'), ['static-multi'])
  assert.throws(() => choose('static-multi', 'mini'), { code: 'embedding_model_pinned', message: /static-multi/ })
})

test('a memory whose model is not configured rejects adds with a remedy', () => {
  for (const requested of [null, 'mini', 'gone', 'no-such-model']) {
    const refused = { code: 'embedding_model_pinned', message: /gone.*not configured/, remedy: /RECOLLECT_EMBEDDER/ }
    assert.throws(() => choose('gone', requested), refused)
  }
})
