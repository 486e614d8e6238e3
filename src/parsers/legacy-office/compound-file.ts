import type { ByteSource } from '../byte-source.ts'
import { getCodePageEncoding } from '../encoding/code-page.ts'
import { decodeBytes } from '../encoding/decode-file.ts'
import { unreadable } from '../parse-event.ts'

/**
 * Compound files (MS-CFB): a file system in a file. Streams are chains of sectors. Word, PowerPoint
 * and Excel wrote this format until 2007.
 *
 * Memory holds the sector table (FAT) and the directory only. Streams are read on request, so that
 * the pictures of a large file cost nothing.
 *
 * Damaged files are common. A truncated stream is returned as far as present, and cyclic chains
 * end.
 */
/** A stream or a storage (a folder). */
type CompoundEntry = {
  name: string
  isStream: boolean
  /**
   * Index of the parent storage; `null` for the root and for entries missing from the directory
   * tree.
   */
  parent: number | null
  start: number
  bytes: number
}

/** An opened compound file. */
export type CompoundFile = {
  readonly entries: readonly CompoundEntry[]
  /**
   * Finds a stream by name in any case: first at the top, then anywhere. With `storage` (an index),
   * searches in that storage alone. `null` when absent.
   */
  getStream(name: string, storage?: number): CompoundEntry | null
  /**
   * Reads a stream. A damaged file may yield fewer bytes than the entry claims. Throws
   * `unprocessable_document` above `maxBytes`.
   */
  read(entry: CompoundEntry, maxBytes: number): Promise<Buffer>
}

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const HEADER_BYTES = 512
const ENTRY_BYTES = 128
/** Sector numbers from here on are markers: end of chain, free, FAT. */
const FIRST_RESERVED_SECTOR = 0xfffffffa
const MAX_FAT_BYTES = 16 * 1024 * 1024
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024

type SectorLayout = { source: ByteSource; sectorBytes: number; table: Uint32Array }

/**
 * Opens a compound file. The caller closes the source. Throws `unprocessable_document` for another
 * format and for damage beyond reading.
 */
export async function openCompoundFile(source: ByteSource): Promise<CompoundFile> {
  const header = await source.read(0, HEADER_BYTES)
  if (header.length < HEADER_BYTES || !header.subarray(0, 8).equals(SIGNATURE))
    throw damagedFile('its header is missing')
  const shift = header.readUInt16LE(0x1e)
  if (shift !== 9 && shift !== 12) throw damagedFile('its header is invalid')
  const layout: SectorLayout = { source, sectorBytes: 1 << shift, table: new Uint32Array() }
  layout.table = toUint32Array(await readFat(layout, header))
  const directory = await readChain(layout, header.readUInt32LE(0x30), MAX_DIRECTORY_BYTES)
  const entries = readDirectory(directory)
  const root = entries[0]
  if (root === undefined) throw damagedFile('its directory is missing, so the file is probably truncated')
  const smallTable = toUint32Array(await readChain(layout, header.readUInt32LE(0x3c), MAX_FAT_BYTES))
  const cutoff = header.readUInt32LE(0x38)
  let small: Promise<Buffer> | null = null

  return {
    entries,
    getStream(name, storage = 0) {
      const key = name.toUpperCase()
      const found = entries.filter((entry) => entry.isStream && entry.name.toUpperCase() === key)
      if (storage !== 0) return found.find((entry) => entry.parent === storage) ?? null
      return found.find((entry) => entry.parent === 0) ?? found[0] ?? null
    },
    async read(entry, maxBytes) {
      if (entry.bytes > maxBytes)
        throw unreadable(`The Office file is too large when unpacked: its stream ${entry.name}.`)
      if (entry.bytes >= cutoff) return await readChain(layout, entry.start, entry.bytes)
      small ??= readChain(layout, root.start, root.bytes)
      return readMiniStream(await small, smallTable, entry)
    },
  }
}

function damagedFile(what: string): Error {
  return unreadable(`The Office file is damaged: ${what}.`)
}

