import { createHash } from 'node:crypto'
import {
  ARCHIVE,
  ENTRY_LIMITS,
  type EntryKind,
  entryName,
  HEAD_NAME,
  MANIFEST_NAME,
  parseEntryName,
} from './archive-format.ts'
import {
  type ArchivedChunk,
  ArchivedChunkSchema,
  type ArchivedDocument,
  ArchivedDocumentSchema,
  type Head,
  HeadSchema,
  type Manifest,
  ManifestSchema,
} from './archive-schemas.ts'
import { createSchemaReader, type SchemaReader } from './check-schema.ts'
import { invalidArchive } from './invalid-archive.ts'
import type { TarFile } from './read-tar.ts'
import { readVectors } from './read-vectors.ts'
import { unpackArchive } from './unpack-archive.ts'

/** What an archive gives, in its order. The content of an object has to be read to its end before the next event is asked for. */
export type ArchiveEvent =
  | { kind: 'head'; head: Head }
  | { kind: 'documents'; part: number; documents: ArchivedDocument[] }
  | { kind: 'texts' | 'originals'; document: number; bytes: number; content: AsyncIterable<Buffer> }
  | ({ kind: 'chunks'; part: number; chunks: ArchivedChunk[] } & ChunkVectors)
  | { kind: 'manifest'; manifest: Manifest }

/** The vectors of some chunks, one behind the other. */
export type ChunkVectors = { vectors: Float32Array; windows: Int8Array; dimensions: number }

type Readers = {
  head: SchemaReader<typeof HeadSchema>
  document: SchemaReader<typeof ArchivedDocumentSchema>
  chunk: SchemaReader<typeof ArchivedChunkSchema>
  manifest: SchemaReader<typeof ManifestSchema>
}
type Seen = Manifest['entries']

/**
 * What stands in an archive on the local disk, each entry checked by itself: its name, its size, its form. At the end the manifest
 * is compared with what was read: every name, size and SHA-256. Memory stays the same however large the archive is. Rejects with `invalid_archive`.
 */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEvent, void, undefined> {
  const readers = await createReaders()
  const seen: Seen = []
  const files = unpackArchive(path)
  try {
    yield { kind: 'head', head: await readHead(readers, await requireNext(files, HEAD_NAME), seen) }
    for (;;) {
      const file = await requireNext(files, null)
      if (file.name === MANIFEST_NAME) {
        yield { kind: 'manifest', manifest: await readManifest(readers, file, seen) }
        break
      }
      yield await readPart(readers, files, file, seen)
    }
    if ((await files.next()).done !== true) throw invalidArchive(`Something stands behind ${MANIFEST_NAME}.`)
  } finally {
    await files.return()
  }
}

async function createReaders(): Promise<Readers> {
  const [head, document, chunk, manifest] = await Promise.all([
    createSchemaReader(HeadSchema),
    createSchemaReader(ArchivedDocumentSchema),
    createSchemaReader(ArchivedChunkSchema),
    createSchemaReader(ManifestSchema),
  ])
  return { head, document, chunk, manifest }
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

async function readHead({ head }: Readers, file: TarFile, seen: Seen): Promise<Head> {
  const json = (await readWhole(file, ENTRY_LIMITS.headBytes, seen)).toString('utf8')
  requireKnownVersion(json)
  return head(json, HEAD_NAME)
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

async function readManifest({ manifest: read }: Readers, file: TarFile, seen: Seen): Promise<Manifest> {
  const expected = [...seen]
  const manifest = read((await readWhole(file, ENTRY_LIMITS.manifestBytes, seen)).toString('utf8'), MANIFEST_NAME)
  manifest.entries.forEach(({ name, bytes, sha256 }, index) => {
    const there = expected[index]
    if (there?.name !== name) throw invalidArchive(`${MANIFEST_NAME} names other entries than the archive has.`)
    if (there.bytes !== bytes || there.sha256 !== sha256) {
      throw invalidArchive(`${there.name} is damaged: its SHA-256 is not that of the manifest.`)
    }
  })
  if (manifest.entries.length !== expected.length) {
    throw invalidArchive(`${MANIFEST_NAME} names other entries than the archive has.`)
  }
  return manifest
}

async function readPart(
  readers: Readers,
  files: AsyncGenerator<TarFile>,
  file: TarFile,
  seen: Seen,
): Promise<ArchiveEvent> {
  const { kind, number } = requireName(file)
  if (kind === 'documents') {
    return { kind, part: number, documents: await readLines(file, readers.document, seen) }
  }
  if (kind === 'texts' || kind === 'originals') {
    return { kind, document: number, bytes: file.bytes, content: hashed(file, seen) }
  }
  if (kind !== 'chunks') throw invalidArchive(`${file.name} is not where it should be.`)
  const chunks = await readLines(file, readers.chunk, seen)
  if (chunks.length > ENTRY_LIMITS.chunksPerPart) throw invalidArchive(`${file.name} has too many chunks.`)
  const whole = (one: TarFile) => readWhole(one, ENTRY_LIMITS.partBytes, seen)
  const vectors = await whole(await requireSibling(files, 'vectors', number))
  const windows = await whole(await requireSibling(files, 'windows', number))
  return { kind, part: number, chunks, ...readVectors(file.name, chunks, vectors, windows) }
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
  seen: Seen,
): Promise<Value[]> {
  const text = (await readWhole(file, ENTRY_LIMITS.partBytes, seen)).toString('utf8')
  if (!text.endsWith('\n')) throw invalidArchive(`${file.name} does not end with a line.`)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => read(line, file.name))
}

async function readWhole(file: TarFile, mostBytes: number, seen: Seen): Promise<Buffer> {
  if (file.bytes > mostBytes) throw invalidArchive(`${file.name} is larger than such an entry may be.`)
  const pieces: Buffer[] = []
  for await (const piece of hashed(file, seen)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* hashed({ name, bytes, content }: TarFile, seen: Seen): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
  seen.push({ name, bytes, sha256: hash.digest('hex') })
}
