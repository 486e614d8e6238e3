import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endpointOf, type ModelAccess, openChatModel } from './open-models.ts'

const ACCESS: ModelAccess = {
  openai: { baseUrl: null, apiKey: 'o' },
  anthropic: { apiKey: 'a' },
  google: { apiKey: 'g' },
}
const OWN = { ...ACCESS, openai: { baseUrl: 'http://127.0.0.1:11434/v1', apiKey: null } }

describe('endpointOf', () => {
  it('returns the address and key of each provider', () => {
    assert.deepEqual(endpointOf('openai', ACCESS), { baseUrl: 'https://api.openai.com/v1', apiKey: 'o' })
    assert.deepEqual(endpointOf('anthropic', OWN), { baseUrl: 'https://api.anthropic.com/v1', apiKey: 'a' })
    const google = 'https://generativelanguage.googleapis.com/v1beta'
    assert.deepEqual(endpointOf('google', OWN), { baseUrl: google, apiKey: 'g' })
  })

  it('returns the configured address for both kinds of OpenAI', () => {
    assert.deepEqual(endpointOf('openai', OWN), OWN.openai)
    assert.deepEqual(endpointOf('openai-compatible', OWN), OWN.openai)
    assert.throws(() => endpointOf('openai-compatible', ACCESS), /nothing says where/)
  })
})

describe('openChatModel', () => {
  it('returns a model with the configured name and context size', async () => {
    const name = { provider: 'openai-compatible', model: 'qwen3:8b', contextTokens: 32_768 } as const
    const { name: model, provider, contextTokens } = await openChatModel(name, { access: OWN, log: { warn() {} } })
    assert.deepEqual({ model, provider, contextTokens }, name)
  })
})
