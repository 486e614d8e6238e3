import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contextTokensOf } from './call-options.ts'

describe('contextTokensOf', () => {
  const of = (provider: string, model: string, contextTokens: number | null = null) =>
    contextTokensOf({ provider, model, contextTokens })

  it('prefers the setting', () => assert.equal(of('openai', 'gpt-4o', 4096), 4096))

  it('distinguishes the models of a family', () => {
    assert.equal(of('openai', 'gpt-4'), 8_192)
    assert.equal(of('openai', 'gpt-4o-mini-2024-07-18'), 128_000)
    assert.equal(of('openai', 'gpt-4.1-nano'), 1_047_576)
    assert.equal(of('openai', 'gpt-4-turbo'), 128_000)
  })

  it('recognizes a model behind a router by the last part of its name', () =>
    assert.equal(of('openai-compatible', 'anthropic/claude-sonnet-4-5'), 200_000))

  it('assumes a small context for unknown models', () => {
    assert.equal(of('openai', 'brand-new'), 8_192)
    assert.equal(of('openai-compatible', 'llama3.1'), 4_096)
  })
})
