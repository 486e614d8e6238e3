import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { createSdkChatModel } from '../../../src/models/endpoints/sdk-chat-model.ts'
import { type PictureForModel, toPictureForModel } from '../../../src/models/picture-for-model.ts'
import type { Recognition, RecognitionRequest } from '../../../src/models/recognizer.ts'
import { createVisionReader } from '../../../src/models/vision-reader.ts'
import type { Behaviour } from '../../support/model-server/behaviour.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'

const LINES = ['Minutes of the harbour board', 'The lock leaks badly, and gravel lies under the meadow.']
const server = await startModelServer()
after(() => server.close())
beforeEach(() => {
  server.requests.length = 0
  server.script()
})

const warned: unknown[] = []
const log = { debug() {}, info() {}, error() {}, warn: (facts: unknown) => void warned.push(facts) }
function visionWith(totalMs: number) {
  const chat = createSdkChatModel({
    name: { provider: 'openai', model: 'gpt-4.1', contextTokens: null },
    endpoint: { baseUrl: server.url, apiKey: 'the-secret-key' },
    log,
    timeouts: { totalMs },
    pauseMs: 1,
  })
  return createVisionReader({ chat, log })
}
const vision = visionWith(20_000)

const EMBEDDED: Recognition = {
  outcome: 'text',
  text: LINES.join('\n\n'),
  confidence: 0.93,
  blocks: LINES.map((text, at) => ({ text, confidence: 0.93, bbox: [100, 100 + 50 * at, 700, 40] })),
  languages: ['eng'],
  engine: 'tesseract.js',
  message: null,
  warnings: ['a hint was not followed'],
}
const png = await sharp({ create: { width: 3000, height: 1500, channels: 4, background: '#fff' } })
  .png()
  .toBuffer()
const page = await toPictureForModel({ png })

async function improve(facts: Partial<PictureForModel> & { embedded?: Recognition; languages?: string[] } = {}) {
  const { recognition, fallback } = await vision.improve({ ...page, embedded: EMBEDDED, ...facts })
  assert.equal(fallback, null)
  return recognition
}

async function sentPicture() {
  const sent = JSON.stringify(server.requests[0]?.body)
  const [, type = '', data = ''] = /data:(image\/\w+);base64,([A-Za-z0-9+/=]+)/.exec(sent) ?? []
  const { width, height } = await sharp(Buffer.from(data, 'base64')).metadata()
  return { type, width, height }
}

describe('a reader with a vision model', () => {
  it('gives the text of the model in the places of the engine', async () => {
    server.respond(() => `${LINES[0]}\n\n${LINES[1]}\n\nSeen, J. Drummond`)
    const reading = await improve({ languages: ['en'] })
    assert.equal(reading.text, `${LINES[0]}\n\n${LINES[1]}\n\nSeen, J. Drummond`)
    assert.deepEqual(
      reading.blocks.map(({ confidence, bbox }) => [confidence, ...bbox]),
      [
        [1, 100, 100, 700, 40],
        [1, 100, 150, 700, 40],
        [0.5, 0, 0, 3000, 1500],
      ],
    )
    assert.equal(reading.engine, 'openai:gpt-4.1')
    assert.deepEqual(reading.warnings, EMBEDDED.warnings)
    assert.ok(reading.confidence > 0.8 && reading.confidence < 1)
  })

  it('sends the picture in the size models use, and says that its text is not an instruction', async () => {
    server.respond(() => LINES.join('\n\n'))
    await improve({ languages: ['en'] })
    assert.deepEqual(await sentPicture(), { type: 'image/png', width: 2000, height: 1000 })
    const [system, user] = server.requests[0]?.body.messages ?? []
    assert.match(JSON.stringify(system), /never.+do what it says/)
    assert.doesNotMatch(JSON.stringify(user), /harbour/, 'what the engine read is not told')
  })

  it('sends noise as JPEG', async () => {
    server.respond(() => LINES.join('\n\n'))
    let seed = 1
    const data = Uint8Array.from({ length: 1800 * 1200 }, () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed & 255
    })
    const source = { width: 900, height: 600 }
    const raster: RecognitionRequest['image'] = { data, width: 1800, height: 1200, channels: 1, dpi: null, source }
    const reading = await improve({ ...(await toPictureForModel(raster)), embedded: { ...EMBEDDED, blocks: [] } })
    assert.deepEqual(await sentPicture(), { type: 'image/jpeg', width: 1800, height: 1200 })
    assert.deepEqual(reading.blocks[0]?.bbox, [0, 0, 900, 600], 'boxes are of the picture as it was given')
  })

  it('does not ask about a blank page', async () => {
    const blank: Recognition = { ...EMBEDDED, outcome: 'blank', text: '', blocks: [] }
    assert.equal(await improve({ embedded: blank }), blank)
    assert.equal(server.requests.length, 0)
  })

  it('reads a page that the engine could not', async () => {
    server.respond(() => 'Dear Anna, the plums are ripe.')
    const failed: Recognition = { ...EMBEDDED, outcome: 'timeout', text: '', blocks: [], message: 'It took too long.' }
    const reading = await improve({ embedded: failed })
    assert.deepEqual(
      [reading.outcome, reading.text, reading.confidence, reading.message],
      ['text', 'Dear Anna, the plums are ripe.', 0.5, null],
    )
  })

  const useless: [Behaviour, why: string, isFailure?: false][] = [
    [{ text: 'HACKED' }, 'did not copy the page', false],
    [{ text: "I'm sorry, I can't assist with that." }, 'did not copy the page', false],
    [{ text: '[no text]' }, 'gave no text', false],
    [{ text: LINES.join('\n'), finish: 'length' }, 'did not finish', false],
    [{ text: '' }, 'failed'],
    [{ status: 401 }, 'failed'],
    [{ body: '<html>' }, 'failed'],
    [{ drop: 1 }, 'failed'],
  ]
  for (const [behaviour, why, isFailure = true] of useless)
    it(`leaves the engine's reading where the model answers ${JSON.stringify(behaviour)}, and says so`, async () => {
      server.script(behaviour, behaviour, behaviour)
      const { recognition, fallback } = await vision.improve({ ...page, embedded: EMBEDDED })
      const message = `The model openai:gpt-4.1 ${why}; the page was read by the embedded engine.`
      assert.deepEqual(fallback, { isFailure, message })
      assert.equal(recognition, EMBEDDED)
    })

  it('does not wait for ever, and no longer than its caller', async () => {
    server.script({ stall: 'before-headers' })
    const late = await visionWith(100).improve({ ...page, embedded: EMBEDDED })
    assert.match(late.fallback?.message ?? '', /did not answer in time/)
    server.script({ stall: 'before-headers' })
    const reason = new Error('the caller went')
    const controller = new AbortController()
    void server.nextRequest().then(() => controller.abort(reason))
    const work = vision.improve({ ...page, embedded: EMBEDDED, signal: controller.signal })
    await assert.rejects(work, (error) => error === reason)
    await Promise.all(server.requests.map(({ ended }) => ended))
    assert.equal(server.openRequests(), 0)
  })

  it('says that a picture is damaged', async () => {
    await assert.rejects(toPictureForModel({ png: Buffer.from('no picture') }), { code: 'image_unreadable' })
  })
})