/** The header lists the first FAT sectors; large files continue the list in DIFAT sectors. */
async function readFat(layout: SectorLayout, header: Buffer): Promise<Buffer> {
  const { source, sectorBytes } = layout
  const sectors = toNumberList(header.subarray(0x4c))
  let next = header.readUInt32LE(0x44)
  for (let count = 0; next < FIRST_RESERVED_SECTOR && count * sectorBytes < MAX_FAT_BYTES / 128; count += 1) {
    const list = toNumberList(await source.read((next + 1) * sectorBytes, sectorBytes))
    next = list.pop() ?? FIRST_RESERVED_SECTOR
    sectors.push(...list)
  }
  const used = sectors.filter((sector) => sector < FIRST_RESERVED_SECTOR).slice(0, MAX_FAT_BYTES / sectorBytes)
  return Buffer.concat(await Promise.all(used.map((sector) => source.read((sector + 1) * sectorBytes, sectorBytes))))
}

/**
 * Follows a chain and reads adjacent sectors in a single call. Stops at the end of the chain, at
 * `maxBytes`, or after as many bytes as the file has.
 */
async function readChain(
  { source, sectorBytes, table }: SectorLayout,
  start: number,
  maxBytes: number,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  let sector = start
  while (sector < FIRST_RESERVED_SECTOR && bytes < Math.min(maxBytes, source.bytes)) {
    const from = sector
    let count = 1
    while (table[sector] === sector + 1 && bytes + count * sectorBytes < maxBytes) {
      sector += 1
      count += 1
    }
    const piece = await source.read((from + 1) * sectorBytes, Math.min(count * sectorBytes, maxBytes - bytes))
    if (piece.length === 0) break
    pieces.push(piece)
    bytes += piece.length
    sector = table[sector] ?? FIRST_RESERVED_SECTOR
  }
  return Buffer.concat(pieces)
}

const MINI_SECTOR_BYTES = 64

/** Short streams consist of 64-byte sectors inside the mini stream. */
function readMiniStream(small: Buffer, table: Uint32Array, entry: CompoundEntry): Buffer {
  const pieces: Buffer[] = []
  let bytes = 0
  for (
    let sector = entry.start;
    sector < FIRST_RESERVED_SECTOR && bytes < entry.bytes;
    sector = table[sector] ?? FIRST_RESERVED_SECTOR
  ) {
    const at = sector * MINI_SECTOR_BYTES
    const piece = small.subarray(at, at + Math.min(MINI_SECTOR_BYTES, entry.bytes - bytes))
    if (piece.length === 0) break
    pieces.push(piece)
    bytes += piece.length
  }
  return Buffer.concat(pieces)
}

type TreeLinks = { left: number; right: number; child: number }

function readDirectory(directory: Buffer): CompoundEntry[] {
  const entries: CompoundEntry[] = []
  const links: TreeLinks[] = []
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const nameBytes = Math.min(directory.readUInt16LE(at + 0x40), 64)
    entries.push({
      name: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      isStream: directory[at + 0x42] === 2,
      parent: null,
      start: directory.readUInt32LE(at + 0x74),
      bytes: directory.readUInt32LE(at + 0x78),
    })
    const [left = 0, right = 0, child = 0] = toNumberList(directory.subarray(at + 0x44, at + 0x50))
    links.push({ left, right, child })
  }
  assignParents(entries, links)
  return entries
}

/**
 * The entries of a storage form a binary tree. An entry already visited is skipped: damaged trees
 * may be cyclic.
 */
function assignParents(entries: CompoundEntry[], links: readonly TreeLinks[]): void {
  const reached = new Set<number>([0])
  const waiting: [index: number, parent: number][] = [[links[0]?.child ?? FIRST_RESERVED_SECTOR, 0]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [index, parent] = next
    const entry = entries[index]
    const link = links[index]
    if (entry === undefined || link === undefined || reached.has(index)) continue
    reached.add(index)
    entry.parent = parent
    waiting.push([link.left, parent], [link.right, parent])
    if (!entry.isStream) waiting.push([link.child, index])
  }
}

function toNumberList(bytes: Buffer): number[] {
  return Array.from(toUint32Array(bytes))
}

