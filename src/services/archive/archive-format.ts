import { ApiError } from '../../errors.ts'
import { ARCHIVE_CONTENTS } from '../../limits.ts'

/*
 * Format of an archive, version 1: a gzipped tar of regular files, in this order.
 *
 *   memory.json                 format, name and description of the memory, embedding model.
 *   documents/00000001.ndjson   documents, one per line, numbered from 1 in the archive.
 *   texts/00000007.txt          text of document 7, if too long for its line.
 *   originals/00000007          original of document 7, if stored.
 *   chunks/00000001.ndjson      chunks of these documents, one per line.
 *   vectors/00000001.f32        their vectors, concatenated, as little-endian 32-bit floats.
 *   windows/00000001.i8         vectors of their windows, concatenated, as signed bytes.
 *   documents/00000002.ndjson   the next part, and so on.
 *   manifest.json               counts, and size and SHA-256 of every entry.
 *
 * The manifest is last because an export is a stream. For the same reason the manifest lists
 * dropped documents (`dropped`): documents deleted or changed after being written. Everything with
 * a document number is in the part that contains the document's line, so a reader needs a single
 * part at a time. `docs/guides/export-and-import.md` describes the format for users.
 */
/** Identifies the format in the first entry. A reader rejects unknown versions. */
export const ARCHIVE = { format: 'recollect-memory', version: 1 } as const

/** Name of the first entry. */
export const HEAD_NAME = 'memory.json'
/** Name of the last entry. */
export const MANIFEST_NAME = 'manifest.json'

/** Entries between head and manifest: folder and extension of each kind. */
const KINDS = {
  documents: '.ndjson',
  texts: '.txt',
  originals: '',
  chunks: '.ndjson',
  vectors: '.f32',
  windows: '.i8',
} as const

/** Kind of an entry between head and manifest. */
export type EntryKind = keyof typeof KINDS

const NAME = /^(documents|texts|originals|chunks|vectors|windows)\/(\d{8})(\.ndjson|\.txt|\.f32|\.i8|)$/

/** Name of an entry; the number is that of a part, or of a document for texts and originals. */
export function entryName(kind: EntryKind, number: number): string {
  return `${kind}/${String(number).padStart(8, '0')}${KINDS[kind]}`
}

/** Parses the name of an entry; `null` for any other name. */
export function parseEntryName(name: string): { kind: EntryKind; number: number } | null {
  const [, kind, digits, ending] = NAME.exec(name) ?? []
  if (kind === undefined || KINDS[kind as EntryKind] !== ending) return null
  return { kind: kind as EntryKind, number: Number(digits) }
}

const MB = 1024 * 1024

/**
 * Limits of one part of an export. Our choice: 100 documents have texts of at most 32,768
 * characters in their rows, but metadata of up to 200 KB each. A chunk counts with its vectors. A
 * single larger document or chunk forms its own part.
 */
export const PART_LIMITS = { documents: 100, chunks: 1024, bytes: 8 * MB } as const

/**
 * Limits of an import, per entry and per archive. Our choice: only parts are read into memory, at
 * several times {@link PART_LIMITS}; texts and originals are streamed.
 */
export const ENTRY_LIMITS = {
  headBytes: MB,
  partBytes: 64 * MB,
  chunksPerPart: 4096,
  /**
   * Below V8's longest string of 536,870,888 characters. The usual bound is far lower, see
   * `createEntrySet`.
   */
  manifestBytes: 500 * MB,
  documents: ARCHIVE_CONTENTS.documents,
  entries: ARCHIVE_CONTENTS.files,
  /** Largest size that a tar header can express in octal digits. */
  fileBytes: 8 * 1024 * MB - 1,
} as const

/** Limits of one part. */
type PartLimits = { items: number; bytes: number }

/**
 * Splits items into consecutive parts within the limits. A larger item forms its own part. Items
 * are read lazily: at most the first item of the next part is read ahead.
 */
export function* splitParts<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
  most: PartLimits,
): Generator<Item[], void, undefined> {
  let part: Item[] = []
  let bytes = 0
  for (const item of items) {
    const own = bytesOf(item)
    if (part.length === most.items || (part.length > 0 && bytes + own > most.bytes)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(item)
    bytes += own
  }
  if (part.length > 0) yield part
}

/** An entry to write; `content` has exactly `bytes` bytes. */
export type ArchiveEntry = { name: string; bytes: number; content: Iterable<Buffer> | AsyncIterable<Buffer> }

/** Remedy for an archive whose contents differ from their checksums. */
export const REPAIR_FIRST_REMEDY =
  'Verify the exported memory, repair it with recollect doctor --storage --fix, and export it again.'

/**
 * Error for an invalid archive. The message contains no contents of the archive except checked
 * names.
 */
export function invalidArchive(message: string, remedy?: string): ApiError {
  return new ApiError('invalid_archive', remedy === undefined ? { message } : { message, remedy })
}
