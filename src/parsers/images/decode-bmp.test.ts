import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../errors.ts'
import { decodeBmp } from './decode-bmp.ts'

type Parts = {
  width?: number
  height?: number
  bits: number
  compression?: number
  headerSize?: number
  /** Blue, green, red of each colour. */
  palette?: readonly (readonly [number, number, number])[]
  masks?: readonly number[]
  pixels: readonly number[]
}

/** Creates a BMP file, by default of 3 × 2 pixels. */
function makeBmp({
  width = 3,
  height = 2,
  bits,
  compression = 0,
  headerSize = 40,
  palette = [],
  masks = [],
  pixels,
}: Parts): Buffer {
  const old = headerSize === 12
  const header = Buffer.alloc(headerSize)
  header.writeUInt32LE(headerSize, 0)
  if (old) {
    header.writeUInt16LE(width, 4)
    header.writeUInt16LE(height, 6)
    header.writeUInt16LE(1, 8)
    header.writeUInt16LE(bits, 10)
  } else {
    header.writeInt32LE(width, 4)
    header.writeInt32LE(height, 8)
    header.writeUInt16LE(1, 12)
    header.writeUInt16LE(bits, 14)
    if (headerSize >= 20) header.writeUInt32LE(compression, 16)
    if (headerSize >= 40) header.writeInt32LE(11_811, 24)
    if (headerSize >= 40) header.writeUInt32LE(palette.length, 32)
  }
  const after = Buffer.alloc(headerSize === 40 ? masks.length * 4 : 0)
  const maskTarget = headerSize === 40 ? after : header.subarray(40)
  for (const [index, mask] of masks.entries()) maskTarget.writeUInt32LE(mask, index * 4)
  const colours = Buffer.from(palette.flatMap((colour) => (old ? [...colour] : [...colour, 0])))
  const start = Buffer.alloc(14)
  start.write('BM', 'latin1')
  start.writeUInt32LE(14 + headerSize + after.length + colours.length, 10)
  return Buffer.concat([start, header, after, colours, Buffer.from(pixels)])
}

/**
 * The picture as letters, a string a row from the top: R, G, B, W(hite), K (black), ? for anything
 * else.
 */
function show(file: Buffer): string[] {
  const { data, width, height } = decodeBmp(file, 1000)
  const names: Record<string, string> = {
    '255,0,0': 'R',
    '0,255,0': 'G',
    '0,0,255': 'B',
    '255,255,255': 'W',
    '0,0,0': 'K',
  }
  const letters = Array.from(
    { length: width * height },
    (_, at) => names[data.subarray(at * 3, at * 3 + 3).join(',')] ?? '?',
  )
  return Array.from({ length: height }, (_, row) => letters.slice(row * width, (row + 1) * width).join(''))
}

const PALETTE = [
  [0, 0, 0],
  [0, 0, 255],
  [0, 255, 0],
  [255, 0, 0],
  [255, 255, 255],
] as const

