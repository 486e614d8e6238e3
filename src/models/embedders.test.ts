import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Embedder } from './embedder.ts'
import { createEmbedders, describeUnavailable, listAvailableModels } from './embedders.ts'

function named(model: string): Embedder {
  return { model, windowCharacters: null, chunksAtOnce: 1, fusionWeight: () => 0.5, embed: async () => [] }
}

test('the embedded embedder is the default', () => {
  const embedders = createEmbedders(named('static-multi'))
  assert.equal(embedders.default.model, 'static-multi')
  assert.equal(embedders.get('static-multi'), embedders.default)
  assert.equal(embedders.get('embedded'), embedders.default)
  assert.equal(embedders.get('mini'), null)
})

test('a configured embedder is the default, and both are found by model name and setting', () => {
  const embedders = createEmbedders(named('static-multi'), { setting: 'openai:mini', embedder: named('mini') })
  assert.equal(embedders.default.model, 'mini')
  assert.equal(embedders.get('openai:mini'), embedders.default)
  assert.equal(embedders.get('mini'), embedders.default)
  assert.equal(embedders.get('embedded')?.model, 'static-multi')
  assert.equal(embedders.get('static-multi')?.model, 'static-multi')
})

test('two embedders with one name are rejected', () => {
  const twin = { setting: 'openai:static-multi', embedder: named('static-multi') }
  assert.throws(() => createEmbedders(named('static-multi'), twin), /openai:static-multi has the name/)
})

test('the available models are named without opening one', () => {
  assert.deepEqual(listAvailableModels('embedded'), ['static-multi'])
  assert.deepEqual(listAvailableModels({ provider: 'openai', model: 'mini' }), ['static-multi', 'mini'])
  assert.deepEqual(listAvailableModels({ provider: 'onnx', model: './models/mini' }), ['static-multi', 'onnx:mini'])
})

test('the start names the number of memories of other models', () => {
  assert.equal(describeUnavailable([]), null)
  assert.match(describeUnavailable([{ model: 'static-en', memories: 3 }]) ?? '', /not available: 3 of static-en; /)
})