function toUint32Array(bytes: Buffer): Uint32Array {
  const numbers = new Uint32Array(bytes.length >> 2)
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = bytes.readUInt32LE(index * 4)
  return numbers
}

/**
 * The content of a compound file: a format of `formats.ts`, an encrypted Office file, or something
 * else.
 */
type CompoundFileKind = 'doc' | 'ppt' | 'xls' | 'encrypted' | 'other'

/**
 * Stream names that identify each kind; their case does not matter (MS-CFB 2.6.4). PowerPoint 95
 * and 4 used other names.
 */
const KIND_STREAMS: readonly (readonly [name: string, kind: CompoundFileKind])[] = [
  ['EncryptedPackage', 'encrypted'],
  ['WordDocument', 'doc'],
  ['PowerPoint Document', 'ppt'],
  ['PP40', 'ppt'],
  ['PP97_DUALSTORAGE', 'ppt'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
]

/**
 * Detects the kind of Office file by the names in the directory. Throws `unprocessable_document`
 * when the file is damaged.
 */
export async function detectOfficeKind(source: ByteSource): Promise<CompoundFileKind> {
  const { entries } = await openCompoundFile(source)
  const atTop = entries.filter(({ parent }) => parent === 0 || parent === null)
  const names = new Set(atTop.map(({ name }) => name.toUpperCase()))
  return KIND_STREAMS.find(([name]) => names.has(name.toUpperCase()))?.[1] ?? 'other'
}

/** Stream of the summary properties. MS-OLEPS 2.24. */
const SUMMARY_STREAM = '\u0005SummaryInformation'
/** The stream may contain a thumbnail as well. */
const MAX_SUMMARY_BYTES = 16 * 1024 * 1024
/** Property identifiers: MS-OLEPS 2.18 and 2.25.1. */
const CODE_PAGE_PROPERTY = 1
const TITLE_PROPERTY = 2
/** Value types: MS-OLEPS 2.15. */
const SHORT_NUMBER = 0x02
const NARROW_STRING = 0x1e
const WIDE_STRING = 0x1f
/** Offset of the field with the offset of the first property set. */
const FIRST_SET_OFFSET = 44
const MAX_PROPERTIES = 1000

/** Returns the title in the summary properties, verbatim; `null` when absent or unreadable. */
export async function readTitle(container: CompoundFile): Promise<string | null> {
  const stream = container.getStream(SUMMARY_STREAM)
  if (stream === null || stream.parent !== 0 || stream.bytes > MAX_SUMMARY_BYTES) return null
  try {
    return parseTitle(await container.read(stream, MAX_SUMMARY_BYTES))
  } catch (error) {
    // Truncated or malformed properties must not fail the document.
    if (error instanceof RangeError) return null
    throw error
  }
}

function parseTitle(bytes: Buffer): string | null {
  const set = bytes.subarray(bytes.readUInt32LE(FIRST_SET_OFFSET))
  const count = Math.min(set.readUInt32LE(4), MAX_PROPERTIES)
  const values = new Map<number, Buffer>()
  for (let index = 0; index < count; index++) {
    const entry = 8 + index * 8
    values.set(set.readUInt32LE(entry), set.subarray(set.readUInt32LE(entry + 4)))
  }
  const value = values.get(TITLE_PROPERTY)
  if (value === undefined) return null
  const kind = value.readUInt16LE(0)
  const length = value.readUInt32LE(4)
  if (kind === WIDE_STRING) return cutAtNull(value.toString('utf16le', 8, 8 + length * 2))
  if (kind !== NARROW_STRING) return null
  return cutAtNull(decodeBytes(value.subarray(8, 8 + length), getEncoding(values.get(CODE_PAGE_PROPERTY))))
}

function getEncoding(value: Buffer | undefined): string {
  const codePage = value?.readUInt16LE(0) === SHORT_NUMBER ? value.readUInt16LE(4) : 0
  return getCodePageEncoding(codePage)
}

function cutAtNull(text: string): string {
  return text.replace(/\0.*$/s, '')
}
