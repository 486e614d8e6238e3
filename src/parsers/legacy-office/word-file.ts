import { detectLegacyEncoding } from '../encoding/legacy-encoding.ts'
import { unreadable } from '../parse-event.ts'
import type { CompoundFile } from './compound-file.ts'
import { type FormattedRun, listFormattedRuns, MODIFIERS, readModifiers } from './property-modifiers.ts'
import { REGIONS, readWordHeader, type WordHeader } from './word-header.ts'

/** An opened Word file with its parsed tables. */
export type WordFile = {
  header: WordHeader
  /** The stream with the text. */
  text: Buffer
  tables: Buffer
  pieces: readonly Piece[]
  codePage: string
  styles: readonly (Style | null)[]
  paragraphs: readonly FormattedRun[]
  /** Runs deleted under change tracking. */
  deleted: readonly FormattedRun[]
}

/** Text and tables of a 100 MB Word file are far smaller; pictures use other streams. */
const MAX_STREAM_BYTES = 100 * 1024 * 1024

/**
 * Opens the Word file in a compound file, or in a storage of the file. Throws
 * `unprocessable_document` when unreadable.
 */
export async function openWordFile(container: CompoundFile, storage?: number): Promise<WordFile> {
  const stream = container.getStream('WordDocument', storage)
  if (stream === null) throw unreadable('The Office file contains no Word document.')
  const text = await container.read(stream, MAX_STREAM_BYTES)
  const header = readWordHeader(text)
  if (header.tableStream === null) return readWordFile(header, text, text)
  const other = header.tableStream === '0Table' ? '1Table' : '0Table'
  const table = container.getStream(header.tableStream, storage) ?? container.getStream(other, storage)
  if (table === null) throw unreadable('The Word file is damaged: its tables are missing.')
  return readWordFile(header, text, await container.read(table, MAX_STREAM_BYTES))
}

/** Reads a file of Word 2, a bare stream without a compound file. */
export function readWord2File(stream: Buffer): WordFile {
  return readWordFile(readWordHeader(stream), stream, stream)
}

/**
 * Parses the tables. Throws `unprocessable_document` when the text cannot be found. Damage
 * elsewhere loses structure only.
 */
function readWordFile(header: WordHeader, text: Buffer, tables: Buffer): WordFile {
  const { version } = header
  const pieces = readPieceTable(header, text, tables)
  if (pieces.length === 0) throw unreadable('The Word file has no text.')
  const first = pieces.find((piece) => piece.characterBytes === 1)
  const sample = text.subarray(first?.offset ?? 0, (first?.offset ?? 0) + (first?.characters ?? 0))
  return {
    header,
    text,
    tables,
    pieces,
    // Since Word 97, 8-bit text is windows-1252; all other text is UTF-16.
    codePage: version === 97 ? 'windows-1252' : chooseCodePage(header, sample),
    styles: readStyleSheet(header, tables),
    paragraphs:
      version === 2
        ? []
        : listFormattedRuns({ text, tables }, header.getRegion(REGIONS.paragraphs), `paragraphs-${version}`),
    deleted: version === 97 ? listDeleted(header, text, tables) : [],
  }
}

function listDeleted(header: WordHeader, text: Buffer, tables: Buffer): FormattedRun[] {
  return listFormattedRuns({ text, tables }, header.getRegion(REGIONS.characters), 'characters-97').filter(
    ({ properties }) => {
      let isDeleted = false
      readModifiers(properties, 97, (code, operand) => {
        if (code === MODIFIERS.deleted) isDeleted = operand === 1
      })
      return isDeleted
    },
  )
}

/** The properties of a paragraph style. */
type Style = {
  /** Heading level from 1; `null` for other text. */
  headingLevel: number | null
  list: number | null
  listLevel: number | null
}

type RawStyle = { kind: number; basedOn: number; own: Style }

/** Numbers of built-in styles, equal in all languages. MS-DOC 2.9.260. */
const LAST_HEADING_STYLE = 9
const TITLE_STYLE = 62
const NO_BASE_STYLE = 0xfff
const MAX_STYLES = 4096

/**
 * Reads the paragraph styles by number, with inherited properties. Empty when the style sheet is
 * damaged.
 */
