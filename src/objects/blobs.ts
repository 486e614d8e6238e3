import type { Readable } from 'node:stream'

/**
 * The seam to the object store. Keys are made of our own identifiers only (`memories/mem_…/documents/doc_…/source`),
 * never of a caller's names. Implementations: `disk-blobs.ts`, `s3-blobs.ts`.
 */
export type Blobs = {
  /** Writes durably and at once or not at all; replaces what was there. */
  put(key: string, content: Buffer | Readable): Promise<{ bytes: number }>
  /** Moves a local file into the store, durably; the file is gone afterwards. */
  putFile(key: string, path: string): Promise<{ bytes: number }>
  /** A stream of the object, or of the bytes from `start` to `end` inclusive; `null` when absent. */
  get(key: string, range?: { start: number; end: number }): Promise<Readable | null>
  /** Size in bytes, `null` when absent. */
  size(key: string): Promise<number | null>
  /** Every key under a prefix. */
  list(prefix: string): Promise<string[]>
  /** The same with their sizes in bytes; `''` for all. */
  measure(prefix: string): Promise<Map<string, number>>
  /** Removes every object whose key begins with one of the prefixes; nothing there is no error. */
  removeAll(...prefixes: readonly string[]): Promise<void>
  /**
   * Rejects with `insufficient_storage` when there is no room for what adding so many bytes takes, or so little left that
   * deleting, which has to write before it frees anything, would find none. A store without a disk always has room.
   */
  requireRoom(bytes: number): Promise<void>
  /** True where there is hardly more room than what stays free for deletions, and while adds find too little: what was deleted has to leave now. */
  isShortOfRoom(): Promise<boolean>
  /** Frees the room that is held back for deletions on a full disk, where any is. It is taken again once there is room to add. */
  releaseReserve(): Promise<void>
  /** Throws when the store cannot write, read, list and delete. */
  probe(): Promise<void>
}

/** Segments of letters, digits, `.`, `_` and `-`, none of them only dots: nothing that leaves the folder or means more than a name. */
const SEGMENT = /^(?!\.+$)[A-Za-z0-9._-]{1,200}$/

/** The key as it is; throws when it is none of ours, which is a mistake in our code and never a caller's. */
export function requireKey(key: string): string {
  if (!key.split('/').every((segment) => SEGMENT.test(segment)))
    throw new Error(`not a key of an object: ${JSON.stringify(key)}`)
  return key
}

/** As {@link requirePrefix}; the empty prefix of all objects may be listed, too. */
export function requireListedPrefix(prefix: string): string {
  return prefix === '' ? prefix : requirePrefix(prefix)
}

/** The prefix as it is, also when it ends in the middle of a segment or with `/`; throws as {@link requireKey} does. */
export function requirePrefix(prefix: string): string {
  requireKey(prefix.replace(/\/$/, ''))
  return prefix
}
