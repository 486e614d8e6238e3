/**
 * A part of a table: rows written together, and the known bytes of their files. `path` is that of
 * the first data file; no other fragment ever has it.
 */
export type Fragment = { id: number; path: string; rows: number; deletedRows: number; bytes: number }

/**
 * A part of an index. `fragmentIds` also has fragments that no longer exist. The files are in
 * `folder`.
 */
export type IndexPart = { name: string; fragmentIds: ReadonlySet<number>; folder: string; bytes: number }

/** The content of one version of a table. */
export type Manifest = {
  version: number
  writtenAt: Date
  fragments: Fragment[]
  indexes: IndexPart[]
  /** Size of each file by its path in the table's directory; `null` if unknown. */
  files: ReadonlyMap<string, number | null>
}

/**
 * The footer: offset of the message (8 bytes), two format numbers (2 bytes each), and the magic.
 */
const FOOT_BYTES = 16
const MAGIC = 'LANC'
/** Field numbers of lance's protos/table.proto. */
const MANIFEST_FIELDS = { fragments: 2, version: 3, indexSection: 6, timestamp: 7 } as const
const TIMESTAMP_FIELDS = { seconds: 1, nanoseconds: 2 } as const
const FRAGMENT_FIELDS = { id: 1, dataFile: 2, deletionFile: 3, physicalRows: 4 } as const
const DATA_FILE_FIELDS = { path: 1, bytes: 6 } as const
const DELETION_FILE_FIELDS = { type: 1, readVersion: 2, id: 3, deletedRows: 4 } as const
const DELETION_FILE_TYPES = ['arrow', 'bin'] as const
const INDEX_OF_SECTION = 1
const INDEX_FIELDS = { uuid: 1, name: 3, fragmentBitmap: 5, file: 10 } as const
const BYTES_OF_UUID = 1
const INDEX_FILE_FIELDS = { path: 1, bytes: 2 } as const

/** True for a completely written manifest. */
export function isComplete(file: Buffer): boolean {
  return file.subarray(-MAGIC.length).toString('latin1') === MAGIC
}

/**
 * Reads facts that Lance has no API for: deleted rows still present in fragments, and the files of
 * a version. Throws RangeError or TypeError for an unexpected format.
 */
export function readManifest(file: Buffer): Manifest {
  if (!isComplete(file)) throw new TypeError('not a manifest')
  const fields = [...readProtobufFields(readMessage(file, file.readBigUInt64LE(file.length - FOOT_BYTES)))]
  const indexSection = valuesOf(fields, MANIFEST_FIELDS.indexSection).map(numberOf).at(0)
  const indexFields = indexSection === undefined ? [] : readProtobufFields(readMessage(file, BigInt(indexSection)))
  const fragments = valuesOf(fields, MANIFEST_FIELDS.fragments).map((value) => fieldsOf(value))
  const indexes = valuesOf([...indexFields], INDEX_OF_SECTION).map((value) => fieldsOf(value))
  return {
    version: lastNumber(fields, MANIFEST_FIELDS.version),
    writtenAt: readTime(firstMessage(fields, MANIFEST_FIELDS.timestamp)),
    fragments: fragments.map(readFragment),
    indexes: indexes.map(readIndex),
    files: new Map([...fragments.flatMap(listFragmentFiles), ...indexes.flatMap(listIndexFiles)]),
  }
}

/** A message after its length prefix. */
function readMessage(file: Buffer, position: bigint): Buffer {
  const at = Number(position)
  return file.subarray(at + 4, at + 4 + file.readUInt32LE(at))
}

function readTime(fields: readonly ProtobufField[]): Date {
  const nanoseconds = lastNumber(fields, TIMESTAMP_FIELDS.nanoseconds)
  return new Date(lastNumber(fields, TIMESTAMP_FIELDS.seconds) * 1000 + Math.floor(nanoseconds / 1_000_000))
}

