import { ENTRY_LIMITS, invalidArchive, MANIFEST_NAME } from './archive-format.ts'
import type { Manifest } from './archive-schemas.ts'

type Entry = Manifest['entries'][number]

/** What was read of an archive so far. All methods throw `invalid_archive`. */
export type EntrySet = {
  /** Counts an entry that was read to its end. */
  add(entry: Entry): void
  /** What was counted last. */
  last(): Entry | null
  /** Counts documents of a part. */
  addDocuments(documents: number): void
  /** The most that a manifest of what was read may be. */
  manifestBounds(): { bytes: number; values: number }
  /** Holds the manifest to every name, size and SHA-256 of the entries before it. */
  compare(manifest: Manifest): void
}

/** What a manifest has beside its lists: some names, and a count for each language. */
const REST = { bytes: 64 * 1024, values: 4096 } as const
/** Ours takes 135 at most: the longest name, a size of ten digits, a hash of 64. The rest is room for another's spaces. */
const ENTRY = { bytes: 300, values: 4 } as const
/** A number of eight digits with its comma, in `dropped` and in `incomplete`. */
const DOCUMENT = { bytes: 40, values: 2 } as const

/** Nothing seen yet. */
export function createEntrySet(
  limits: { documents: number; entries: number; manifestBytes: number } = ENTRY_LIMITS,
): EntrySet {
  const entries: Entry[] = []
  let documents = 0

  return {
    add(entry) {
      if (entries.length === limits.entries) throw invalidArchive(`The archive has more than ${limits.entries} files.`)
      entries.push(entry)
    },
    last: () => entries.at(-1) ?? null,
    addDocuments(more) {
      documents += more
      if (documents > limits.documents) throw invalidArchive(`The archive has more than ${limits.documents} documents.`)
    },
    manifestBounds() {
      const bytes = REST.bytes + ENTRY.bytes * entries.length + DOCUMENT.bytes * documents
      const values = REST.values + ENTRY.values * entries.length + DOCUMENT.values * documents
      return { bytes: Math.min(limits.manifestBytes, bytes), values }
    },
    compare(manifest) {
      manifest.entries.forEach(({ name, bytes, sha256 }, index) => {
        const there = entries[index]
        if (there?.name !== name) throw invalidArchive(`${MANIFEST_NAME} names other entries than the archive has.`)
        if (there.bytes !== bytes || there.sha256 !== sha256) {
          throw invalidArchive(`${there.name} is damaged: its SHA-256 is not that of the manifest.`)
        }
      })
      if (manifest.entries.length !== entries.length) {
        throw invalidArchive(`${MANIFEST_NAME} names other entries than the archive has.`)
      }
    },
  }
}
