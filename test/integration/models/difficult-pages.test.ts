import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pino from 'pino'
import sharp, { type OverlayOptions } from 'sharp'
import { createTesseractRecognizer } from '../../../src/models/ocr/tesseract-recognizer.ts'
import type { Raster } from '../../../src/models/recognizer.ts'
import { drawPicture } from '../../support/draw-picture.ts'

const TEXT = [
  'The ferry to Osmark leaves at six, and at noon on Sundays.',
  'Tickets are sold on board; a bicycle costs 4.50 extra.',
  'Dogs travel free but have to stay on the lower deck.',
  'In storms the harbour master decides who may sail.',
]

const recognizer = createTesseractRecognizer({ languages: ['eng'], size: 1, log: pino({ level: 'silent' }) })
after(() => recognizer.close())

async function draw(lines: readonly string[], dpi: number): Promise<Raster> {
  const drawn = await drawPicture(lines, { dpi })
  const { data, info } = await drawn.raw().toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height, channels: 1, dpi: null }
}

function shade(page: Raster, toShade: (value: number, x: number, y: number) => number): Raster {
  const data = page.data.map((value, at) => toShade(value, at % page.width, Math.floor(at / page.width)))
  return { ...page, data }
}

/** The words in order, without punctuation: the engine sometimes reads a full stop as a colon. */
async function read(image: Raster): Promise<string> {
  const { text } = await recognizer.recognize({ image, mode: 'fast' })
  return withoutStops(text.replace(/\s+/g, ' '))
}

function withoutStops(text: string): string {
  return text.replace(/[.,;:](?= |$)/g, '')
}

const asWhole = withoutStops(TEXT.join(' '))

test('dark areas are read as well', async () => {
  const page = await draw(TEXT, 200)
  const shadow = shade(page, (value, x) => value * (1 - (0.65 * x) / page.width))
  assert.equal(await read(shadow), asWhole)
})

test('the small print of a screen is read', async () => {
  assert.equal(await read(await draw(TEXT, 58)), asWhole)
})

test('text on ruled paper is read', async () => {
  const page = await draw(TEXT, 150)
  const ruled = shade(page, (value, _, y) => (y % 36 < 2 ? Math.min(value, 150) : value))
  assert.equal(await read(ruled), asWhole)
})

test('a strongly skewed page is read in order', async () => {
  const { data, width, height } = await draw(TEXT, 150)
  const turned = sharp(data, { raw: { width, height, channels: 1 } }).rotate(9, { background: '#fff' })
  const { data: pixels, info } = await turned.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const image: Raster = { data: pixels, width: info.width, height: info.height, channels: 1, dpi: null }
  assert.equal(await read(image), asWhole)
})

test('a table is read row by row, including single figures in cells', async () => {
  const columns = [
    ['Item', 'Paper', 'Ink', 'Stapler'],
    ['Count', '48', '6', '3'],
    ['Price', '4.20', '19.95', '8.50'],
  ]
  const [cellWidth, lineHeight] = [260, 60]
  const cells: OverlayOptions[] = []
  for (const [column, texts] of columns.entries())
    for (const [row, text] of texts.entries()) {
      const drawn = await drawPicture([text], { dpi: 150, widthPoints: 110, heightPoints: 26, start: { x: 12, y: 8 } })
      const input = await drawn.png().toBuffer()
      cells.push({ input, left: 40 + column * cellWidth + 8, top: 40 + row * lineHeight + 3 })
    }
  const width = 80 + columns.length * cellWidth
  const height = 80 + 4 * lineHeight
  const paper = sharp({ create: { width, height, channels: 3, background: '#fff' } }).composite(cells)
  const { data } = await paper.removeAlpha().toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const isRule = (at: number, step: number, count: number) =>
    at >= 40 && at <= 42 + step * count && (at - 40) % step < 3
  const isWithin = (x: number, y: number) => x >= 40 && x < width - 37 && y >= 40 && y < height - 37
  const table = shade({ data, width, height, channels: 1, dpi: null }, (value, x, y) =>
    isWithin(x, y) && (isRule(x, cellWidth, columns.length) || isRule(y, lineHeight, 4)) ? 0 : value,
  )
  assert.equal(await read(table), 'Item Count Price Paper 48 4.20 Ink 6 19.95 Stapler 3 8.50')
})
