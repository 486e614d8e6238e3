/** The pixel format of a TIFF; the tags follow TIFF 6.0, sections 8 and 18 to 20. */
export type TiffFacts = {
  width: number
  height: number
  /** Samples a pixel, including extra samples. */
  samples: number
  /** Bits a sample: 8, 16 or 32. */
  bits: 8 | 16 | 32
  /** Tag 262: 0 white is zero, 1 black is zero, 2 RGB, 3 palette, 5 CMYK. */
  photometric: number
  /** Tag 338, one value for each extra sample: 0 unknown, 1 premultiplied alpha, 2 alpha. */
  extra?: readonly number[]
  /** True for IEEE numbers, 32 bits each. */
  isFloat?: boolean
  /** Tag 320: all reds, all greens, all blues, of 16 bits. */
  palette?: readonly number[]
}

type Tag = { tag: number; type: 3 | 4; values: readonly number[] }

/** An uncompressed TIFF of one page; `sample` gives each value, as large as the bits allow. */
export function buildTiff(facts: TiffFacts, sample: (x: number, y: number, channel: number) => number): Buffer {
  const { width, height, samples, bits } = facts
  const bytes = bits / 8
  const pixels = Buffer.alloc(width * height * samples * bytes)
  for (let index = 0; index < width * height * samples; index++) {
    const pixel = Math.floor(index / samples)
    const value = sample(pixel % width, Math.floor(pixel / width), index % samples)
    if (facts.isFloat === true) pixels.writeFloatLE(value, index * bytes)
    else pixels.writeUIntLE(value, index * bytes, bytes)
  }
  const head = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])
  head.writeUInt32LE(head.length + pixels.length, 4)
  const directory = buildDirectory(listTags(facts, head.length, pixels.length), head.length + pixels.length)
  return Buffer.concat([head, pixels, directory])
}

function listTags(facts: TiffFacts, pixelsAt: number, pixelBytes: number): Tag[] {
  const { width, height, samples, bits, photometric, extra = [], isFloat = false, palette = [] } = facts
  const tags: Tag[] = [
    { tag: 256, type: 4, values: [width] },
    { tag: 257, type: 4, values: [height] },
    { tag: 258, type: 3, values: new Array<number>(samples).fill(bits) },
    { tag: 259, type: 3, values: [1] },
    { tag: 262, type: 3, values: [photometric] },
    { tag: 273, type: 4, values: [pixelsAt] },
    { tag: 277, type: 3, values: [samples] },
    { tag: 278, type: 4, values: [height] },
    { tag: 279, type: 4, values: [pixelBytes] },
    { tag: 320, type: 3, values: palette },
    { tag: 338, type: 3, values: extra },
    { tag: 339, type: 3, values: new Array<number>(samples).fill(isFloat ? 3 : 1) },
  ]
  return tags.filter(({ values }) => values.length > 0)
}

/** The tags, followed by values longer than four bytes. */
function buildDirectory(tags: readonly Tag[], at: number): Buffer {
  const entries = Buffer.alloc(2 + tags.length * 12 + 4)
  entries.writeUInt16LE(tags.length, 0)
  const long: Buffer[] = []
  let end = at + entries.length
  for (const [index, { tag, type, values }] of tags.entries()) {
    const entry = 2 + index * 12
    const bytes = type === 3 ? 2 : 4
    const packed = Buffer.alloc(Math.max(4, values.length * bytes))
    for (const [place, value] of values.entries()) packed.writeUIntLE(value, place * bytes, bytes)
    entries.writeUInt16LE(tag, entry)
    entries.writeUInt16LE(type, entry + 2)
    entries.writeUInt32LE(values.length, entry + 4)
    if (packed.length === 4) packed.copy(entries, entry + 8)
    else {
      entries.writeUInt32LE(end, entry + 8)
      long.push(packed)
      end += packed.length
    }
  }
  return Buffer.concat([entries, ...long])
}
