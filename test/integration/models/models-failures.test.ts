import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { ApiError } from '../../../src/errors.ts'
import type { ChatRequest } from '../../../src/models/chat-model.ts'
import { CHAT_PROVIDERS } from '../../../src/models/endpoints/model-name.ts'
import { createSdkChatModel, type SdkChatModelOptions } from '../../../src/models/endpoints/sdk-chat-model.ts'
import type { Behaviour } from '../../support/model-server/behaviour.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'

const KEY = 'the-secret-key'
const SECRET = 'the cellar code of the Velmora cooperative is four nine two'
const REQUEST: ChatRequest = { messages: [{ role: 'user', text: `Look: ${SECRET}.` }], maxOutputTokens: 50 }
const SCHEMA = { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] }
/** For tests that wait for a limit; all other limits are generous. */
const SOON_MS = 150

const server = await startModelServer()
after(() => server.close())
beforeEach(() => {
  server.requests.length = 0
  server.respond(() => 'One two three four five.')
})
/** Every connection has ended, and the next request is served. */
afterEach(async () => {
  await endings()
  assert.equal(server.openRequests(), 0)
  assert.equal((await modelWith().generate(REQUEST)).text, 'One two three four five.')
})

const endings = () => Promise.all(server.requests.map(({ ended }) => ended))

function modelWith(options: Partial<SdkChatModelOptions> = {}) {
  return createSdkChatModel({
    name: { provider: 'openai-compatible', model: 'mini', contextTokens: null },
    endpoint: { baseUrl: server.url, apiKey: KEY },
    log: { warn() {} },
    pauseMs: 1,
    ...options,
  })
}

