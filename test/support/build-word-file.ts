import CFB from 'cfb'

/** The content of a generated Word file. Paragraphs end with `\r`, cells and rows with U+0007. */
export type WordFileParts = {
  /**
   * Text of the stories by their number: 0 body, 1 footnotes, 2 headers, 4 comments, 5 endnotes.
   */
  stories: Readonly<Record<number, string>>
  /** Numbers of built-in styles, by style number. */
  styles?: readonly number[]
  /** Property changes by paragraph number, after the style number. */
  paragraphs?: Readonly<Record<number, { style: number; changes: readonly number[] }>>
  /** Ranges of body characters marked as deleted. */
  deleted?: readonly [from: number, to: number]
  /** Parts of the body stored as 8-bit characters. */
  isNarrow?: boolean
  /** Text before the items of list 1; U+0000 marks the position of the number. */
  numbering?: string
  flags?: number
}

const TEXT_AT = 0x600
const PAGE_BYTES = 512

/** Makes a Word 97 file for tests: a head, text in one piece, styles, and pages of properties. */
export function buildWordFile(parts: WordFileParts): Buffer {
  const text = Object.values(parts.stories).join('')
  const encoded = Buffer.from(text, parts.isNarrow === true ? 'latin1' : 'utf16le')
  const width = parts.isNarrow === true ? 1 : 2
  const pageAt = Math.ceil((TEXT_AT + encoded.length) / PAGE_BYTES)
  const stream = Buffer.alloc((pageAt + 2) * PAGE_BYTES)
  stream.writeUInt16LE(0xa5ec, 0)
  stream.writeUInt16LE(parts.flags ?? 0x200, 0x0a)
  for (const [story, words] of Object.entries(parts.stories))
    stream.writeUInt32LE(words.length, 0x4c + Number(story) * 4)
  encoded.copy(stream, TEXT_AT)

  const tables: Buffer[] = []
  const addRegion = (number: number, bytes: Buffer): void => {
    stream.writeUInt32LE(Buffer.concat(tables).length, 0x9a + number * 8)
    stream.writeUInt32LE(bytes.length, 0x9a + number * 8 + 4)
    tables.push(bytes)
  }
  addRegion(33, pieceTable(text.length, parts.isNarrow === true))
  addRegion(1, styleSheet(parts.styles ?? []))
  const runs = paragraphRuns(text, parts).map((run) => ({ ...run, at: TEXT_AT + run.at * width }))
  propertyPage(runs, 13, TEXT_AT + encoded.length).copy(stream, pageAt * PAGE_BYTES)
  addRegion(13, pageList(TEXT_AT, TEXT_AT + encoded.length, pageAt))
  const [from, to] = parts.deleted ?? [0, 0]
  const marks = [0, from, to].map((at, index) => ({
    at: TEXT_AT + at * width,
    properties: Buffer.from(index === 1 ? [3, 0x00, 0x08, to > from ? 1 : 0] : []),
  }))
  propertyPage(marks, 1, TEXT_AT + encoded.length).copy(stream, (pageAt + 1) * PAGE_BYTES)
  addRegion(12, pageList(TEXT_AT, TEXT_AT + encoded.length, pageAt + 1))
  if (parts.numbering !== undefined) {
    addRegion(73, listDefinition(parts.numbering))
    addRegion(74, Buffer.concat([numbers(1), numbers(7, 0, 0, 0), numbers(0)]))
  }
  return pack({ '/WordDocument': stream, '/1Table': Buffer.concat(tables) })
}

/**
 * Makes a file of Word 6 or 95 (in a compound file) or of Word 2 (bare), saved whole, with 8-bit
 * text.
 */
export function buildOldWordFile({
  magic,
  body,
  language,
  isMac = false,
}: {
  magic: number
  body: Buffer
  language: number
  isMac?: boolean
}): Buffer {
  const stream = Buffer.alloc(0x300 + Math.max(body.length, 4096))
  stream.writeUInt16LE(magic, 0)
  stream.writeUInt16LE(language, 6)
  stream.writeUInt16LE(isMac ? 256 : 0, 0x14)
  stream.writeUInt32LE(0x300, 0x18)
  stream.writeUInt32LE(0x300 + body.length, 0x1c)
  stream.writeUInt32LE(body.length, 0x34)
  body.copy(stream, 0x300)
  return magic === 0xa5db ? stream : pack({ '/WordDocument': stream })
}

function pack(streams: Readonly<Record<string, Buffer>>): Buffer {
  const container = CFB.utils.cfb_new()
  for (const [name, bytes] of Object.entries(streams)) CFB.utils.cfb_add(container, name, bytes)
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer)
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4)
  return bytes
}

function shorts(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}

function pieceTable(characters: number, isNarrow: boolean): Buffer {
  const place = isNarrow ? (TEXT_AT * 2) | 0x40000000 : TEXT_AT
  return Buffer.concat([Buffer.from([2]), numbers(16), numbers(0, characters), shorts(0), numbers(place), shorts(0)])
}

function styleSheet(builtIn: readonly number[]): Buffer {
  const styles = builtIn.map((number) => {
    const style = Buffer.concat([shorts(number, 0xfff1, 2, 0, 0), shorts(0, 0), shorts(2, 0), shorts(0)])
    return Buffer.concat([shorts(style.length), style])
  })
  return Buffer.concat([shorts(6, builtIn.length, 10, 0), ...styles])
}

type Run = { at: number; properties: Buffer }

const ENDS = '\r\f\x07'

function paragraphRuns(text: string, { paragraphs = {} }: WordFileParts): Run[] {
  const runs: Run[] = []
  let start = 0
  for (const [at, character] of [...text].entries()) {
    if (!ENDS.includes(character)) continue
    const { style, changes } = paragraphs[runs.length] ?? { style: 0, changes: [] }
    const body = Buffer.concat([shorts(style), Buffer.from(changes)])
    const padded = body.length % 2 === 0 ? body : Buffer.concat([body, Buffer.alloc(1)])
    runs.push({ at: start, properties: Buffer.concat([Buffer.from([0, padded.length / 2]), padded]) })
    start = at + 1
  }
  return runs
}

function propertyPage(runs: readonly Run[], entryBytes: number, end: number): Buffer {
  const page = Buffer.alloc(PAGE_BYTES)
  let free = PAGE_BYTES - 2
  for (const [index, { at, properties }] of runs.entries()) {
    page.writeUInt32LE(at, index * 4)
    if (properties.length === 0) continue
    free -= properties.length + (properties.length % 2)
    properties.copy(page, free)
    page[(runs.length + 1) * 4 + index * entryBytes] = free / 2
  }
  page.writeUInt32LE(end, runs.length * 4)
  page[PAGE_BYTES - 1] = runs.length
  return page
}

/** A list with one level and decimal numbers from 1. */
function listDefinition(text: string): Buffer {
  const list = Buffer.alloc(28)
  list.writeInt32LE(7, 0)
  list[26] = 1
  const level = Buffer.alloc(28)
  level.writeInt32LE(1, 0)
  return Buffer.concat([shorts(1), list, level, shorts(text.length), Buffer.from(text, 'utf16le')])
}

function pageList(start: number, end: number, page: number): Buffer {
  return numbers(start, end, page)
}
