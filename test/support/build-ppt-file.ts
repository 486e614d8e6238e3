import { deflateSync } from 'node:zlib'
import CFB from 'cfb'

/** A record of a PowerPoint file. A list of records as body makes a container. */
export function pptRecord(type: number, body: Buffer | readonly Buffer[], instance = 0): Buffer {
  const isContainer = !Buffer.isBuffer(body)
  const bytes = isContainer ? Buffer.concat(body) : body
  const header = Buffer.alloc(8)
  header.writeUInt16LE((instance << 4) | (isContainer ? 0xf : 0), 0)
  header.writeUInt16LE(type, 2)
  header.writeUInt32LE(bytes.length, 4)
  return Buffer.concat([header, bytes])
}

/** 32-bit numbers in the byte order of the records. */
export function pptNumbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4)
  return bytes
}

/** A shape with a text of this kind; `children` adds records such as the position. */
export function textShape(kind: number, text: string, children: readonly Buffer[] = []): Buffer {
  const records = [pptRecord(0x0f9f, pptNumbers(kind)), pptRecord(0x0fa0, Buffer.from(text, 'utf16le'))]
  return pptRecord(0xf004, [...children, pptRecord(0xf00d, records)])
}

/** A slide of a made file. */
type PptSlide = {
  shapes: readonly Buffer[]
  /** Texts stored in the slide list, with their kinds. */
  outline?: readonly (readonly [kind: number, text: string])[]
  notes?: string
  isHidden?: boolean
  /** Further records of the slide. */
  records?: readonly Buffer[]
}

/** The content of a generated PowerPoint file. */
export type PptParts = {
  slides: readonly PptSlide[]
  /** A compound file, referenced by shapes as object 1. */
  embedded?: Buffer
  isEncrypted?: boolean
  /** Shapes of the master of all slides. */
  master?: readonly Buffer[]
  /** Footer of all slides. */
  footer?: string
  /** A file saved as PowerPoint 95 & 97: the presentation is in a separate storage. */
  isDual?: boolean
}

/**
 * Builds a PowerPoint 97 file for tests: the parts, the persist directory, then the user edit.
 * Slides are stored in reverse order.
 */
export function buildPptFile(content: PptParts): Buffer {
  const { slides, embedded, isEncrypted = false, master, isDual = false } = content
  const parts = new Map<number, Buffer>([[1, documentRecord(content)]])
  if (master !== undefined) parts.set(MASTER_PART, pptRecord(0x03f8, [drawing(master)]))
  for (const [index, slide] of [...slides.entries()].reverse()) {
    parts.set(10 + index, slideRecord(slide, index))
    if (slide.notes !== undefined) parts.set(500 + index, pptRecord(0x03f0, [drawing([textShape(2, slide.notes)])]))
  }
  if (embedded !== undefined) {
    parts.set(900, pptRecord(0x1011, Buffer.concat([pptNumbers(embedded.length), deflateSync(embedded)]), 1))
  }
  let stream = Buffer.alloc(0)
  const places: Buffer[] = []
  for (const [id, part] of parts) {
    places.push(pptNumbers(id | (1 << 20), stream.length))
    stream = Buffer.concat([stream, part])
  }
  const directoryAt = stream.length
  stream = Buffer.concat([stream, pptRecord(0x1772, Buffer.concat(places))])
  const editAt = stream.length
  stream = Buffer.concat([stream, pptRecord(0x0ff5, pptNumbers(0, 3, 0, directoryAt, 1, 1000, 0))])
  const user = pptRecord(0x0ff6, pptNumbers(20, isEncrypted ? 0xf3d1c4df : 0xe391c05f, editAt, 0, 0))
  const container = CFB.utils.cfb_new()
  const storage = isDual ? '/PP97_DUALSTORAGE' : ''
  CFB.utils.cfb_add(container, `${storage}/PowerPoint Document`, stream)
  CFB.utils.cfb_add(container, `${storage}/Current User`, user)
  if (isDual) CFB.utils.cfb_add(container, '/PowerPoint Document', Buffer.alloc(5000, 0xff))
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer)
}

const MASTER_PART = 800
const MASTER_ID = 0x80000000

function drawing(shapes: readonly Buffer[]): Buffer {
  return pptRecord(0x040c, [pptRecord(0xf002, [pptRecord(0xf003, shapes)])])
}

function slideRecord({ shapes, notes, isHidden, records = [] }: PptSlide, index: number): Buffer {
  const atom = pptRecord(0x03ef, pptNumbers(0, 0, 0, MASTER_ID, notes === undefined ? 0 : 700 + index, 1))
  const info = Buffer.alloc(16)
  info.writeUInt16LE(isHidden === true ? 4 : 0, 10)
  return pptRecord(0x03ee, [atom, pptRecord(0x03f9, info), drawing(shapes), ...records])
}

function documentRecord({ slides, embedded, master, footer }: PptParts): Buffer {
  const list = slides.flatMap(({ outline = [] }, index) => [
    pptRecord(0x03f3, pptNumbers(10 + index, 0, outline.length, 256 + index, 0)),
    ...outline.flatMap(([kind, text]) => [
      pptRecord(0x0f9f, pptNumbers(kind)),
      pptRecord(0x0fa8, Buffer.from(text, 'latin1')),
    ]),
  ])
  const notes = slides.flatMap((_, index) => pptRecord(0x03f3, pptNumbers(500 + index, 0, 0, 700 + index, 0)))
  const object = pptRecord(0x0fcc, [pptRecord(0x0fc3, pptNumbers(1, 0, 1, 0, 900, 0))])
  const objects = embedded === undefined ? [] : [pptRecord(0x0409, [object])]
  const masters =
    master === undefined ? [] : [pptRecord(0x0ff0, [pptRecord(0x03f3, pptNumbers(MASTER_PART, 0, 0, MASTER_ID, 0))], 1)]
  const footers = footer === undefined ? [] : [footerOfAllSlides(footer)]
  return pptRecord(0x03e8, [
    ...objects,
    ...masters,
    ...footers,
    pptRecord(0x0ff0, list, 0),
    pptRecord(0x0ff0, notes, 2),
  ])
}

function footerOfAllSlides(text: string): Buffer {
  const atom = pptRecord(0x0fda, Buffer.from([0, 0, 0x20, 0]))
  return pptRecord(0x0fd9, [atom, pptRecord(0x0fba, Buffer.from(text, 'utf16le'), 2)], 3)
}
