import { createHash } from 'node:crypto'
import type { ArchiveEntry } from '../archive-format.ts'
import type { Manifest } from '../archive-schemas.ts'

/** Makes the entries of an archive, and remembers of each what the manifest says. */
export type EntryRecorder = {
  /** What is known of the entries that were read to their end, in order. */
  readonly entries: Manifest['entries']
  /** An entry of this content; reading it rejects where it has another number of bytes. */
  record(name: string, bytes: number, content: AsyncIterable<Buffer>): ArchiveEntry
  /** An entry that is held in memory. */
  recordWhole(name: string, content: Buffer): ArchiveEntry
  /** An entry of one JSON value. */
  recordJson(name: string, value: unknown): ArchiveEntry
}

/** A recorder that knows of no entry yet. */
export function createEntryRecorder(): EntryRecorder {
  const entries: Manifest['entries'] = []

  function recordWhole(name: string, content: Buffer): ArchiveEntry {
    entries.push({ name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
    return { name, bytes: content.length, content: [content] }
  }

  async function* hashed(name: string, bytes: number, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256')
    let read = 0
    for await (const piece of content) {
      hash.update(piece)
      read += piece.length
      yield piece
    }
    if (read !== bytes) throw new Error(`${name} has ${read} bytes, not ${bytes}`)
    entries.push({ name, bytes, sha256: hash.digest('hex') })
  }

  return {
    entries,
    record: (name, bytes, content) => ({ name, bytes, content: hashed(name, bytes, content) }),
    recordWhole,
    recordJson: (name, value) => recordWhole(name, Buffer.from(`${JSON.stringify(value)}\n`)),
  }
}
