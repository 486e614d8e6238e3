import { fromUUIDBytes, toUUIDBytes, typeidUnboxed } from 'typeid-js'

/** The prefixes of the service's identifiers (contract, "Ids"). */
export type IdPrefix = 'mem' | 'doc' | 'job' | 'prj' | 'key' | 'org' | 'req' | 'whk' | 'msg' | 'dlv'

const SUFFIX = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/

/** Bytes of a UUIDv7 that are its time in milliseconds (RFC 9562, section 5.7). */
const TIME_BYTES = 6

/**
 * A new identifier: prefix and a time-sortable UUIDv7 in lower-case base32 (the TypeID format). Its time is `at`, for lists that are ordered
 * by it on several machines; that of this machine's clock where absent.
 */
export function newId(prefix: IdPrefix, at?: Date): string {
  const id = typeidUnboxed(prefix)
  if (at === undefined) return id
  const bytes = Buffer.from(toUUIDBytes(id))
  bytes.writeUIntBE(at.getTime(), 0, TIME_BYTES)
  return fromUUIDBytes(prefix, bytes)
}

/** True when `text` has the form of an identifier with this prefix; nothing else ever reaches a query or a path. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1))
}

/** A chunk's identifier: its document's and its number, `doc_….12`. */
export function chunkId(documentId: string, chunkIndex: number): string {
  return `${documentId}.${chunkIndex}`
}
