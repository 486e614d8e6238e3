import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pino from 'pino'
import sharp, { type Sharp } from 'sharp'
import { createTesseractRecognizer } from '../../../src/models/ocr/tesseract-recognizer.ts'
import type { Raster } from '../../../src/models/recognizer.ts'
import { printPage } from '../../support/print-page.ts'

const TEXT = [
  'Minutes of the harbour board, 14 May 2031',
  'Mrs. Drummond noted that 48,217 crates had passed the gate since March,',
  'while the cooperative at Velmora lost 3.7 per cent on apples & pears.',
  '"We cannot wait for the canal," she said; the lock (built 1894) leaks badly.',
  'Members voted 11 to 4 in favour, and the clerk was asked to write at once.',
  'Payment of EUR 1,250.00 is due within 30 days; quote reference KX-4471/b.',
  'The surveyor found gravel under the meadow and copper in the old quarry.',
  'Next meeting: Tuesday, 9 June, at seven in the granary behind the brewery.',
]

const log = pino({ level: 'silent' })
const recognizer = createTesseractRecognizer({ languages: ['eng'], size: 1, log })
after(() => recognizer.close())

function open({ data, width, height, channels }: Raster): Sharp {
  return sharp(data, { raw: { width, height, channels } })
}

async function draw(pixels: Sharp, dpi: number | null): Promise<Raster> {
  const { data, info } = await pixels.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 1, dpi }
}

/** Adds noise as a worn scanner does, the same every time. */
function addNoise(page: Raster, sigma: number): Raster {
  let seed = 17
  const draw = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  // The sum of three even draws is close enough to a normal one, and has a deviation of a half.
  const noisy = page.data.map((value) => {
    const noise = (draw() + draw() + draw() - 1.5) * 2 * sigma
    return Math.min(255, Math.max(0, value * 0.9 + 15 + noise))
  })
  return { ...page, data: noisy }
}

/**
 * The share of characters to change from one text to the other; white space counts as one space.
 */
function errorShare(got: string, truth: string): number {
  const [from, to] = [got, truth].map((text) => text.replace(/\s+/g, ' ').trim()) as [string, string]
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return (row[to.length] ?? 0) / to.length
}

test('a clean page at 300 dpi has at most 2 characters of 100 wrong', async () => {
  const image = await printPage(TEXT, 300)
  const page = await recognizer.recognize({ image, mode: 'fast' })
  assert.equal(page.outcome, 'text')
  assert.ok(errorShare(page.text, TEXT.join('\n')) <= 0.02, page.text)
  assert.ok(page.confidence > 0.85 && page.confidence <= 1)
  assert.deepEqual([page.languages, page.message, page.warnings], [['eng'], null, []])
  assert.match(page.engine, /^tesseract/)
})

test('a noisy page at 150 dpi, laid on the glass askew, has at most 3 characters of 100 wrong', async () => {
  const clean = await printPage(TEXT, 150)
  const image = addNoise(await draw(open(clean).rotate(1.5, { background: '#fff' }), 150), 25)
  for (const mode of ['fast', 'accurate'] as const) {
    const page = await recognizer.recognize({ image, mode })
    assert.ok(errorShare(page.text, TEXT.join('\n')) <= 0.03, `${mode}: ${page.text}`)
  }
})

test('boxes lie where the words are, also where the page was turned and scaled to be read', async () => {
  const upright = await printPage(TEXT, 150)
  const turned = await draw(open(upright).rotate(180), null)
  const page = await recognizer.recognize({ image: turned, mode: 'accurate' })
  assert.ok(errorShare(page.text, TEXT.join('\n')) <= 0.03, page.text)
  // 60 points from the left and 72 from the top, seen upside down at 150 dpi.
  const right = Math.max(...page.blocks.map(({ bbox: [x, , width] }) => x + width))
  const bottom = Math.max(...page.blocks.map(({ bbox: [, y, , height] }) => y + height))
  assert.ok(Math.abs(right - (turned.width - 125)) < 12, String(right))
  assert.ok(Math.abs(bottom - (turned.height - 131)) < 12, String(bottom))
})

