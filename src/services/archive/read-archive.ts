import { createHash } from 'node:crypto'
import { JSON_VALUES } from '../../limits.ts'
import {
  ARCHIVE,
  ENTRY_LIMITS,
  type EntryKind,
  entryName,
  HEAD_NAME,
  invalidArchive,
  MANIFEST_NAME,
  parseEntryName,
} from './archive-format.ts'
import {
  type ArchivedChunk,
  type ArchivedDocument,
  type ArchiveHead,
  type ArchiveReaders,
  createArchiveReaders,
  type Manifest,
  requireJsonBounds,
} from './archive-schemas.ts'
import { type ChunkVectors, readVectors } from './archive-vectors.ts'
import { type TarFile, unpackArchive } from './unpack-archive.ts'

/**
 * Events of an archive, in order. Read the content of an object to the end before the next event.
 */
export type ArchiveEvent =
  | { kind: 'head'; head: ArchiveHead }
  | { kind: 'documents'; part: number; documents: ArchivedDocument[] }
  | ArchivedObject
  | ({ kind: 'chunks'; part: number; chunks: ArchivedChunk[] } & ChunkVectors)
  | { kind: 'manifest'; manifest: Manifest }

/** A text or an original, as a stream. */
export type ArchivedObject = {
  kind: 'texts' | 'originals'
  document: number
  bytes: number
  content: AsyncIterable<Buffer>
  /** SHA-256 of the content in lower-case hex, available after the content was read. */
  sha256(): string
}

const LINE_END = 0x0a

/**
 * Reads an archive from the local disk and checks each entry's name, size and schema. At the end,
 * the manifest is compared with all names, sizes and hashes. Memory use: one part at a time, plus
 * name, size and hash of each entry, bounded by `ENTRY_LIMITS`. Rejects with `invalid_archive`.
 */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEvent, void, undefined> {
  const readers = await createArchiveReaders()
  const seen = createEntrySet()
  const files = unpackArchive(path)
  try {
    yield { kind: 'head', head: await readHead(readers, await requireNext(files, HEAD_NAME), seen) }
    for (;;) {
      const file = await requireNext(files, null)
      if (file.name === MANIFEST_NAME) {
        yield { kind: 'manifest', manifest: await readManifest(readers, file, seen) }
        break
      }
      yield await readPart(readers, files, { file, seen })
    }
    if ((await files.next()).done !== true) throw invalidArchive(`The archive continues after ${MANIFEST_NAME}.`)
  } finally {
    await files.return()
  }
}

/** Returns the next file; throws when its name is not `name`. */
async function requireNext(files: AsyncGenerator<TarFile>, name: string | null): Promise<TarFile> {
  const { done, value } = await files.next()
  if (done === true) throw invalidArchive(`${name ?? MANIFEST_NAME} is missing.`)
  if (name !== null && value.name !== name) {
    throw invalidArchive(name === HEAD_NAME ? 'The file is not a memory archive.' : `${name} is out of order.`)
  }
  return value
}

async function readHead({ head }: ArchiveReaders, file: TarFile, seen: EntrySet): Promise<ArchiveHead> {
  const json = await readWhole(file, ENTRY_LIMITS.headBytes, seen)
  requireJsonBounds(json, { entry: HEAD_NAME, maxValues: JSON_VALUES })
  requireKnownVersion(json.toString('utf8'))
  return head(json.toString('utf8'), HEAD_NAME)
}

/** Checked before the schema: another version may have another schema. */
function requireKnownVersion(json: string): void {
  let said: unknown = null
  try {
    said = JSON.parse(json)
  } catch {
    throw invalidArchive(`${HEAD_NAME} is not JSON.`)
  }
  const { format, version } = (said ?? {}) as { format?: unknown; version?: unknown }
  if (format !== ARCHIVE.format) throw invalidArchive('The file is not a memory archive.')
  if (typeof version !== 'number' || version <= ARCHIVE.version) return
  throw invalidArchive(
    `The archive has format version ${version}; this service supports version ${ARCHIVE.version}.`,
    'Import it with a newer version of Recollect, or export the memory with this version.',
  )
}

async function readManifest({ manifest: read }: ArchiveReaders, file: TarFile, seen: EntrySet): Promise<Manifest> {
  const { bytes, values } = seen.manifestBounds()
  const json = await readWhole(file, bytes, null)
  requireJsonBounds(json, { entry: MANIFEST_NAME, maxValues: values })
  const manifest = read(json.toString('utf8'), MANIFEST_NAME)
  seen.compare(manifest)
  return manifest
}