function readFragment(fields: readonly ProtobufField[]): Fragment {
  return {
    id: lastNumber(fields, FRAGMENT_FIELDS.id),
    path: listFragmentFiles(fields)[0]?.[0] ?? '',
    rows: lastNumber(fields, FRAGMENT_FIELDS.physicalRows),
    deletedRows: lastNumber(firstMessage(fields, FRAGMENT_FIELDS.deletionFile), DELETION_FILE_FIELDS.deletedRows),
    bytes: sumBytes(listFragmentFiles(fields)),
  }
}

function listFragmentFiles(fields: readonly ProtobufField[]): FileBytes[] {
  const data = valuesOf(fields, FRAGMENT_FIELDS.dataFile).map(fieldsOf)
  const deletion = valuesOf(fields, FRAGMENT_FIELDS.deletionFile).map(fieldsOf)
  const id = lastNumber(fields, FRAGMENT_FIELDS.id)
  return [
    ...data.map(
      (file): FileBytes => [`data/${textOf(file, DATA_FILE_FIELDS.path)}`, readFileSize(file, DATA_FILE_FIELDS.bytes)],
    ),
    ...deletion.map((file): FileBytes => {
      const [readVersion, fileId] = [DELETION_FILE_FIELDS.readVersion, DELETION_FILE_FIELDS.id].map(
        (n) => valuesOf(file, n).at(-1) ?? 0n,
      )
      const type = DELETION_FILE_TYPES[lastNumber(file, DELETION_FILE_FIELDS.type)]
      return [`_deletions/${id}-${String(readVersion)}-${String(fileId)}.${type}`, null]
    }),
  ]
}

function readIndex(fields: readonly ProtobufField[]): IndexPart {
  const bitmap = valuesOf(fields, INDEX_FIELDS.fragmentBitmap).at(0)
  return {
    name: textOf(fields, INDEX_FIELDS.name),
    fragmentIds: bitmap === undefined ? new Set() : readBitmap(bytesOf(bitmap)),
    folder: indexFolder(fields),
    bytes: sumBytes(listIndexFiles(fields)),
  }
}

function listIndexFiles(fields: readonly ProtobufField[]): FileBytes[] {
  const folder = indexFolder(fields)
  return valuesOf(fields, INDEX_FIELDS.file)
    .map(fieldsOf)
    .map((file) => [`${folder}/${textOf(file, INDEX_FILE_FIELDS.path)}`, readFileSize(file, INDEX_FILE_FIELDS.bytes)])
}

/** Directory of an index, named after its UUID. Throws TypeError if there is no UUID. */
function indexFolder(fields: readonly ProtobufField[]): string {
  const [uuid = 0n] = valuesOf(firstMessage(fields, INDEX_FIELDS.uuid), BYTES_OF_UUID)
  const digits = bytesOf(uuid).toString('hex')
  return `_indices/${digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`
}

function sumBytes(files: readonly FileBytes[]): number {
  return files.reduce((sum, [, bytes]) => sum + (bytes ?? 0), 0)
}

/** Path of a file in the table's directory, and its size; `null` if unknown. */
type FileBytes = [path: string, bytes: number | null]

function readFileSize(fields: readonly ProtobufField[], number: number): number | null {
  return lastNumber(fields, number) || null
}

function fieldsOf(value: ProtobufField['value']): ProtobufField[] {
  return [...readProtobufFields(bytesOf(value))]
}

/** Fields of the first message with this number; empty if absent. */
function firstMessage(fields: readonly ProtobufField[], number: number): ProtobufField[] {
  return valuesOf(fields, number).slice(0, 1).flatMap(fieldsOf)
}

/** Empty if the field is absent. */
function textOf(fields: readonly ProtobufField[], number: number): string {
  return valuesOf(fields, number)
    .slice(0, 1)
    .map((value) => bytesOf(value).toString())
    .join('')
}

function valuesOf(fields: readonly ProtobufField[], number: number): ProtobufField['value'][] {
  return fields.filter((field) => field.number === number).map(({ value }) => value)
}

/** Zero if the field is absent: protobuf does not write zeros. */
function lastNumber(fields: readonly ProtobufField[], number: number): number {
  return valuesOf(fields, number).map(numberOf).at(-1) ?? 0
}

function numberOf(value: ProtobufField['value']): number {
  if (typeof value !== 'bigint') throw new TypeError('a number was expected')
  return Number(value)
}

