import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ModelAccess, missingAccess, parseBaseUrl } from './model-access.ts'

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
