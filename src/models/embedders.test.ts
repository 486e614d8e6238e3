import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Embedder } from './embedder.ts'
import { createEmbedders } from './embedders.ts'

function named(model: string): Embedder {
  return { model, windowCharacters: null, chunksAtOnce: 1, fusionWeight: () => 0.5, embed: async () => [] }
}

test('the embedded embedder is the default', () => {
  const embedders = createEmbedders(named('static-en'))
  assert.equal(embedders.default.model, 'static-en')
  assert.equal(embedders.get('static-en'), embedders.default)
  assert.equal(embedders.get('embedded'), embedders.default)
  assert.equal(embedders.get('mini'), null)
})

test('a configured embedder is the default, and both are found by model name and setting', () => {
  const embedders = createEmbedders(named('static-en'), { setting: 'openai:mini', embedder: named('mini') })
  assert.equal(embedders.default.model, 'mini')
  assert.equal(embedders.get('openai:mini'), embedders.default)
  assert.equal(embedders.get('mini'), embedders.default)
  assert.equal(embedders.get('embedded')?.model, 'static-en')
  assert.equal(embedders.get('static-en')?.model, 'static-en')
})

test('two embedders with one name are rejected', () => {
  const twin = { setting: 'openai:static-en', embedder: named('static-en') }
  assert.throws(() => createEmbedders(named('static-en'), twin), /openai:static-en has the name/)
})
