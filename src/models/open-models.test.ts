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
  it('leads each provider to its own address with its own key', () => {
    assert.deepEqual(endpointOf('openai', ACCESS), { baseUrl: 'https://api.openai.com/v1', apiKey: 'o' })
    assert.deepEqual(endpointOf('anthropic', OWN), { baseUrl: 'https://api.anthropic.com/v1', apiKey: 'a' })
    const google = 'https://generativelanguage.googleapis.com/v1beta'
    assert.deepEqual(endpointOf('google', OWN), { baseUrl: google, apiKey: 'g' })
  })

  it('leads both kinds of OpenAI to the address that is set', () => {
    assert.deepEqual(endpointOf('openai', OWN), OWN.openai)
    assert.deepEqual(endpointOf('openai-compatible', OWN), OWN.openai)
    assert.throws(() => endpointOf('openai-compatible', ACCESS), /nothing says where/)
  })
})

describe('openChatModel', () => {
  it('knows the model by the name of the setting, and how much it takes', async () => {
    const name = { provider: 'openai-compatible', model: 'qwen3:8b', contextTokens: 32_768 } as const
    const { name: model, provider, contextTokens } = await openChatModel(name, { access: OWN, log: { warn() {} } })
    assert.deepEqual({ model, provider, contextTokens }, name)
  })
})
