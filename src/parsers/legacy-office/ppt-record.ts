/** A record of a PowerPoint file (MS-PPT 2.3.1). The whole file is a tree of records. */
export type PptRecord = {
  type: number
  instance: number
  /** True when the body consists of records. */
  isContainer: boolean
  body: Buffer
}

const HEADER_BYTES = 8

/** Types of the records read here. MS-PPT 2.13.24 and MS-ODRAW 2.2. */
export const RECORD_TYPES = {
  document: 0x03e8,
  slide: 0x03ee,
  slideAtom: 0x03ef,
  mainMaster: 0x03f8,
  notes: 0x03f0,
  objectList: 0x0409,
  drawing: 0x040c,
  slidePersist: 0x03f3,
  showInfo: 0x03f9,
  textHeader: 0x0f9f,
  textCharacters: 0x0fa0,
  textBytes: 0x0fa8,
  outlineReference: 0x0f9e,
  placeholder: 0x0bc3,
  objectReference: 0x0bc1,
  string: 0x0fba,
  slideList: 0x0ff0,
  userEdit: 0x0ff5,
  footers: 0x0fd9,
  footersAtom: 0x0fda,
  embedded: 0x0fcc,
  objectAtom: 0x0fc3,
  objectStorage: 0x1011,
  persistDirectory: 0x1772,
  tags: 0x1388,
  binaryTag: 0x138a,
  binaryTagData: 0x138b,
  comment: 0x2ee0,
  shapeGroup: 0xf003,
  shape: 0xf004,
  properties: 0xf00b,
  childAnchor: 0xf00f,
  clientAnchor: 0xf010,
  clientData: 0xf011,
  clientText: 0xf00d,
  moreProperties: 0xf122,
} as const

/** Reads the record at `offset`, truncated at the end of the bytes; `null` when no header fits. */
export function readRecord(bytes: Buffer, at: number): PptRecord | null {
  if (at < 0 || at + HEADER_BYTES > bytes.length) return null
  const first = bytes.readUInt16LE(at)
  const start = at + HEADER_BYTES
  return {
    type: bytes.readUInt16LE(at + 2),
    instance: first >> 4,
    isContainer: (first & 0xf) === 0xf,
    body: bytes.subarray(start, start + bytes.readUInt32LE(at + 4)),
  }
}

/** Yields consecutive records. */
export function* listRecords(bytes: Buffer): Generator<PptRecord> {
  let at = 0
  for (let record = readRecord(bytes, at); record !== null; record = readRecord(bytes, at)) {
    yield record
    at += HEADER_BYTES + record.body.length
  }
}

/** Returns the first record of a type, and of an instance if given; `null` when absent. */
export function findRecord(bytes: Buffer, type: number, instance?: number): PptRecord | null {
  for (const record of listRecords(bytes)) {
    if (record.type === type && (instance === undefined || record.instance === instance)) return record
  }
  return null
}

/**
 * A text with its kind (MS-PPT 2.13.33). Titles are 0 and 6, bodies 1, 5, 7 and 8, notes 2, other
 * texts 4.
 */
export type OutlineText = { kind: number; text: string }

/** Decodes a text record, UTF-16 or 8-bit; `null` for records without text. */
export function decodeTextRecord(type: number, body: Buffer): string | null {
  if (type === RECORD_TYPES.textCharacters) return body.toString('utf16le', 0, body.length - (body.length % 2))
  return type === RECORD_TYPES.textBytes ? body.toString('latin1') : null
}