async function readPart(
  readers: ArchiveReaders,
  files: AsyncGenerator<TarFile>,
  { file, seen }: { file: TarFile; seen: EntrySet },
): Promise<ArchiveEvent> {
  const { kind, number } = requireName(file)
  if (kind === 'documents') {
    const documents = await readLines(file, readers.document, seen)
    seen.addDocuments(documents.length)
    return { kind, part: number, documents }
  }
  if (kind === 'texts' || kind === 'originals') {
    const sha256 = () => seen.last()?.sha256 ?? ''
    return { kind, document: number, bytes: file.bytes, content: hashed(file, seen), sha256 }
  }
  if (kind !== 'chunks') throw invalidArchive(`${file.name} is out of order.`)
  const chunks = await readLines(file, readers.chunk, seen)
  if (chunks.length > ENTRY_LIMITS.chunksPerPart) throw invalidArchive(`${file.name} has too many chunks.`)
  const whole = (one: TarFile) => readWhole(one, ENTRY_LIMITS.partBytes, seen)
  const vectors = await whole(await requireSibling(files, 'vectors', number))
  const windows = await whole(await requireSibling(files, 'windows', number))
  return { kind, part: number, chunks, ...readVectors(file.name, chunks, { vectors, windows }) }
}

async function requireSibling(files: AsyncGenerator<TarFile>, kind: EntryKind, number: number): Promise<TarFile> {
  const [name, file] = [entryName(kind, number), await requireNext(files, null)]
  if (file.name !== name) throw invalidArchive(`${name} is out of order.`)
  return file
}

function requireName({ name }: TarFile): { kind: EntryKind; number: number } {
  const said = parseEntryName(name)
  if (said === null) throw invalidArchive('The archive contains an unknown entry.')
  return said
}

/** Parses the JSON lines of a part. */
async function readLines<Value>(
  file: TarFile,
  read: (json: string, entry: string) => Value,
  seen: EntrySet,
): Promise<Value[]> {
  const lines = await readWhole(file, ENTRY_LIMITS.partBytes, seen)
  if (lines.at(-1) !== LINE_END) throw invalidArchive(`${file.name} does not end with a line break.`)
  requireJsonBounds(lines, { entry: file.name, maxValues: JSON_VALUES })
  const values: Value[] = []
  // Parsed sequentially, so that a part of empty lines fails at the first line.
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(LINE_END, start)
    values.push(read(lines.toString('utf8', start, end), file.name))
    start = end + 1
  }
  return values
}

async function readWhole(file: TarFile, mostBytes: number, seen: EntrySet | null): Promise<Buffer> {
  if (file.bytes > mostBytes) throw invalidArchive(`${file.name} is too large.`)
  const pieces: Buffer[] = []
  for await (const piece of hashed(file, seen)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* hashed({ name, bytes, content }: TarFile, seen: EntrySet | null): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
  seen?.add({ name, bytes, sha256: hash.digest('hex') })
}

type Entry = Manifest['entries'][number]

/** Entries read so far. All methods throw `invalid_archive`. */
type EntrySet = {
  /** Adds an entry that was read to the end. */
  add(entry: Entry): void
  last(): Entry | null
  /** Counts the documents of a part. */
  addDocuments(documents: number): void
  /** Upper bound for the size of a manifest of these entries. */
  manifestBounds(): { bytes: number; values: number }
  /** Compares the manifest with the name, size and SHA-256 of every entry. */
  compare(manifest: Manifest): void
}

/** Manifest without its lists: some names, and a count per language. */
const REST = { bytes: 64 * 1024, values: 4096 } as const
/**
 * An exported entry takes at most 135 bytes: the longest name, a size of ten digits, a hash of 64.
 * The rest allows for whitespace.
 */
const ENTRY = { bytes: 300, values: 4 } as const
/** A number of eight digits and a comma, in `dropped` and in `incomplete`. */
const DOCUMENT = { bytes: 40, values: 2 } as const

/** Creates an empty set. */
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
        if (there?.name !== name) throw invalidArchive(`${MANIFEST_NAME} does not match the entries of the archive.`)
        if (there.bytes !== bytes || there.sha256 !== sha256) {
          throw invalidArchive(`${there.name} is damaged: its SHA-256 differs from the manifest.`)
        }
      })
      if (manifest.entries.length !== entries.length) {
        throw invalidArchive(`${MANIFEST_NAME} does not match the entries of the archive.`)
      }
    },
  }
}
