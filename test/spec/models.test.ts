import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { startModelServer } from '../support/model-server/model-server.ts'
import { assertStatus } from './answer.ts'
import { spawnProduct } from './product.ts'
import { createService, useService } from './service.ts'
import { verifies } from './verifies.ts'

type Check = { status: string; latencyMs?: number; error?: string; optional?: boolean }
type Ready = { status: string; checks: Record<string, Check> }

const KEY = 'sk-of-the-model-server'
const NAMED = {
  RECOLLECT_LLM: 'openai-compatible:qwen3:8b@32k',
  RECOLLECT_RERANKER: 'openai-compatible:rerank-v3.5',
  RECOLLECT_OCR_ENGINE: 'openai:gpt-4.1',
}

const models = await startModelServer()
/** Takes connections and says nothing. */
const silence = createServer().listen(0, '127.0.0.1')
await once(silence, 'listening')
after(async () => {
  silence.close()
  await models.close()
})

async function refusedStart(settings: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-models-'))
  const { code, output } = await spawnProduct({ RECOLLECT_DATA_DIR: join(folder, 'data'), ...settings }).ended()
  await rm(folder, { recursive: true })
  assert.equal(code, 78, output)
  return output
}

describe('the settings of models', () => {
  test('a model without its required key or address prevents the start, and everything missing is named', async () => {
    verifies('models.missing-access', 'settings.provider-keys', 'settings.llm', 'settings.embedder-others')
    verifies('settings.reranker', 'settings.ocr-vision')
    const output = await refusedStart({
      RECOLLECT_LLM: 'anthropic:claude-sonnet-4-5',
      RECOLLECT_EMBEDDER: 'openai:text-embedding-3-small',
      RECOLLECT_RERANKER: 'openai-compatible:rerank-v3.5',
      RECOLLECT_OCR_ENGINE: 'google:gemini-2.5-flash',
    })
    assert.match(output, /RECOLLECT_LLM .*ANTHROPIC_API_KEY/)
    assert.match(output, /RECOLLECT_EMBEDDER .*OPENAI_API_KEY/)
    assert.match(output, /RECOLLECT_RERANKER .*OPENAI_BASE_URL/)
    assert.match(output, /RECOLLECT_OCR_ENGINE .*GOOGLE_GENERATIVE_AI_API_KEY/)
    assert.match(await refusedStart({ RECOLLECT_LLM: 'openai:gpt-4.1' }), /RECOLLECT_LLM .*OPENAI_API_KEY/)
    assert.match(await refusedStart({ RECOLLECT_LLM: 'openai-compatible:m' }), /RECOLLECT_LLM .*OPENAI_BASE_URL/)
  })

  test('an unknown model prevents the start with the allowed names, and no password is repeated', async () => {
    verifies('settings.llm', 'settings.embedder-others', 'settings.reranker', 'settings.ocr-vision')
    const output = await refusedStart({
      RECOLLECT_LLM: 'gpt-4.1',
      RECOLLECT_EMBEDDER: 'cohere:embed',
      RECOLLECT_RERANKER: 'best',
      RECOLLECT_OCR_ENGINE: 'onnx:./eyes',
      OPENAI_BASE_URL: 'http://me:hunter2@models.example/v1',
    })
    assert.match(
      output,
      /RECOLLECT_LLM must be .*openai:<model>, anthropic:<model>, google:<model>, openai-compatible:/,
    )
    assert.match(output, /RECOLLECT_EMBEDDER must be "embedded", openai:<model>, onnx:<folder>/)
    assert.match(output, /RECOLLECT_RERANKER must be "embedded", "off", openai-compatible:<model>, onnx:<folder>/)
    assert.match(output, /RECOLLECT_OCR_ENGINE must be "embedded", openai:<model>/)
    assert.match(output, /OPENAI_BASE_URL must be an http or https address/)
    assert.doesNotMatch(output, /hunter2/)
  })

  for (const [provider, key] of [
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ] as const) {
    test(`a model of ${provider} is taken with the key in ${key}, which is in no log`, async () => {
      verifies('settings.llm', 'settings.provider-keys', 'models.start-sends-nothing')
      const service = createService({ RECOLLECT_LLM: `${provider}:model-of-theirs`, [key]: KEY })
      service.watchKey(KEY)
      await service.start()
      assertStatus(await service.get('/health', { key: null }), 200)
      await service.dispose()
    })
  }
})

describe('readiness with models that answer', () => {
  const service = useService({ ...NAMED, OPENAI_BASE_URL: models.url, OPENAI_API_KEY: KEY })

  test('each is an optional check, asked without tokens and once for many who ask', async () => {
    verifies('models.ready', 'models.start-sends-nothing', 'health.ready.optional', 'settings.llm', 'settings.reranker')
    assert.equal(models.requests.length, 0, 'a start asks nothing')
    const ask = () => service.get<Ready>('/health/ready', { key: null })
    for (const answer of await Promise.all([ask(), ask(), ask()])) {
      assertStatus(answer, 200)
      for (const name of ['llm', 'reranker', 'ocr', 'embedder']) {
        const { status, optional } = answer.json.checks[name] ?? {}
        assert.deepEqual([status, optional], ['up', true], name)
      }
    }
    assert.deepEqual(
      models.requests.map(({ path }) => path),
      ['/v1/models', '/v1/models', '/v1/models'],
    )
    assert.equal(models.requests[0]?.headers['authorization'], `Bearer ${KEY}`)
  })
})

describe('readiness with models that are gone', () => {
  const service = useService({ ...NAMED, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: KEY })

  test('the checks are down, and the service is ready without them', async () => {
    verifies('models.ready', 'models.start-sends-nothing', 'health.ready.optional')
    const answer = await service.get<Ready>('/health/ready', { key: null })
    assertStatus(answer, 200)
    assert.equal(answer.json.status, 'ready')
    for (const name of ['llm', 'reranker', 'ocr'])
      assert.deepEqual(answer.json.checks[name], { status: 'down', error: 'unavailable', optional: true }, name)
  })
})

describe('readiness with a model that hangs', () => {
  const { port } = silence.address() as AddressInfo
  const service = useService({
    RECOLLECT_LLM: 'openai-compatible:m',
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
  })

  test('the check is given up, and its connection closed', async () => {
    verifies('models.ready', 'health.ready.optional')
    const connected = once(silence, 'connection') as Promise<[Socket]>
    const answer = await service.get<Ready>('/health/ready', { key: null })
    assertStatus(answer, 200)
    assert.deepEqual(answer.json.checks['llm'], { status: 'down', error: 'timeout', optional: true })
    const [socket] = await connected
    socket.resume()
    if (!socket.destroyed) await once(socket, 'close')
  })
})