/** The message of the log for a failure; holds that nothing secret is in the error at any depth. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    (value) => assert.fail(`it gave ${inspect(value)}`),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ApiError, inspect(error))
  assert.equal(error.code, 'model_failed')
  const everything = inspect(error, { depth: 20, showHidden: true })
  for (const secret of [KEY, SECRET, 'cellar code']) assert.ok(!everything.includes(secret), everything)
  return (error.cause as Error).message
}

async function drain(model: ReturnType<typeof modelWith>, signal?: AbortSignal): Promise<string> {
  let text = ''
  for await (const part of model.stream(signal === undefined ? REQUEST : { ...REQUEST, signal }))
    if (part.type === 'text') text += part.text
  return text
}

const ways = {
  generate: (model: ReturnType<typeof modelWith>) => model.generate(REQUEST),
  generateObject: (model: ReturnType<typeof modelWith>) => model.generateObject({ ...REQUEST, schema: SCHEMA }),
  stream: (model: ReturnType<typeof modelWith>) => drain(model),
}

for (const [way, ask] of Object.entries(ways))
  describe(`${way} of a model that fails`, () => {
    const proper: Behaviour = { text: '{"days": 7}' }

    for (const passing of [
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 500 },
      { status: 503, body: '<html>busy</html>' },
      { drop: 'before-headers' },
    ] as const satisfies Behaviour[])
      it(`asks up to twice again after ${JSON.stringify(passing)}`, async () => {
        server.script(passing, passing, proper)
        await ask(modelWith())
        assert.equal(server.requests.length, 3)
        server.requests.length = 0
        server.script(passing, passing, passing)
        assert.match(await failureOf(ask(modelWith())), /^openai-compatible:mini .+ \(tried 3 times\)$/)
        assert.equal(server.requests.length, 3)
      })

    it('does not wait longer than it has for a Retry-After', async () => {
      server.script({ status: 429, headers: { 'retry-after': '3600' } })
      assert.match(await failureOf(ask(modelWith())), /answered 429: scripted 429$/)
      assert.equal(server.requests.length, 1)
    })

    it('does not ask again where that cannot help', async () => {
      server.script({ status: 401 })
      assert.match(await failureOf(ask(modelWith())), /answered 401: scripted 401$/)
      assert.equal(server.requests.length, 1)
    })

    it('keeps key and prompt out of the error where the server repeats them', async () => {
      const message = `bad request: [{'role': 'user', 'content': 'Look: ${SECRET}.'}]`
      server.script({ status: 404, body: JSON.stringify({ error: { message } }) })
      assert.match(await failureOf(ask(modelWith())), /repeats the prompt/)
      server.script({ status: 404, body: JSON.stringify({ error: { message: `no model for ${KEY}` } }) })
      assert.match(await failureOf(ask(modelWith())), /no model for \[hidden\]$/)
    })

    it('never repeats an unreadable answer, which may contain document text', async () => {
      for (const body of ['{"choices":[{"message":{"content":"Zebedee owes', 'data: {"choices":"Zebedee owes"}\n\n']) {
        server.script({ body })
        assert.doesNotMatch(await failureOf(ask(modelWith())), /Zebedee/)
      }
    })

    for (const garbage of [
      { body: '<html><body>Welcome</body></html>', headers: { 'content-type': 'text/html' } },
      { body: 'certainly!' },
      { body: '{"choices":[]}' },
      { body: '[]' },
      { body: '' },
      { text: '' },
      { text: '<think>hm</think>  ' },
    ] satisfies Behaviour[])
      it(`gives up on ${JSON.stringify(garbage)}`, async () => {
        server.script(garbage)
        await failureOf(ask(modelWith()))
        assert.equal(server.requests.length, 1)
      })

    it('gives up a model that does not begin', async () => {
      server.script({ stall: 'before-headers' })
      const model = modelWith({ timeouts: { totalMs: SOON_MS, firstMs: SOON_MS } })
      assert.match(await failureOf(ask(model)), /did not continue within 0\.15 s$/)
      for (const ended of await endings()) assert.equal(ended, 'left')
    })

    it('gives up an answer that stalls halfway', async () => {
      server.script({ stall: 2 })
      const limits = way === 'stream' ? { gapMs: SOON_MS } : { totalMs: SOON_MS }
      assert.match(await failureOf(ask(modelWith({ timeouts: limits }))), /did not continue within/)
      for (const ended of await endings()) assert.equal(ended, 'left')
    })

    it('ends when the caller goes, with the reason of the caller', async () => {
      for (const behaviour of [{ stall: 'before-headers' }, { stall: 2 }] as const) {
        server.script(behaviour)
        const reason = new Error('the caller went')
        const controller = new AbortController()
        const received = server.nextRequest()
        const request = { ...REQUEST, schema: SCHEMA, signal: controller.signal }
        const model = modelWith()
        const asked = {
          generate: () => model.generate(request),
          generateObject: () => model.generateObject(request),
          stream: () => drain(model, controller.signal),
        }
        const work = asked[way as keyof typeof asked]()
        await Promise.all([
          assert.rejects(work, (error) => error === reason),
          received.then(() => setTimeout(() => controller.abort(reason), 20)),
        ])
      }
      assert.deepEqual(await endings(), ['left', 'left'])
    })

    it('asks nothing for a caller who is gone already', async () => {
      const reason = new Error('gone')
      const signal = AbortSignal.abort(reason)
      const model = modelWith()
      const work = way === 'stream' ? drain(model, signal) : model.generate({ ...REQUEST, signal })
      await assert.rejects(work, (error) => error === reason)
      assert.equal(server.requests.length, 0)
    })

    it('ends when the caller goes in the pause before another try', async () => {
      const reason = new Error('the caller went')
      const controller = new AbortController()
      server.script({ status: 500 })
      const model = modelWith({ pauseMs: 60_000, log: { warn: () => controller.abort(reason) } })
      const work =
        way === 'stream' ? drain(model, controller.signal) : model.generate({ ...REQUEST, signal: controller.signal })
      await assert.rejects(work, (error) => error === reason)
    })

    it('breaks an answer off that does not end', async () => {
      server.script({ isEndless: true })
      if (way === 'stream') {
        const text = await drain(modelWith())
        assert.ok(text.length >= 600 && text.length < 700, 'at twelve characters a token')
      } else await failureOf(ask(modelWith({ maxAnswerBytes: 500_000 })))
      for (const ended of await endings()) assert.equal(ended, 'left')
    })

    it('follows no redirect, which would carry the key away', async () => {
      const asked: unknown[] = []
      const other = createServer((request, response) => {
        asked.push(request.headers)
        response.end('{}')
      })
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
      const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1/chat/completions`
      server.script({ status: 307, body: '', headers: { location } })
      assert.match(await failureOf(ask(modelWith())), /answered 307, a redirect/)
      assert.deepEqual(asked, [])
      other.closeAllConnections()
      await new Promise((resolve) => other.close(resolve))
    })

    it('reports a server without a listener as unreachable', async () => {
      const gone = await startModelServer()
      await gone.close()
      const model = modelWith({ endpoint: { baseUrl: gone.url, apiKey: KEY } })
      assert.match(await failureOf(ask(model)), /cannot be reached \(ECONNREFUSED\) \(tried 3 times\)$/)
      await assert.rejects(model.probe(), { code: 'model_failed' })
    })
  })

describe('a stream that fails', () => {
  for (const provider of CHAT_PROVIDERS)
    it(`hands out what came before ${provider} broke off, and is not begun again`, async () => {
      const name = { provider, model: 'mini', contextTokens: null }
      const endpoint = { baseUrl: provider === 'google' ? server.googleUrl : server.url, apiKey: KEY }
      for (const behaviour of [{ drop: 2 }, { endAfter: 2 }] as const) {
        server.requests.length = 0
        server.script(behaviour)
        let text = ''
        const work = (async () => {
          for await (const part of modelWith({ name, endpoint }).stream(REQUEST))
            if (part.type === 'text') text += part.text
        })()
        await failureOf(work)
        assert.equal(text, 'One two')
        assert.equal(server.requests.length, 1)
      }
    })

  it('reports an error sent as an event', async () => {
    const body = 'data: {"error":{"message":"overloaded","type":"server_error"}}\n\n'
    server.script({ body, headers: { 'content-type': 'text/event-stream' } })
    assert.match(await failureOf(drain(modelWith())), /overloaded/)
  })

  it('closes the connection when its reader leaves', async () => {
    server.script({ isEndless: true, gapMs: 5 })
    for await (const part of modelWith().stream(REQUEST)) if (part.type === 'text') break
    for (const ended of await endings()) assert.equal(ended, 'left')
  })

  it('does not hold a slow reader against the model', async () => {
    const words = 'one two three four five six seven eight nine ten'
    server.script({ text: words, gapMs: 250 })
    let text = ''
    for await (const part of modelWith({ timeouts: { gapMs: 1_000 } }).stream(REQUEST)) {
      await new Promise((resolve) => setTimeout(resolve, text === '' ? 1_300 : 0))
      if (part.type === 'text') text += part.text
    }
    assert.equal(text, words)
  })
})

describe('an object that does not fit', () => {
  it('is refused without revealing its value', async () => {
    server.script({ text: `{"days": "${SECRET}"}` })
    assert.match(
      await failureOf(modelWith().generateObject({ ...REQUEST, schema: SCHEMA })),
      /does not fit the schema at \/days$/,
    )
    server.script({ text: 'Seven, I think.' })
    assert.match(await failureOf(modelWith().generateObject({ ...REQUEST, schema: SCHEMA })), /no JSON/)
  })
})

describe('a probe', () => {
  it('reports a refused key', async () => {
    const refusing = createServer((_request, response) => response.writeHead(401).end())
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/v1`
    const model = modelWith({ endpoint: { baseUrl, apiKey: KEY } })
    assert.match(await failureOf(model.probe()), /refuses the key \(401\)/)
    refusing.closeAllConnections()
    await new Promise((resolve) => refusing.close(resolve))
  })
})
