import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CHAT_PROVIDERS, parseModelName } from './parse-model-name.ts'

describe('parseModelName', () => {
  const parse = (text: string) => parseModelName(text, [...CHAT_PROVIDERS, 'onnx'])

  it('splits at the first colon, since models have colons of their own', () => {
    assert.deepEqual(parse('openai:gpt-4.1-mini'), { provider: 'openai', model: 'gpt-4.1-mini', contextTokens: null })
    assert.deepEqual(parse('openai-compatible:qwen3:8b'), {
      provider: 'openai-compatible',
      model: 'qwen3:8b',
      contextTokens: null,
    })
  })

  it('takes the size of the context from the end', () => {
    assert.deepEqual(parse('openai-compatible:qwen3:8b@32k'), {
      provider: 'openai-compatible',
      model: 'qwen3:8b',
      contextTokens: 32_768,
    })
    assert.equal(parse('google:gemini@2M')?.contextTokens, 2_097_152)
  })

  it('leaves a date at the end in the name', () => {
    assert.deepEqual(parse('anthropic:claude@20260301'), {
      provider: 'anthropic',
      model: 'claude@20260301',
      contextTokens: null,
    })
  })

  it('takes a folder as it is written', () => {
    assert.deepEqual(parse('onnx:/srv/my models/mini@4k'), {
      provider: 'onnx',
      model: '/srv/my models/mini@4k',
      contextTokens: null,
    })
  })

  for (const wrong of [
    '',
    'openai',
    'openai:',
    'openai: ',
    ':gpt',
    'mistral:large',
    'openai:a b',
    'openai:@8k',
    'openai:a@0k',
  ])
    it(`refuses ${JSON.stringify(wrong)}`, () => assert.equal(parse(wrong), null))
})