function bytesOf(value: ProtobufField['value']): Buffer {
  if (typeof value === 'bigint') throw new TypeError('bytes were expected')
  return value
}

/** A protobuf field: a number, or the bytes of a string, message or packed numbers. */
type ProtobufField = { number: number; value: bigint | Buffer }

const VARINT = 0
const FIXED_64 = 1
const BYTES = 2
const FIXED_32 = 5

/**
 * Fields of a message in order. Throws RangeError for malformed bytes.
 * https://protobuf.dev/programming-guides/encoding/
 */
export function* readProtobufFields(message: Buffer): Generator<ProtobufField> {
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at)
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number) => {
    if (at + length > message.length) throw new RangeError('a message that ends too early')
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = Number(varint())
    const number = tag >> 3
    const type = tag & 7
    if (type === VARINT) yield { number, value: varint() }
    else if (type === BYTES) yield { number, value: take(Number(varint())) }
    else if (type === FIXED_64) yield { number, value: take(8) }
    else if (type === FIXED_32) yield { number, value: take(4) }
    else throw new RangeError(`a field of the unknown type ${type}`)
  }
}

const WITH_RUNS = 12_347
const WITHOUT_RUNS = 12_346
/** Containers with more values are bitmaps of 65,536 bits. */
const MAX_LISTED_VALUES = 4096
const BITMAP_BYTES = 8192
/** With runs, offsets are written from this number of containers on. */
const MIN_CONTAINERS_WITH_OFFSETS = 4

/**
 * Values of a serialised Roaring bitmap. Throws RangeError for malformed bytes.
 * https://github.com/RoaringBitmap/RoaringFormatSpec
 */
export function readBitmap(bytes: Buffer): Set<number> {
  const values = new Set<number>()
  const cookie = bytes.readUInt32LE(0)
  const hasRuns = (cookie & 0xffff) === WITH_RUNS
  if (!hasRuns && cookie !== WITHOUT_RUNS) throw new RangeError('not a Roaring bitmap')
  const count = hasRuns ? (cookie >>> 16) + 1 : bytes.readUInt32LE(4)
  const runFlagsAt = 4
  const headAt = hasRuns ? 4 + Math.ceil(count / 8) : 8
  const hasOffsets = !hasRuns || count >= MIN_CONTAINERS_WITH_OFFSETS
  let at = headAt + 4 * count + (hasOffsets ? 4 * count : 0)
  for (let i = 0; i < count; i += 1) {
    const high = bytes.readUInt16LE(headAt + 4 * i) * 0x10000
    const cardinality = bytes.readUInt16LE(headAt + 4 * i + 2) + 1
    const isRun = hasRuns && (bytes.readUInt8(runFlagsAt + (i >> 3)) & (1 << (i & 7))) !== 0
    const read = isRun ? readRuns : cardinality > MAX_LISTED_VALUES ? readBits : readList
    at = read({ bytes, at, cardinality }, (low) => values.add(high + low))
  }
  return values
}

/** Returns the offset of the next container. */
type ReadContainer = (container: Container, add: (low: number) => void) => number
type Container = { bytes: Buffer; at: number; cardinality: number }

const readList: ReadContainer = ({ bytes, at, cardinality }, add) => {
  for (let i = 0; i < cardinality; i += 1) add(bytes.readUInt16LE(at + 2 * i))
  return at + 2 * cardinality
}

const readBits: ReadContainer = ({ bytes, at }, add) => {
  for (let low = 0; low < BITMAP_BYTES * 8; low += 1) if (bytes.readUInt8(at + (low >> 3)) & (1 << (low & 7))) add(low)
  return at + BITMAP_BYTES
}

const readRuns: ReadContainer = ({ bytes, at }, add) => {
  const runs = bytes.readUInt16LE(at)
  for (let i = 0; i < runs; i += 1) {
    const first = bytes.readUInt16LE(at + 2 + 4 * i)
    for (let low = first; low <= first + bytes.readUInt16LE(at + 4 + 4 * i); low += 1) add(low)
  }
  return at + 2 + 4 * runs
}