test('a page on its side is read in fast mode too, and boxes are of the picture that was made smaller', async () => {
  const side = await draw(open(await printPage(TEXT, 150)).rotate(90), null)
  const source = { width: side.width * 2, height: side.height * 2 }
  const page = await recognizer.recognize({ image: { ...side, source }, mode: 'fast' })
  assert.ok(errorShare(page.text, TEXT.join('\n')) <= 0.03, page.text)
  assert.ok(Math.max(...page.blocks.map(({ bbox: [x, , width] }) => x + width)) > side.width)
})

test('a word alone, a PNG and colours are read', async () => {
  const word = await draw(
    open(await printPage(['Invoice 4471'], 300)).extract({ left: 200, top: 100, width: 400, height: 250 }),
    null,
  )
  assert.equal((await recognizer.recognize({ image: word, mode: 'fast' })).text, 'Invoice 4471')
  const png = await open(word).png().toBuffer()
  assert.equal((await recognizer.recognize({ image: { png }, mode: 'fast' })).text, 'Invoice 4471')
  const rgba = await open(word).toColourspace('srgb').ensureAlpha().raw().toBuffer()
  assert.equal(
    (await recognizer.recognize({ image: { ...word, data: rgba, channels: 4 }, mode: 'fast' })).text,
    'Invoice 4471',
  )
})

test('a noisy blank page is blank, a picture without text is no text', async () => {
  const blank = addNoise(
    { data: new Uint8Array(1240 * 1754).fill(240), width: 1240, height: 1754, channels: 1, dpi: 150 },
    20,
  )
  const page = await recognizer.recognize({ image: blank, mode: 'accurate' })
  assert.deepEqual([page.outcome, page.text, page.blocks, page.message], ['blank', '', [], 'The page is blank.'])
  const clouds = addNoise(
    { data: new Uint8Array(200 * 200).fill(128), width: 200, height: 200, channels: 1, dpi: null },
    120,
  )
  const picture = await recognizer.recognize({
    image: await draw(open(clouds).blur(4).normalise(), null),
    mode: 'fast',
  })
  assert.notEqual(picture.outcome, 'text')
  assert.equal(picture.text, '')
})

test('an unavailable language hint falls back to installed languages, with a warning', async () => {
  const image = await draw(
    open(await printPage(['Harvest'], 300)).extract({ left: 200, top: 100, width: 400, height: 250 }),
    null,
  )
  const page = await recognizer.recognize({ image, mode: 'fast', languages: ['tlh'] })
  assert.deepEqual([page.text, page.languages, page.warnings.length], ['Harvest', ['eng'], 1])
})

test('a page that takes too long is given up, and the next one is read by a new engine', async () => {
  const hasty = createTesseractRecognizer({ languages: ['eng'], size: 1, log, pageTimeoutMs: 1 })
  const image = await printPage(TEXT.slice(0, 2), 150)
  const page = await hasty.recognize({ image, mode: 'fast' })
  assert.deepEqual([page.outcome, page.text], ['timeout', ''])
  assert.match(page.message ?? '', /given up/)
  await hasty.close()
})

test('an abort rejects immediately with its reason', async () => {
  const image = await printPage(TEXT.slice(0, 2), 150)
  const stop = new AbortController()
  const page = recognizer.recognize({ image, mode: 'fast', signal: stop.signal })
  setImmediate(() => stop.abort(new Error('no longer wanted')))
  await assert.rejects(page, /no longer wanted/)
  const next = recognizer.recognize({ image, mode: 'fast' })
  assert.equal((await next).outcome, 'text')
})

test('a damaged PNG is refused, a picture of a few pixels is blank', async () => {
  await assert.rejects(recognizer.recognize({ image: { png: Buffer.from('\x89PNG\r\n\x1a\n') }, mode: 'fast' }), {
    code: 'image_unreadable',
  })
  const dot: Raster = { data: new Uint8Array(3), width: 3, height: 1, channels: 1, dpi: null }
  assert.equal((await recognizer.recognize({ image: dot, mode: 'fast' })).outcome, 'blank')
})

test('a language without data is named when the recogniser is made', () => {
  const options = { size: 1, log }
  assert.throws(
    () => createTesseractRecognizer({ ...options, languages: ['eng', 'tlh'] }),
    /no recognition data for tlh; installed are deu, eng/,
  )
  const data = { languages: [], scripts: null }
  assert.throws(() => createTesseractRecognizer({ ...options, languages: ['eng'], data }), /eng/)
})
