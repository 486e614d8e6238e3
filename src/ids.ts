import { typeidUnboxed } from 'typeid-js'

/** The prefixes of the service's identifiers (contract, "Ids"). */
export type IdPrefix = 'mem' | 'doc' | 'job' | 'prj' | 'key' | 'org' | 'req'

const SUFFIX = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/

/** A new identifier: prefix and a time-sortable UUIDv7 in lower-case base32 (the TypeID format). */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix)
}

/** True when `text` has the form of an identifier with this prefix; nothing else ever reaches a query or a path. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1))
}

/** A chunk's identifier: its document's and its number, `doc_….12`. */
export function chunkId(documentId: string, chunkIndex: number): string {
  return `${documentId}.${chunkIndex}`
}