const KINDS: readonly (readonly [string, Parts, string[]])[] = [
  [
    '1 bit',
    { bits: 1, palette: [PALETTE[4], PALETTE[0]], pixels: [0b0100_0000, 0, 0, 0, 0b1010_0000, 0, 0, 0] },
    ['KWK', 'WKW'],
  ],
  [
    '2 bits',
    { bits: 2, palette: PALETTE.slice(0, 4), pixels: [0b0001_1000, 0, 0, 0, 0b1111_0100, 0, 0, 0] },
    ['BBR', 'KRG'],
  ],
  ['4 bits', { bits: 4, palette: PALETTE, pixels: [0x12, 0x30, 0, 0, 0x43, 0x20, 0, 0] }, ['WBG', 'RGB']],
  ['8 bits', { bits: 8, palette: PALETTE, pixels: [1, 2, 3, 0, 4, 0, 1, 0] }, ['WKR', 'RGB']],
  ['8 bits, OS/2 1', { bits: 8, headerSize: 12, palette: PALETTE, pixels: [1, 2, 3, 0, 4, 0, 1, 0] }, ['WKR', 'RGB']],
  ['8 bits, OS/2 2', { bits: 8, headerSize: 64, palette: PALETTE, pixels: [1, 2, 3, 0, 4, 0, 1, 0] }, ['WKR', 'RGB']],
  [
    '8 bits, short OS/2 2',
    { bits: 8, headerSize: 16, palette: PALETTE, pixels: [1, 2, 3, 0, 4, 0, 1, 0] },
    ['WKR', 'RGB'],
  ],
  [
    '8 bits, colours missing',
    { bits: 8, palette: PALETTE.slice(0, 2), pixels: [1, 9, 1, 0, 0, 1, 0, 0] },
    ['KRK', 'RKR'],
  ],
  ['16 bits', { bits: 16, pixels: [0, 0x7c, 0xe0, 3, 0x1f, 0, 0, 0, 0xff, 0x7f, 0, 0, 0, 0x7c, 0, 0] }, ['WKR', 'RGB']],
  [
    '16 bits, 5-6-5',
    {
      bits: 16,
      compression: 3,
      masks: [0xf800, 0x7e0, 0x1f],
      pixels: [0, 0xf8, 0xe0, 7, 0x1f, 0, 0, 0, 255, 255, 0, 0, 0, 0xf8, 0, 0],
    },
    ['WKR', 'RGB'],
  ],
  [
    '24 bits',
    { bits: 24, width: 2, pixels: [0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 255, 255, 255, 0, 0] },
    ['BW', 'RG'],
  ],
  ['24 bits, last padding missing', { bits: 24, width: 1, pixels: [0, 0, 255, 0, 255, 0, 0] }, ['B', 'R']],
  ['32 bits, its fourth byte unused', { bits: 32, width: 2, height: 1, pixels: [0, 0, 255, 0, 255, 0, 0, 77] }, ['RB']],
  ['top-down', { bits: 32, width: 1, height: -2, pixels: [0, 0, 255, 0, 255, 0, 0, 0] }, ['R', 'B']],
  [
    '32 bits with masks in another order',
    { bits: 32, width: 1, height: 1, compression: 3, masks: [0xff, 0xff00, 0xff0000], pixels: [255, 0, 0, 0] },
    ['R'],
  ],
  [
    '32 bits with alpha',
    {
      bits: 32,
      width: 2,
      height: 1,
      compression: 3,
      headerSize: 124,
      masks: [0xff0000, 0xff00, 0xff, 0xff000000],
      pixels: [0, 0, 255, 255, 0, 0, 255, 0],
    },
    ['RW'],
  ],
  ['RLE8', { bits: 8, compression: 1, palette: PALETTE, pixels: [3, 1, 0, 0, 1, 2, 2, 3, 0, 1] }, ['GBB', 'RRR']],
  [
    'RLE8, pixels as they are',
    { bits: 8, compression: 1, palette: PALETTE, pixels: [0, 3, 1, 2, 3, 0, 0, 0, 3, 1, 0, 1] },
    ['RRR', 'RGB'],
  ],
  [
    'RLE8, skipping',
    { bits: 8, compression: 1, palette: PALETTE, pixels: [1, 1, 0, 2, 1, 1, 1, 2, 0, 1] },
    ['WWG', 'RWW'],
  ],
  [
    'RLE8, runs past the end of a row',
    { bits: 8, compression: 1, palette: PALETTE, pixels: [9, 1, 0, 0, 9, 2, 0, 1] },
    ['GGG', 'RRR'],
  ],
  ['RLE8, no end', { bits: 8, compression: 1, palette: PALETTE, pixels: [3, 1, 0, 0, 3, 2] }, ['GGG', 'RRR']],
  [
    'RLE8, top-down',
    { bits: 8, height: -2, compression: 1, palette: PALETTE, pixels: [3, 1, 0, 0, 3, 2, 0, 1] },
    ['RRR', 'GGG'],
  ],
  [
    'RLE4',
    { bits: 4, compression: 2, palette: PALETTE, pixels: [3, 0x12, 0, 0, 0, 3, 0x32, 0x10, 0, 1] },
    ['BGR', 'RGR'],
  ],
]

for (const [name, parts, expected] of KINDS)
  test(`a BMP of ${name} shows what was painted`, () => assert.deepEqual(show(makeBmp(parts)), expected))

test('returns the resolution in pixels per inch', () => {
  assert.equal(decodeBmp(makeBmp({ bits: 32, width: 1, height: 1, pixels: [0, 0, 0, 0] }), 10).dpi, 300)
})

test('rejects truncated, unknown and oversized files with a reason', () => {
  const refused: readonly (readonly [Parts, RegExp])[] = [
    [{ bits: 24, pixels: [0, 0, 255] }, /truncated/],
    [{ bits: 8, compression: 1, palette: PALETTE, height: 9, pixels: [3, 1, 0, 0] }, /truncated/],
    [{ bits: 24, width: 30_000, height: 30_000, pixels: [] }, /too many/],
    [{ bits: 8, compression: 1, width: 0x7fff_ffff, height: 0x7fff_ffff, pixels: [] }, /too many/],
    [{ bits: 24, width: 0, pixels: [] }, /no pixels/],
    [{ bits: 24, width: -5, pixels: [] }, /no pixels/],
    [{ bits: 5, pixels: [] }, /5 bits/],
    [{ bits: 0, compression: 4, pixels: [255, 216] }, /bits/],
    [{ bits: 24, headerSize: 64, compression: 4, pixels: [] }, /compression/],
  ]
  for (const [parts, message] of refused)
    assert.throws(
      () => decodeBmp(makeBmp(parts), 1000),
      (error) => error instanceof ApiError && error.code === 'image_unreadable' && message.test(error.message),
    )
})

test('returns an image or an error for any bytes', () => {
  const files = KINDS.map(([, parts]) => makeBmp(parts))
  const mutation = fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.constantFrom(...files), mutation, fc.nat(400), (file, changes, cut) => {
      const damaged = Buffer.from(file.subarray(0, cut))
      for (const [at, value] of changes) if (at < damaged.length) damaged[at] = value
      try {
        const { data, width, height } = decodeBmp(damaged, 100_000)
        assert.equal(data.length, width * height * 3)
      } catch (error) {
        assert.ok(error instanceof ApiError, String(error))
      }
    }),
    { numRuns: 2000 },
  )
})