function readStyleSheet(header: WordHeader, tables: Buffer): readonly (Style | null)[] {
  const { offset, bytes } = header.getRegion(REGIONS.styles)
  const sheet = tables.subarray(offset, offset + bytes)
  if (header.version === 2 || sheet.length < 6) return []
  const count = Math.min(sheet.readUInt16LE(2), MAX_STYLES)
  const fixedBytes = sheet.readUInt16LE(4)
  const styles: (RawStyle | null)[] = []
  let next = 2 + sheet.readUInt16LE(0)
  while (styles.length < count && next + 2 <= sheet.length) {
    const length = sheet.readUInt16LE(next)
    const style = sheet.subarray(next + 2, next + 2 + length)
    styles.push(style.length < Math.max(6, fixedBytes) ? null : readStyle(style, fixedBytes, header.version === 97))
    // Word 97 aligns every style to an even offset.
    next += 2 + length + (header.version === 97 ? length % 2 : 0)
  }
  return styles.map((style) => (style === null || style.kind !== PARAGRAPH_STYLE ? null : resolveStyle(style, styles)))
}

const PARAGRAPH_STYLE = 1

function readStyle(style: Buffer, fixedBytes: number, isNew: boolean): RawStyle {
  const builtIn = style.readUInt16LE(0) & 0xfff
  const base = style.readUInt16LE(2)
  const own: Style = { headingLevel: null, list: null, listLevel: null }
  if (isNew && (base & 0xf) === PARAGRAPH_STYLE) readOwnProperties(style, fixedBytes, own)
  if (builtIn >= 1 && builtIn <= LAST_HEADING_STYLE) own.headingLevel = builtIn
  else if (builtIn === TITLE_STYLE) own.headingLevel = 1
  return { kind: base & 0xf, basedOn: base >> 4, own }
}

/** The style name (length, characters, zero) precedes the properties. */
function readOwnProperties(style: Buffer, fixedBytes: number, own: Style): void {
  if (fixedBytes + 2 > style.length) return
  let at = fixedBytes + 2 + style.readUInt16LE(fixedBytes) * 2 + 2
  at += at % 2
  if (at + 2 > style.length) return
  const length = style.readUInt16LE(at)
  readModifiers(style.subarray(at + 4, at + 2 + length), 97, (code, operand) => {
    if (code === MODIFIERS.list) own.list = operand
    else if (code === MODIFIERS.listLevel) own.listLevel = operand
    else if (code === MODIFIERS.outlineLevel && operand < LAST_HEADING_STYLE) own.headingLevel = operand + 1
  })
}

const MAX_ANCESTORS = 20

function resolveStyle(style: RawStyle, styles: readonly (RawStyle | null)[]): Style {
  const resolved = { ...style.own }
  let base = styles[style.basedOn]
  for (let steps = 0; steps < MAX_ANCESTORS && base !== null && base !== undefined; steps += 1) {
    resolved.headingLevel ??= base.own.headingLevel
    resolved.list ??= base.own.list
    resolved.listLevel ??= base.own.listLevel
    base = base.basedOn === NO_BASE_STYLE ? null : styles[base.basedOn]
  }
  return resolved
}

/** A run of characters stored contiguously in the file. */
export type Piece = {
  /** Position in the text, in characters. */
  start: number
  characters: number
  /** Offset in the file. */
  offset: number
  characterBytes: 1 | 2
}

const PIECE_BYTES = 8

/**
 * Reads the pieces of the text in order (MS-DOC 2.4.1 and 2.8.35). An old file saved in full has a
 * single piece. Throws `unprocessable_document` for a malformed table.
 */
function readPieceTable(header: WordHeader, text: Buffer, tables: Buffer): Piece[] {
  const total = Object.values(header.stories).reduce((sum, characters) => sum + characters, 0)
  const region = header.getRegion(REGIONS.pieces)
  const table = header.version === 97 || header.isComplex ? findPieceTable(tables, region.offset, region.bytes) : null
  if (table === null && header.version === 97 && region.bytes > 0)
    throw unreadable('The Word file is damaged: its piece table cannot be read.')
  const pieces = table === null ? [singlePiece(header, text, total)] : listPieces(table, header)
  return clipPieces(pieces, text.length)
}

/** The piece table follows the property modifiers, each preceded by its length. */
function findPieceTable(tables: Buffer, start: number, bytes: number): Buffer | null {
  const end = Math.min(start + bytes, tables.length)
  let at = start
  while (at + 5 <= end) {
    const kind = tables[at]
    if (kind === 2) return tables.subarray(at + 5, Math.min(at + 5 + tables.readUInt32LE(at + 1), end))
    if (kind !== 1) return null
    at += 3 + tables.readUInt16LE(at + 1)
  }
  return null
}

function listPieces(table: Buffer, header: WordHeader): Piece[] {
  const count = Math.floor((table.length - 4) / (4 + PIECE_BYTES))
  const pieces: Piece[] = []
  for (let index = 0; index < count; index += 1) {
    const start = table.readUInt32LE(index * 4)
    const place = table.readUInt32LE((count + 1) * 4 + index * PIECE_BYTES + 2)
    const characters = table.readUInt32LE((index + 1) * 4) - start
    if (characters <= 0) continue
    pieces.push({ start, characters, ...decodeOffset(place, header) })
  }
  return pieces
}

