import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { buildTiff, type TiffFacts } from '../../../test/support/build-tiff.ts'
import { ApiError } from '../../errors.ts'
import { IMAGE_LIMITS, openImage } from './open-image.ts'

/** 60 × 40 pixels, white, with a black upper left quarter. */
function paint(): Sharp {
  const black = { create: { width: 30, height: 20, channels: 3, background: '#000' } } as const
  const white = { create: { width: 60, height: 40, channels: 3, background: '#fff' } } as const
  return sharp(white).composite([{ input: black, left: 0, top: 0 }])
}

async function readCorners(image: Buffer, page = 1): Promise<string> {
  const { data, width, height } = await (await openImage(image)).readPage(page)
  const at = (x: number, y: number) => ((data[y * width + x] ?? 0) < 128 ? 'K' : 'W')
  return [at(3, 3), at(width - 4, 3), at(3, height - 4), at(width - 4, height - 4)].join('')
}

const isUnreadable = (message: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === 'image_unreadable' && message.test(error.message)

const ENCODED: readonly (readonly [string, (pixels: Sharp) => Sharp])[] = [
  ['png', (pixels) => pixels.png()],
  ['jpeg', (pixels) => pixels.jpeg()],
  ['webp', (pixels) => pixels.webp()],
  ['gif', (pixels) => pixels.gif()],
  ['tiff', (pixels) => pixels.tiff()],
]

for (const [format, encode] of ENCODED)
  test(`a ${format} picture is read in gray`, async () => {
    const bytes = await encode(paint()).toBuffer()
    const image = await openImage(bytes)
    assert.deepEqual(
      [image.format, image.pages, image.isAnimation, image.width, image.height],
      [format, 1, false, 60, 40],
    )
    const page = await image.readPage(1)
    assert.equal(page.data.length, 60 * 40)
    assert.equal(await readCorners(bytes), 'KWWW')
  })

for (const [format, encode] of ENCODED)
  test(`a ${format} picture that is cut off is refused`, async () => {
    const bytes = await encode(
      sharp({
        create: { width: 200, height: 200, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
      } as never),
    ).toBuffer()
    const read = async () => await (await openImage(bytes.subarray(0, bytes.length * 0.6))).readPage(1)
    await assert.rejects(read, isUnreadable(/truncated or damaged/))
  })

test('applies the EXIF orientation', async () => {
  const bytes = await paint().jpeg().withMetadata({ orientation: 6 }).toBuffer()
  const image = await openImage(bytes)
  assert.deepEqual([image.width, image.height], [40, 60])
  assert.equal(await readCorners(bytes), 'WKWW')
})

test('draws transparency on white, or on black if the content is white', async () => {
  const dot = (background: string) => ({
    input: { create: { width: 30, height: 20, channels: 3, background } } as const,
    left: 0,
    top: 0,
  })
  const nothing = { create: { width: 60, height: 40, channels: 4, background: '#0000' } } as const
  assert.equal(
    await readCorners(
      await sharp(nothing)
        .composite([dot('#000')])
        .png()
        .toBuffer(),
    ),
    'KWWW',
  )
  assert.equal(
    await readCorners(
      await sharp(nothing)
        .composite([dot('#fff')])
        .webp({ lossless: true })
        .toBuffer(),
    ),
    'WKKK',
  )
})

test('converts 16 bits per channel to 8', async () => {
  assert.equal(await readCorners(await paint().toColourspace('rgb16').png().toBuffer()), 'KWWW')
  assert.equal(await readCorners(await paint().toColourspace('grey16').png().toBuffer()), 'KWWW')
})

test('reads TIFF pages and animation frames separately', async () => {
  const frames = Buffer.concat([Buffer.alloc(50 * 50, 0), Buffer.alloc(50 * 50, 255), Buffer.alloc(50 * 50, 0)])
  const raw = { width: 50, height: 150, channels: 1, pageHeight: 50 } as const
  const film = () => sharp(frames, { raw })
  for (const [bytes, isAnimation] of [
    [await film().tiff().toBuffer(), false],
    [await film().gif().toBuffer(), true],
    [await film().webp().toBuffer(), true],
  ] as const) {
    const image = await openImage(bytes)
    assert.deepEqual([image.pages, image.isAnimation, image.height], [3, isAnimation, 50])
    assert.equal(await readCorners(bytes, 1), 'KKKK')
    assert.equal(await readCorners(bytes, 2), 'WWWW')
    await assert.rejects(image.readPage(4), isUnreadable(/damaged/))
  }
})

test('trusts the resolution of a scanner, but not of a camera', async () => {
  const readDpi = async (density: number) => {
    const image = await openImage(await paint().withMetadata({ density }).png().toBuffer())
    return (await image.readPage(1)).dpi
  }
  assert.equal(await readDpi(300), 300)
  assert.equal(await readDpi(72), null)
})

test('rejects oversized pages before decoding and scales large pages', async () => {
  const bytes = await paint().png().withMetadata({ density: 300 }).toBuffer()
  await assert.rejects(openImage(bytes, { ...IMAGE_LIMITS, maxPixels: 2000 }), isUnreadable(/too many pixels/))
  const page = await (await openImage(bytes, { ...IMAGE_LIMITS, maxDecodedPixels: 600 })).readPage(1)
  assert.deepEqual([page.width, page.height, page.dpi, page.source], [30, 20, 150, { width: 60, height: 40 }])
})

test('rejects other files, and images that could load others', async () => {
  for (const text of [
    '',
    'just words',
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
  ])
    await assert.rejects(openImage(Buffer.from(text)), isUnreadable(/empty|not a PNG/))
})

type Pixels = Omit<TiffFacts, 'width' | 'height'>

/** 60 × 40 pixels, white, with a black upper left quarter. */
async function readTiffCorners(pixels: Pixels, paint: (isBlack: boolean, channel: number) => number): Promise<string> {
  const size = { width: 60, height: 40 }
  const tiff = buildTiff({ ...size, ...pixels }, (x, y, channel) => paint(x < 30 && y < 20, channel))
  const { data, width, height } = await (await openImage(tiff)).readPage(1)
  assert.deepEqual({ width, height, length: data.length }, { ...size, length: 60 * 40 })
  const at = (x: number, y: number) => {
    const value = data[y * width + x] ?? 128
    return value < 20 ? 'K' : value > 235 ? 'W' : '?'
  }
  return [at(3, 3), at(width - 4, 3), at(3, height - 4), at(width - 4, height - 4)].join('')
}

for (const bits of [8, 16] as const) {
  const max = 2 ** bits - 1

  test(`colours of ${bits} bits are read with any channels beside them`, async () => {
    for (const extra of [[], [2], [0, 0], [2, 0], [0, 2], [0, 0, 0]]) {
      const beside = (isBlack: boolean, channel: number, colours: number) => (channel >= colours || !isBlack ? max : 0)
      const gray = { samples: 1 + extra.length, bits, photometric: 1, extra }
      assert.equal(
        await readTiffCorners(gray, (isBlack, channel) => beside(isBlack, channel, 1)),
        'KWWW',
        `gray + ${extra}`,
      )
      const rgb = { samples: 3 + extra.length, bits, photometric: 2, extra }
      assert.equal(
        await readTiffCorners(rgb, (isBlack, channel) => beside(isBlack, channel, 3)),
        'KWWW',
        `RGB + ${extra}`,
      )
      const cmyk = { samples: 4 + extra.length, bits, photometric: 5, extra }
      const ink = (isBlack: boolean, channel: number) => (channel > 3 || (channel === 3 && isBlack) ? max : 0)
      assert.equal(await readTiffCorners(cmyk, ink), 'KWWW', `CMYK + ${extra}`)
    }
  })

  test(`an ink of ${bits} bits that is not used does not hide the picture`, async () => {
    const cmyk = { samples: 5, bits, photometric: 5, extra: [0] }
    assert.equal(await readTiffCorners(cmyk, (isBlack, channel) => (channel === 3 && isBlack ? max : 0)), 'KWWW')
  })
}

test('reads content visible through opacity alone', async () => {
  const rgb = { samples: 4, bits: 8, photometric: 2, extra: [2] } as const
  assert.equal(await readTiffCorners(rgb, (isBlack, channel) => (channel === 3 && isBlack ? 255 : 0)), 'KWWW')
})

test('scales 32-bit numbers to their range', async () => {
  for (const white of [1, 255, 40_000]) {
    const gray = { samples: 1, bits: 32, photometric: 1, isFloat: true } as const
    assert.equal(await readTiffCorners(gray, (isBlack) => (isBlack ? 0 : white)), 'KWWW', `to ${white}`)
  }
  const rgb = { samples: 3, bits: 32, photometric: 2 } as const
  assert.equal(await readTiffCorners(rgb, (isBlack) => (isBlack ? 0 : 2 ** 32 - 1)), 'KWWW')
  const colours = { ...rgb, isFloat: true } as const
  assert.equal(await readTiffCorners(colours, (isBlack) => (isBlack ? 0 : 1)), 'KWWW')
})

test('applies the palette', async () => {
  const palette = Array.from({ length: 768 }, (_, index) => (index % 256 === 7 ? 0xffff : 0))
  const indexed = { samples: 1, bits: 8, photometric: 3, palette } as const
  assert.equal(await readTiffCorners(indexed, (isBlack) => (isBlack ? 3 : 7)), 'KWWW')
})
