import { type ProtobufField, readProtobufFields } from './protobuf-fields.ts'
import { readBitmap } from './read-bitmap.ts'

/** A part of a table: rows that were written together. */
export type Fragment = { id: number; rows: number; removedRows: number }

/** A part of an index, and of which fragments it was made, also of those that are gone since. */
export type IndexPart = { name: string; fragmentIds: ReadonlySet<number> }

/** What a version of a table is made of. */
export type Manifest = { version: number; fragments: Fragment[]; indexes: IndexPart[] }

/** Where the message lies (8 bytes), two numbers of the format (2 bytes each), and the four letters every whole Lance file ends with. */
const FOOT_BYTES = 16
const MAGIC = 'LANC'
/** The numbers of the fields, as lance's protos/table.proto names them. */
const OF_MANIFEST = { fragments: 2, version: 3, indexSection: 6 } as const
const OF_FRAGMENT = { id: 1, deletionFile: 3, physicalRows: 4 } as const
const REMOVED_ROWS_OF_DELETION_FILE = 4
const INDEX_OF_SECTION = 1
const OF_INDEX = { name: 3, fragmentBitmap: 5 } as const

/**
 * Reads what Lance tells nobody: in which parts of a table rows are removed but still there. Throws RangeError or TypeError where the file is not what was
 * expected.
 */
export function readManifest(file: Buffer): Manifest {
  if (file.subarray(-MAGIC.length).toString('latin1') !== MAGIC) throw new TypeError('not a manifest')
  const fields = [...readProtobufFields(readMessage(file, file.readBigUInt64LE(file.length - FOOT_BYTES)))]
  const indexSection = valuesOf(fields, OF_MANIFEST.indexSection).map(numberOf).at(0)
  const indexes = indexSection === undefined ? [] : readProtobufFields(readMessage(file, BigInt(indexSection)))
  return {
    version: lastNumber(fields, OF_MANIFEST.version),
    fragments: valuesOf(fields, OF_MANIFEST.fragments).map((value) => readFragment(bytesOf(value))),
    indexes: valuesOf([...indexes], INDEX_OF_SECTION).map((value) => readIndex(bytesOf(value))),
  }
}

/** A message behind its length. */
function readMessage(file: Buffer, position: bigint): Buffer {
  const at = Number(position)
  return file.subarray(at + 4, at + 4 + file.readUInt32LE(at))
}

function readFragment(message: Buffer): Fragment {
  const fields = [...readProtobufFields(message)]
  const deletion = valuesOf(fields, OF_FRAGMENT.deletionFile).at(0)
  const removed = deletion === undefined ? [] : [...readProtobufFields(bytesOf(deletion))]
  return {
    id: lastNumber(fields, OF_FRAGMENT.id),
    rows: lastNumber(fields, OF_FRAGMENT.physicalRows),
    removedRows: lastNumber(removed, REMOVED_ROWS_OF_DELETION_FILE),
  }
}

function readIndex(message: Buffer): IndexPart {
  const fields = [...readProtobufFields(message)]
  const name = valuesOf(fields, OF_INDEX.name).at(0)
  const bitmap = valuesOf(fields, OF_INDEX.fragmentBitmap).at(0)
  return {
    name: name === undefined ? '' : bytesOf(name).toString(),
    fragmentIds: bitmap === undefined ? new Set() : readBitmap(bytesOf(bitmap)),
  }
}

function valuesOf(fields: readonly ProtobufField[], number: number): ProtobufField['value'][] {
  return fields.filter((field) => field.number === number).map(({ value }) => value)
}

/** Zero, which is not written, where the field is absent. */
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