/** Since Word 97 a flag marks pieces with a single byte per character. */
function decodeOffset(place: number, header: WordHeader): Pick<Piece, 'offset' | 'characterBytes'> {
  if (header.version !== 97) return { offset: place, characterBytes: header.isWide ? 2 : 1 }
  const isNarrow = (place & 0x40000000) !== 0
  const at = place & 0x3fffffff
  return isNarrow ? { offset: at >> 1, characterBytes: 1 } : { offset: at, characterBytes: 2 }
}

function singlePiece({ textStart, textEnd, version, isWide }: WordHeader, text: Buffer, total: number): Piece {
  const bytes = Math.min(Math.max(textEnd, textStart), text.length) - textStart
  // Without a piece table, text that fills twice its length is UTF-16.
  const characterBytes = (version === 97 || isWide) && bytes >= total * 2 && total > 0 ? 2 : 1
  return { start: 0, characters: Math.max(0, Math.floor(bytes / characterBytes)), offset: textStart, characterBytes }
}

/**
 * Clips pieces to the file. Pieces that share bytes many times would expand a small file; such a
 * table is refused.
 */
function clipPieces(pieces: readonly Piece[], bytes: number): Piece[] {
  let total = 0
  const clipped = pieces.map((piece) => {
    const room = Math.max(0, Math.floor((bytes - piece.offset) / piece.characterBytes))
    const characters = Math.min(piece.characters, room)
    total += characters
    return { ...piece, characters }
  })
  if (total > bytes) throw unreadable('The Word file is damaged: its piece table is invalid.')
  return clipped.filter(({ characters }) => characters > 0)
}

/**
 * Code pages by primary language (low ten bits of the Windows language id, MS-LCID). All other
 * languages use windows-1252.
 */
const CODE_PAGES: ReadonlyMap<number, string> = new Map([
  [0x01, 'windows-1256'],
  [0x02, 'windows-1251'],
  [0x04, 'gbk'],
  [0x05, 'windows-1250'],
  [0x08, 'windows-1253'],
  [0x0d, 'windows-1255'],
  [0x0e, 'windows-1250'],
  [0x11, 'shift_jis'],
  [0x12, 'cp949'],
  [0x15, 'windows-1250'],
  [0x18, 'windows-1250'],
  [0x19, 'windows-1251'],
  [0x1a, 'windows-1250'],
  [0x1b, 'windows-1250'],
  [0x1c, 'windows-1250'],
  [0x1e, 'windows-874'],
  [0x1f, 'windows-1254'],
  [0x20, 'windows-1256'],
  [0x22, 'windows-1251'],
  [0x23, 'windows-1251'],
  [0x24, 'windows-1250'],
  [0x25, 'windows-1257'],
  [0x26, 'windows-1257'],
  [0x27, 'windows-1257'],
  [0x29, 'windows-1256'],
  [0x2a, 'windows-1258'],
  [0x2f, 'windows-1251'],
])

/** Character sets of the Mac by the code page of the same script. East Asian ones are equal. */
const MAC_CODE_PAGES: ReadonlyMap<string, string> = new Map([
  ['windows-1250', 'maccenteuro'],
  ['windows-1251', 'x-mac-cyrillic'],
  ['windows-1253', 'macgreek'],
  ['windows-1254', 'macturkish'],
  ['windows-1257', 'maccenteuro'],
])

/** Language ids of Chinese written in Big5. */
const BIG5_LANGUAGES: ReadonlySet<number> = new Set([0x0404, 0x0c04, 0x1404])
/** Serbian in Cyrillic. */
const CYRILLIC_SERBIAN = 0x0c1a
/** Western texts have about 5 % of such bytes. */
const MAX_WESTERN_SHARE = 0.25
const SAMPLE_BYTES = 64 * 1024

/**
 * Chooses the code page by the file's language. A file marked as Western may contain other text, so
 * its bytes are checked.
 */
function chooseCodePage({ language, isMac }: WordHeader, text: Buffer): string {
  if (BIG5_LANGUAGES.has(language)) return 'big5'
  if (language === CYRILLIC_SERBIAN) return 'windows-1251'
  const known = CODE_PAGES.get(language & 0x3ff)
  if (isMac) return MAC_CODE_PAGES.get(known ?? '') ?? known ?? 'macintosh'
  if (known !== undefined) return known
  const sample = text.subarray(0, SAMPLE_BYTES)
  const high = sample.reduce((count, byte) => count + (byte >= 0xc0 ? 1 : 0), 0)
  return high > sample.length * MAX_WESTERN_SHARE ? detectLegacyEncoding(sample) : 'windows-1252'
}
