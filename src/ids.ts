import { createHash } from 'node:crypto'
import { fromUUIDBytes, toUUIDBytes, typeidUnboxed } from 'typeid-js'

/** Prefixes of the service's identifiers (contract, "Ids"). */
export type IdPrefix = 'mem' | 'doc' | 'job' | 'prj' | 'key' | 'org' | 'req' | 'whk' | 'msg' | 'dlv' | 'src' | 'usr'

const SUFFIX = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/

/** Bytes of a UUIDv7 that contain its time in milliseconds (RFC 9562, section 5.7). */
const TIME_BYTES = 6
const UUID_BYTES = 16

/**
 * Creates an identifier: a prefix and a time-sortable UUIDv7 in lower-case base32 (TypeID format).
 * `at` sets its time, for lists ordered by a time that several machines agree on. Default: the
 * machine's clock.
 */
export function newId(prefix: IdPrefix, at?: Date): string {
  const id = typeidUnboxed(prefix)
  if (at === undefined) return id
  const bytes = Buffer.from(toUUIDBytes(id))
  bytes.writeUIntBE(at.getTime(), 0, TIME_BYTES)
  return fromUUIDBytes(prefix, bytes)
}

/** Identifier made of the SHA-256 of `text`, equal for equal texts. */
export function hashId(prefix: IdPrefix, text: string): string {
  return fromUUIDBytes(prefix, createHash('sha256').update(text).digest().subarray(0, UUID_BYTES))
}

/**
 * True if `text` has the form of an identifier with this prefix. No other text may reach a query or
 * a path.
 */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1))
}

/** Identifier of a chunk: the document's id and the chunk index, `doc_….12`. */
export function chunkId(documentId: string, chunkIndex: number): string {
  return `${documentId}.${chunkIndex}`
}
