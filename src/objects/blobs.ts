import type { Readable } from 'node:stream'

/**
 * Interface of the object store. Keys consist of internal identifiers
 * (`memories/mem_…/documents/doc_…/source`), never of user input. Implementations: `disk-blobs.ts`,
 * `s3-blobs.ts`.
 */
export type Blobs = {
  /** Writes durably and atomically; replaces an existing object. */
  put(key: string, content: Buffer | Readable): Promise<{ bytes: number }>
  /** Moves a local file into the store, durably; the file is gone afterwards. */
  putFile(key: string, path: string): Promise<{ bytes: number }>
  /**
   * A stream of the object, or of the bytes from `start` to `end` inclusive; `null` when absent.
   */
  get(key: string, range?: { start: number; end: number }): Promise<Readable | null>
  /** Size in bytes, `null` when absent. */
  size(key: string): Promise<number | null>
  /** Every key under a prefix. */
  list(prefix: string): Promise<string[]>
  /** Lists keys with sizes in bytes; `''` for all keys. */
  measure(prefix: string): Promise<Map<string, number>>
  /** Deletes every object whose key starts with a prefix. Missing objects are not an error. */
  purge(...prefixes: readonly string[]): Promise<void>
  /**
   * Rejects with `insufficient_storage` if the disk has no room to add this many bytes, or no room
   * left for deletions, which write before freeing space. A store without a disk always has room.
   */
  requireRoom(bytes: number): Promise<void>
  /**
   * True if the disk is nearly full, or if a small write was refused recently. Deleted data should
   * then be purged without delay.
   */
  isShortOfRoom(): Promise<boolean>
  /**
   * Releases the space reserved for deletions on a full disk. The reserve is restored once adding
   * is possible again.
   */
  releaseBallast(): Promise<void>
  /** Throws when the store cannot write, read, list and delete. */
  probe(): Promise<void>
}

/**
 * Segments of letters, digits, `.`, `_` and `-`, not only dots: no segment can leave the folder.
 */
const SEGMENT = /^(?!\.+$)[A-Za-z0-9._-]{1,200}$/

/**
 * Returns the key; throws for an invalid key, which is a programming error and never user input.
 */
export function requireKey(key: string): string {
  if (!key.split('/').every((segment) => SEGMENT.test(segment)))
    throw new Error(`not a key of an object: ${JSON.stringify(key)}`)
  return key
}

/** Like {@link requirePrefix}, but allows the empty prefix for all objects. */
export function requireListedPrefix(prefix: string): string {
  return prefix === '' ? prefix : requirePrefix(prefix)
}

/**
 * Returns the prefix, which may end within a segment or with `/`; throws as {@link requireKey}
 * does.
 */
export function requirePrefix(prefix: string): string {
  requireKey(prefix.replace(/\/$/, ''))
  return prefix
}
