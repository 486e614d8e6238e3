import { ApiError } from '../../errors.ts'
import { ARCHIVE_CONTENTS } from '../../limits.ts'

/*
 * An archive of a memory, version 1: a gzipped tar of plain files, in this order.
 *
 *   memory.json             what it is, the memory's name and description, its embedding model
 *   documents/00000001.ndjson   some documents, one a line, each with a number that counts from 1 in the archive
 *   texts/00000007.txt          the text of document 7, where its line has none because it is long
 *   originals/00000007          its original, where one was kept
 *   chunks/00000001.ndjson      some chunks of these documents, one a line
 *   vectors/00000001.f32        their vectors, one behind the other, as little-endian 32-bit floats
 *   windows/00000001.i8         the vectors of their windows, one behind the other, as signed bytes
 *   documents/00000002.ndjson   … and so on
 *   manifest.json           counts, and the size and SHA-256 of every entry
 *
 * The manifest comes last, because the export is a stream: it knows what it wrote when it has written it. For the same reason the
 * manifest names documents that are not to count (`dropped`): those that were deleted or changed after they had been written. Everything
 * that is named by a number is in the part of the archive that begins with its line, so that a reader needs no more than one such part at
 * a time. `docs/guides/export-and-import.md` tells the same to those who read archives.
 */
/** What the first entry says of itself. A reader refuses a version that it does not know. */
export const ARCHIVE = { format: 'recollect-memory', version: 1 } as const

/** The first and the last entry. */
export const HEAD_NAME = 'memory.json'
export const MANIFEST_NAME = 'manifest.json'

/** The entries between them: folder and ending of each kind. */
const KINDS = {
  documents: '.ndjson',
  texts: '.txt',
  originals: '',
  chunks: '.ndjson',
  vectors: '.f32',
  windows: '.i8',
} as const

/** What an entry between head and manifest is. */
export type EntryKind = keyof typeof KINDS

const NAME = /^(documents|texts|originals|chunks|vectors|windows)\/(\d{8})(\.ndjson|\.txt|\.f32|\.i8|)$/

/** The name of an entry: the number is that of a part, or of a document for texts and originals. */
export function entryName(kind: EntryKind, number: number): string {
  return `${kind}/${String(number).padStart(8, '0')}${KINDS[kind]}`
}

/** What a name says; `null` for one that is none of ours. */
export function parseEntryName(name: string): { kind: EntryKind; number: number } | null {
  const [, kind, digits, ending] = NAME.exec(name) ?? []
  if (kind === undefined || KINDS[kind as EntryKind] !== ending) return null
  return { kind: kind as EntryKind, number: Number(digits) }
}

const MB = 1024 * 1024

/**
 * What an export puts into one part. Our choice: 100 documents have texts of at most 32,768
 * characters each beside their rows, but metadata of up to 200 KB each; a chunk counts with its
 * vectors. A single document or chunk that has more is a part by itself.
 */
export const PART_LIMITS = { documents: 100, chunks: 1024, bytes: 8 * MB } as const

/**
 * What an import takes of one entry, and of an archive. Our choice: what is read as a whole is a
 * part, of {@link PART_LIMITS} as exports make them and several times that at most; a text or an
 * original goes through as a stream.
 */
export const ENTRY_LIMITS = {
  headBytes: MB,
  partBytes: 64 * MB,
  chunksPerPart: 4096,
  /**
   * Below the longest string of V8, 536,870,888 characters. Mostly far less, see `createEntrySet`.
   */
  manifestBytes: 500 * MB,
  documents: ARCHIVE_CONTENTS.documents,
  entries: ARCHIVE_CONTENTS.files,
  /** The largest size that a tar header writes in octal digits. */
  fileBytes: 8 * 1024 * MB - 1,
} as const

/** What one part takes at most. */
type PartBounds = { items: number; bytes: number }

/**
 * The items in their order in parts of at most this many, which are closed before they have more
 * than this many bytes. An item that has more by itself is a part of its own. No item is asked for
 * before there is room for it but the first of the next part.
 */
export function* splitParts<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
  most: PartBounds,
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

/** An entry as it is written; `content` has exactly `bytes` bytes. */
export type ArchiveEntry = { name: string; bytes: number; content: Iterable<Buffer> | AsyncIterable<Buffer> }

/**
 * What whoever has the memory still can do about an archive of it that says of itself what is not
 * so.
 */
export const MEND_FIRST =
  'Verify the memory where the archive was made, mend it with recollect doctor --storage --fix, and export it again.'

/**
 * What is wrong with an archive, a sentence; nothing of its contents stands in it but names that
 * were checked.
 */
export function invalidArchive(message: string, remedy?: string): ApiError {
  return new ApiError('invalid_archive', remedy === undefined ? { message } : { message, remedy })
}
