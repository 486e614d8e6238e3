import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTiff, type TiffFacts } from '../../../test/support/build-tiff.ts'
import { openImage } from './open-image.ts'

type Pixels = Omit<TiffFacts, 'width' | 'height'>

/** 60 × 40, white, its upper left quarter black. */
async function readCorners(pixels: Pixels, paint: (isBlack: boolean, channel: number) => number): Promise<string> {
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
        await readCorners(gray, (isBlack, channel) => beside(isBlack, channel, 1)),
        'KWWW',
        `gray + ${extra}`,
      )
      const rgb = { samples: 3 + extra.length, bits, photometric: 2, extra }
      assert.equal(await readCorners(rgb, (isBlack, channel) => beside(isBlack, channel, 3)), 'KWWW', `RGB + ${extra}`)
      const cmyk = { samples: 4 + extra.length, bits, photometric: 5, extra }
      const ink = (isBlack: boolean, channel: number) => (channel > 3 || (channel === 3 && isBlack) ? max : 0)
      assert.equal(await readCorners(cmyk, ink), 'KWWW', `CMYK + ${extra}`)
    }
  })

  test(`an ink of ${bits} bits that is not used does not hide the picture`, async () => {
    const cmyk = { samples: 5, bits, photometric: 5, extra: [0] }
    assert.equal(await readCorners(cmyk, (isBlack, channel) => (channel === 3 && isBlack ? max : 0)), 'KWWW')
  })
}

test('black that is told from nothing by its opacity alone is read', async () => {
  const rgb = { samples: 4, bits: 8, photometric: 2, extra: [2] } as const
  assert.equal(await readCorners(rgb, (isBlack, channel) => (channel === 3 && isBlack ? 255 : 0)), 'KWWW')
})

test('numbers of 32 bits are read from the least to the greatest', async () => {
  for (const white of [1, 255, 40_000]) {
    const gray = { samples: 1, bits: 32, photometric: 1, isFloat: true } as const
    assert.equal(await readCorners(gray, (isBlack) => (isBlack ? 0 : white)), 'KWWW', `to ${white}`)
  }
  const rgb = { samples: 3, bits: 32, photometric: 2 } as const
  assert.equal(await readCorners(rgb, (isBlack) => (isBlack ? 0 : 2 ** 32 - 1)), 'KWWW')
  const colours = { ...rgb, isFloat: true } as const
  assert.equal(await readCorners(colours, (isBlack) => (isBlack ? 0 : 1)), 'KWWW')
})

test('the colours of a palette are read', async () => {
  const palette = Array.from({ length: 768 }, (_, index) => (index % 256 === 7 ? 0xffff : 0))
  const indexed = { samples: 1, bits: 8, photometric: 3, palette } as const
  assert.equal(await readCorners(indexed, (isBlack) => (isBlack ? 3 : 7)), 'KWWW')
})
