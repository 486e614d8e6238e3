import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import { type ModelAccess, missingAccess, modelOr, parseBaseUrl } from './model-settings.ts'

describe('modelOr', () => {
  const parse = modelOr(['embedded', 'off'], ['openai', 'anthropic', 'openai-compatible', 'onnx'])
  const modelOf = (text: string) => {
    const parsed = parse(text)
    return 'value' in parsed ? parsed.value : null
  }

  it('takes the words', () => assert.equal(modelOf('off'), 'off'))

  it('splits at the first colon, since models have colons of their own', () => {
    assert.deepEqual(modelOf('openai:gpt-4.1-mini'), { provider: 'openai', model: 'gpt-4.1-mini', contextTokens: null })
    const model = { provider: 'openai-compatible', model: 'qwen3:8b', contextTokens: null }
    assert.deepEqual(modelOf('openai-compatible:qwen3:8b'), model)
  })

  it('takes the size of the context from the end', () => {
    const model = { provider: 'openai-compatible', model: 'qwen3:8b', contextTokens: 32_768 }
    assert.deepEqual(modelOf('openai-compatible:qwen3:8b@32k'), model)
    assert.deepEqual(modelOf('openai:large@2M'), { provider: 'openai', model: 'large', contextTokens: 2_097_152 })
  })

  it('leaves a date at the end in the name', () => {
    const model = { provider: 'anthropic', model: 'claude@20260301', contextTokens: null }
    assert.deepEqual(modelOf('anthropic:claude@20260301'), model)
  })

  it('makes a folder absolute and takes it as it is written', () => {
    const model = { provider: 'onnx', model: resolve('my models/mini@4k'), contextTokens: null }
    assert.deepEqual(modelOf('onnx:my models/mini@4k'), model)
  })

  const wrong = [
    '',
    'on',
    'openai',
    'openai:',
    'openai: ',
    ':gpt',
    'mistral:large',
    'openai:a b',
    'openai:@8k',
    'openai:a@0k',
    'onnx:',
    'onnx:a\0b',
  ]
  for (const text of wrong)
    it(`refuses ${JSON.stringify(text)} and says what may stand there`, () =>
      assert.deepEqual(parse(text), {
        problem:
          'must be "embedded", "off", openai:<model>, anthropic:<model>, openai-compatible:<model>, onnx:<folder>',
      }))
})

const NOTHING: ModelAccess = {
  openai: { baseUrl: null, apiKey: null },
  anthropic: { apiKey: null },
  google: { apiKey: null },
}
const missing = (provider: string, access: Partial<ModelAccess> = {}) =>
  missingAccess('RECOLLECT_LLM', { provider, model: 'm', contextTokens: null }, { ...NOTHING, ...access })

describe('missingAccess', () => {
  it('asks for the key of the provider that is named', () => {
    assert.match(
      missing('openai') ?? '',
      /^RECOLLECT_LLM names a model of openai, for which OPENAI_API_KEY must be set/,
    )
    assert.match(missing('anthropic') ?? '', /ANTHROPIC_API_KEY must be set/)
    assert.match(missing('google') ?? '', /GOOGLE_GENERATIVE_AI_API_KEY must be set/)
    assert.match(missing('openai-compatible') ?? '', /OPENAI_BASE_URL must say where/)
  })

  it('asks for nothing more', () => {
    const openai = { baseUrl: 'http://127.0.0.1:11434/v1', apiKey: null }
    assert.equal(missing('openai', { openai }), null)
    assert.equal(missing('openai-compatible', { openai }), null)
    assert.equal(missing('openai', { openai: { baseUrl: null, apiKey: 'k' } }), null)
    assert.equal(missing('anthropic', { anthropic: { apiKey: 'k' } }), null)
    assert.equal(missing('google', { google: { apiKey: 'k' } }), null)
    assert.equal(missing('onnx'), null)
  })
})

describe('parseBaseUrl', () => {
  it('takes the slash off the end', () => {
    assert.deepEqual(parseBaseUrl('http://127.0.0.1:11434/v1/'), { value: 'http://127.0.0.1:11434/v1' })
    assert.deepEqual(parseBaseUrl('https://models.example'), { value: 'https://models.example' })
    assert.deepEqual(parseBaseUrl(''), { value: null })
  })

  for (const text of [
    '127.0.0.1:11434',
    'ftp://models.example',
    'https://me:secret@models.example',
    'https://m.example/v1?key=secret',
  ])
    it(`refuses ${text}, and repeats nothing of it`, () => {
      const parsed = parseBaseUrl(text)
      assert.ok('problem' in parsed && !parsed.problem.includes('secret'))
    })
})
