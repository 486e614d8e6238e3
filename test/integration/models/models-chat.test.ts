import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import type { ChatPart, ChatRequest } from '../../../src/models/chat-model.ts'
import { CHAT_PROVIDERS, type ChatProvider } from '../../../src/models/endpoints/model-name.ts'
import { createSdkChatModel, type SdkChatModelOptions } from '../../../src/models/endpoints/sdk-chat-model.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'

const server = await startModelServer()
after(() => server.close())
beforeEach(() => {
  server.requests.length = 0
  server.respond(() => 'It is seven days.')
})

const REQUEST: ChatRequest = {
  messages: [
    { role: 'system', text: 'Answer briefly.' },
    { role: 'user', text: 'How long is a week?' },
  ],
  maxOutputTokens: 50,
}
const SCHEMA = {
  type: 'object',
  properties: { days: { type: 'integer' } },
  required: ['days'],
  additionalProperties: false,
}
const COUNTED = { inputTokens: 120, outputTokens: 30, isEstimated: false }

function modelOf(provider: ChatProvider, options: Partial<SdkChatModelOptions> = {}) {
  return createSdkChatModel({
    name: { provider, model: 'mini', contextTokens: null },
    endpoint: { baseUrl: provider === 'google' ? server.googleUrl : server.url, apiKey: 'the-secret-key' },
    log: { warn() {} },
    pauseMs: 1,
    ...options,
  })
}

async function collect(parts: AsyncIterable<ChatPart>): Promise<{ text: string; end: ChatPart | undefined }> {
  let text = ''
  let end: ChatPart | undefined
  for await (const part of parts) {
    assert.equal(end, undefined, 'nothing comes after the end')
    if (part.type === 'text') text += part.text
    else end = part
  }
  return { text, end }
}

for (const provider of CHAT_PROVIDERS)
  describe(`a model of ${provider}`, () => {
    const model = modelOf(provider)

    it('answers without streaming, with usage', async () => {
      assert.deepEqual(await model.generate(REQUEST), { text: 'It is seven days.', usage: COUNTED, isCut: false })
      const [request] = server.requests
      assert.match(request?.prompt ?? '', /^Answer briefly\.\nHow long is a week\?$/)
      assert.ok(JSON.stringify(request?.headers).includes('the-secret-key'))
    })

    it('streams an answer, with usage at the end', async () => {
      const { text, end } = await collect(model.stream(REQUEST))
      assert.equal(text, 'It is seven days.')
      assert.deepEqual(end, { type: 'end', usage: COUNTED, isCut: false })
    })

    it('answers in the shape of a given schema', async () => {
      server.respond(() => '{"days":7}')
      const { value, usage } = await model.generateObject({ ...REQUEST, schema: SCHEMA })
      assert.deepEqual(value, { days: 7 })
      assert.deepEqual(usage, COUNTED)
      assert.match(JSON.stringify(server.requests[0]?.body), /"days":\{"type":"integer"\}/)
    })

    it('is shown pictures', async () => {
      const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c00' } })
        .png()
        .toBuffer()
      const pictures = [{ bytes, mediaType: 'image/png' as const }]
      await model.generate({ ...REQUEST, messages: [{ role: 'user', text: 'What is this?', pictures }] })
      const sent = JSON.stringify(server.requests[0]?.body)
      assert.ok(sent.includes(bytes.toString('base64')))
      assert.match(sent, /image\/png/)
    })

    it('says where an answer was cut off', async () => {
      server.script({ finish: 'length' }, { finish: 'length' })
      assert.equal((await model.generate(REQUEST)).isCut, true)
      const { end } = await collect(model.stream(REQUEST))
      assert.equal(end?.type === 'end' && end.isCut, true)
    })

    it('can be probed without asking it anything', async () => {
      await model.probe()
      assert.equal(server.requests[0]?.path.endsWith('/models'), true)
      assert.ok(JSON.stringify(server.requests[0]?.headers).includes('the-secret-key'))
    })
  })

describe('a chat model', () => {
  const model = modelOf('openai-compatible')

  it('says that usage is estimated where the provider reports none', async () => {
    server.script({ withoutUsage: true }, { withoutUsage: true })
    const { usage } = await model.generate(REQUEST)
    assert.deepEqual(usage, { inputTokens: 5 + 5 + 5 + 6, outputTokens: 5, isEstimated: true })
    const { end } = await collect(model.stream(REQUEST))
    assert.deepEqual(end, { type: 'end', usage, isCut: false })
  })

  it('sends no key where there is none', async () => {
    for (const provider of ['openai', 'openai-compatible'] as const) {
      server.requests.length = 0
      await modelOf(provider, { endpoint: { baseUrl: server.url, apiKey: null } }).generate(REQUEST)
      assert.equal(server.requests[0]?.headers['authorization'], undefined)
    }
  })

  it('leaves the thinking out that a server left in', async () => {
    server.respond(() => '<think>Let me count. One, two.</think>\n\nIt is seven days.')
    assert.equal((await model.generate(REQUEST)).text, 'It is seven days.')
    assert.equal((await collect(model.stream(REQUEST))).text, 'It is seven days.')
  })

  it('asks in plain words where the endpoint refuses the form of the request', async () => {
    server.respond(() => 'Sure:\n```json\n{"days": 7}\n```')
    server.script({ status: 400 }, { text: '```json\n{"days": 7}\n```' })
    assert.deepEqual((await model.generateObject({ ...REQUEST, schema: SCHEMA })).value, { days: 7 })
    const [full, plain] = server.requests
    assert.equal(full?.body.response_format?.type, 'json_schema')
    assert.equal(full?.body.temperature, 0)
    assert.equal(plain?.body.response_format, undefined)
    assert.equal(plain?.body.temperature, undefined)
    assert.match(plain?.prompt ?? '', /JSON Schema:\n\{"type":"object"/)
  })

  it('gives a thinking model room to think, in the field it understands', async () => {
    const name = { provider: 'openai', model: 'o4-mini', contextTokens: null } as const
    await modelOf('openai', { name }).generate(REQUEST)
    assert.equal(server.requests[0]?.body.max_completion_tokens, 50 + 4096)
    assert.equal(server.requests[0]?.body.temperature, undefined)
  })

  it('serves several requests concurrently', async () => {
    server.respond(({ prompt }) => prompt)
    const asked = Array.from({ length: 20 }, (_, at) => `question ${at}`)
    const answers = await Promise.all(
      asked.map((text) => model.generate({ ...REQUEST, messages: [{ role: 'user', text }] })),
    )
    assert.deepEqual(
      answers.map(({ text }) => text),
      asked,
    )
  })
})
