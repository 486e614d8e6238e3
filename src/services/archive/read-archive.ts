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
  type ArchiveReaders,
  createArchiveReaders,
  type Head,
  type Manifest,
  requireJsonBounds,
} from './archive-schemas.ts'
import { type ChunkVectors, readVectors } from './archive-vectors.ts'
import { type TarFile, unpackArchive } from './unpack-archive.ts'

/**
 * What an archive gives, in its order. The content of an object has to be read to its end before
 * the next event is asked for.
 */
export type ArchiveEvent =
  | { kind: 'head'; head: Head }
  | { kind: 'documents'; part: number; documents: ArchivedDocument[] }
  | ArchivedObject
  | ({ kind: 'chunks'; part: number; chunks: ArchivedChunk[] } & ChunkVectors)
  | { kind: 'manifest'; manifest: Manifest }

/** A text or an original. */
export type ArchivedObject = {
  kind: 'texts' | 'originals'
  document: number
  bytes: number
  content: AsyncIterable<Buffer>
  /** SHA-256 of the content, lower-case hex, once it was read to its end. */
  sha256(): string
}

const LINE_END = 0x0a

/**
 * What stands in an archive on the local disk, each entry checked by itself: its name, its size,
 * its form. At the end the manifest is compared with what was read: every name, size and SHA-256.
 * Contents stand in memory a part at a time, however large they are; what is kept of all is a name,
 * a size and a hash for each entry, and at the end the manifest of them: both are bounded by
 * `ENTRY_LIMITS`. Rejects with `invalid_archive`.
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
    if ((await files.next()).done !== true) throw invalidArchive(`Something stands behind ${MANIFEST_NAME}.`)
  } finally {
    await files.return()
  }
}

/** The next file, of this name where one is given. */
async function requireNext(files: AsyncGenerator<TarFile>, name: string | null): Promise<TarFile> {
  const { done, value } = await files.next()
  if (done === true) throw invalidArchive(`${name ?? MANIFEST_NAME} is missing.`)
  if (name !== null && value.name !== name) {
    throw invalidArchive(
      name === HEAD_NAME ? 'The file is not the archive of a memory.' : `${name} is not where it should be.`,
    )
  }
  return value
}

async function readHead({ head }: ArchiveReaders, file: TarFile, seen: EntrySet): Promise<Head> {
  const json = await readWhole(file, ENTRY_LIMITS.headBytes, seen)
  requireJsonBounds(json, { entry: HEAD_NAME, maxValues: JSON_VALUES })
  requireKnownVersion(json.toString('utf8'))
  return head(json.toString('utf8'), HEAD_NAME)
}

/** What is of another version need not have the form of this one. */
function requireKnownVersion(json: string): void {
  let said: unknown = null
  try {
    said = JSON.parse(json)
  } catch {
    throw invalidArchive(`${HEAD_NAME} is not JSON.`)
  }
  const { format, version } = (said ?? {}) as { format?: unknown; version?: unknown }
  if (format !== ARCHIVE.format) throw invalidArchive('The file is not the archive of a memory.')
  if (typeof version !== 'number' || version <= ARCHIVE.version) return
  throw invalidArchive(
    `The archive has version ${version} of its format; this service knows version ${ARCHIVE.version}.`,
    'Import it with a newer version of Recollect, or export the memory with this one.',
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
  if (kind !== 'chunks') throw invalidArchive(`${file.name} is not where it should be.`)
  const chunks = await readLines(file, readers.chunk, seen)
  if (chunks.length > ENTRY_LIMITS.chunksPerPart) throw invalidArchive(`${file.name} has too many chunks.`)
  const whole = (one: TarFile) => readWhole(one, ENTRY_LIMITS.partBytes, seen)
  const vectors = await whole(await requireSibling(files, 'vectors', number))
  const windows = await whole(await requireSibling(files, 'windows', number))
  return { kind, part: number, chunks, ...readVectors(file.name, chunks, { vectors, windows }) }
}

async function requireSibling(files: AsyncGenerator<TarFile>, kind: EntryKind, number: number): Promise<TarFile> {
  const [name, file] = [entryName(kind, number), await requireNext(files, null)]
  if (file.name !== name) throw invalidArchive(`${name} is not where it should be.`)
  return file
}

function requireName({ name }: TarFile): { kind: EntryKind; number: number } {
  const said = parseEntryName(name)
  if (said === null) throw invalidArchive('The archive has an entry that no archive of a memory has.')
  return said
}

/** The JSON values of the lines of a part. */
async function readLines<Value>(
  file: TarFile,
  read: (json: string, entry: string) => Value,
  seen: EntrySet,
): Promise<Value[]> {
  const lines = await readWhole(file, ENTRY_LIMITS.partBytes, seen)
  if (lines.at(-1) !== LINE_END) throw invalidArchive(`${file.name} does not end with a line.`)
  requireJsonBounds(lines, { entry: file.name, maxValues: JSON_VALUES })
  const values: Value[] = []
  // One after the other: a part of nothing but line ends is refused at the first.
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(LINE_END, start)
    values.push(read(lines.toString('utf8', start, end), file.name))
    start = end + 1
  }
  return values
}

async function readWhole(file: TarFile, mostBytes: number, seen: EntrySet | null): Promise<Buffer> {
  if (file.bytes > mostBytes) throw invalidArchive(`${file.name} is larger than such an entry may be.`)
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

/** What was read of an archive so far. All methods throw `invalid_archive`. */
type EntrySet = {
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
/**
 * Ours takes 135 at most: the longest name, a size of ten digits, a hash of 64. The rest is room
 * for another's spaces.
 */
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
