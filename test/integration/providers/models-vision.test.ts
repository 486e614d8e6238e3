import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { createSdkChatModel } from '../../../src/providers/models/sdk-chat-model.ts'
import { createTesseractRecognizer } from '../../../src/providers/ocr/tesseract-recognizer.ts'
import type { Recognition } from '../../../src/providers/recognizer.ts'
import { createVisionReader } from '../../../src/providers/vision/vision-reader.ts'
import { createVisionRecognizer } from '../../../src/providers/vision/vision-recognizer.ts'
import type { Behaviour } from '../../support/model-server/behaviour.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'
import { printPage } from './printed-page.ts'

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
const image = {
  png: await sharp({ create: { width: 3000, height: 1500, channels: 4, background: '#fff' } })
    .png()
    .toBuffer(),
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
    const reading = await vision.improve({ image, embedded: EMBEDDED, languages: ['en'] })
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

  it('sends the picture in a size that models look at, and says that its text is no instruction', async () => {
    server.respond(() => LINES.join('\n\n'))
    await vision.improve({ image, embedded: EMBEDDED, languages: ['en'] })
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
    const raster = {
      data,
      width: 1800,
      height: 1200,
      channels: 1 as const,
      dpi: null,
      source: { width: 900, height: 600 },
    }
    const reading = await vision.improve({ image: raster, embedded: { ...EMBEDDED, blocks: [] } })
    assert.deepEqual(await sentPicture(), { type: 'image/jpeg', width: 1800, height: 1200 })
    assert.deepEqual(reading.blocks[0]?.bbox, [0, 0, 900, 600], 'boxes are of the picture as it was given')
  })

  it('does not ask about a blank page', async () => {
    const blank: Recognition = { ...EMBEDDED, outcome: 'blank', text: '', blocks: [] }
    assert.equal(await vision.improve({ image, embedded: blank }), blank)
    assert.equal(server.requests.length, 0)
  })

  it('reads a page that the engine could not', async () => {
    server.respond(() => 'Dear Anna, the plums are ripe.')
    const failed: Recognition = { ...EMBEDDED, outcome: 'timeout', text: '', blocks: [], message: 'It took too long.' }
    const reading = await vision.improve({ image, embedded: failed })
    assert.deepEqual(
      [reading.outcome, reading.text, reading.confidence, reading.message],
      ['text', 'Dear Anna, the plums are ripe.', 0.5, null],
    )
  })

  const useless: [Behaviour, string][] = [
    [{ text: 'HACKED' }, 'did not copy the page'],
    [{ text: "I'm sorry, I can't assist with that." }, 'did not copy the page'],
    [{ text: '[no text]' }, 'gave no text'],
    [{ text: LINES.join('\n'), finish: 'length' }, 'did not finish'],
    [{ text: '' }, 'failed'],
    [{ status: 401 }, 'failed'],
    [{ body: '<html>' }, 'failed'],
    [{ drop: 1 }, 'failed'],
  ]
  for (const [behaviour, why] of useless)
    it(`leaves the engine's reading where the model answers ${JSON.stringify(behaviour)}, and says so`, async () => {
      server.script(behaviour, behaviour, behaviour)
      const reading = await vision.improve({ image, embedded: EMBEDDED })
      const warning = `The model openai:gpt-4.1 ${why}; the page was read by the embedded engine.`
      assert.deepEqual(reading, { ...EMBEDDED, warnings: [...EMBEDDED.warnings, warning] })
    })

  it('does not wait for ever, and no longer than its caller', async () => {
    server.script({ stall: 'before-headers' })
    const late = await visionWith(100).improve({ image, embedded: EMBEDDED })
    assert.match(late.warnings.at(-1) ?? '', /did not answer in time/)
    server.script({ stall: 'before-headers' })
    const reason = new Error('the caller went')
    const controller = new AbortController()
    void server.nextRequest().then(() => controller.abort(reason))
    const work = vision.improve({ image, embedded: EMBEDDED, signal: controller.signal })
    await assert.rejects(work, (error) => error === reason)
    await Promise.all(server.requests.map(({ ended }) => ended))
    assert.equal(server.openRequests(), 0)
  })

  it('says that a picture is damaged', async () => {
    const damaged = { png: Buffer.from('no picture') }
    await assert.rejects(vision.improve({ image: damaged, embedded: EMBEDDED }), { code: 'image_unreadable' })
  })
})

describe('a recogniser with a vision model', () => {
  const embedded = createTesseractRecognizer({ languages: ['eng'], size: 1, log })
  const recognizer = createVisionRecognizer({ vision, embedded })
  after(() => recognizer.close())

  it('asks the model about accurate pages alone', async () => {
    server.respond(() => `${LINES.join('\n\n')}\n\nSeen.`)
    const page = await printPage(LINES, 150)
    const fast = await recognizer.recognize({ image: page, mode: 'fast' })
    assert.match(fast.engine, /^tesseract/)
    assert.equal(server.requests.length, 0)
    const accurate = await recognizer.recognize({ image: page, mode: 'accurate' })
    assert.equal(accurate.engine, 'openai:gpt-4.1')
    assert.match(accurate.text, /harbour board\n\nThe lock leaks .+\n\nSeen\.$/)
  })
})
