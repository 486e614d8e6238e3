import { type Static, Type } from 'typebox'
import {
  BOOST,
  countMetadata,
  EXTERNAL_ID,
  MEMORY_NAME,
  MetadataSchema,
  StatementSchema,
  TagsSchema,
  TITLE,
  TopicsSchema,
  UNTITLED,
  URL_CHARACTERS,
} from '../../api/fields.ts'
import { DOCUMENT_FIELDS, JSON_DEPTH, MEMORY_DESCRIPTION_CHARACTERS } from '../../limits.ts'
import { hasVisibleText } from '../../text/characters.ts'
import { cleanFileName } from '../../text/clean-file-name.ts'
import { findExcess } from '../json-excess.ts'
import { invalidArchive } from './archive-format.ts'

/** Whole numbers as both databases keep them. */
const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Number1 = Type.Integer({ minimum: 1, maximum: 99_999_999 })
const Time = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Text = Type.String()
/**
 * What the service says of a document and its pages; our choice: a sentence for each of some
 * thousand pages.
 */
const SaidOrNull = Type.Union([Type.String({ maxLength: 1_000_000 }), Type.Null()])
const TextOrNull = Type.Union([Text, Type.Null()])
const CountOrNull = Type.Union([Count, Type.Null()])
const Model = Type.String({ minLength: 1, maxLength: 500 })

/** `memory.json`. */
const HeadSchema = Type.Object({
  format: Type.Literal('recollect-memory'),
  version: Type.Literal(1),
  exportedAt: Time,
  memory: Type.Object({
    name: Type.String(MEMORY_NAME),
    description: Type.Union([Type.String({ maxLength: MEMORY_DESCRIPTION_CHARACTERS }), Type.Null()]),
    createdAt: Time,
  }),
  /** `null`: nothing was ever embedded. */
  embedder: Type.Union([Type.Object({ model: Model }), Type.Null()]),
})

const PageSchema = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  method: Type.Enum(['text', 'ocr', 'empty', 'failed']),
  characters: Count,
  confidence: Type.Union([Type.Number(), Type.Null()]),
  message: SaidOrNull,
})

/** A line of `documents/…`. */
const ArchivedDocumentSchema = Type.Object({
  number: Number1,
  externalId: Type.Union([Type.String(EXTERNAL_ID), Type.Null()]),
  // Also one of nothing to see, as the name of a file may be.
  title: Type.String({ minLength: TITLE.minLength, maxLength: TITLE.maxLength }),
  filename: TextOrNull,
  // It becomes a header of an answer.
  mimeType: Type.String({ pattern: '^[!-~][ -~]{0,254}$' }),
  sourceType: Type.Enum(['file', 'text', 'url', 'ocr', 'correction']),
  // It becomes a link of the console, which may not run what it leads to. It stands there as its
  // caller wrote it.
  url: Type.Union([Type.String({ maxLength: URL_CHARACTERS, pattern: '^\\s*[Hh][Tt][Tt][Pp][Ss]?:' }), Type.Null()]),
  tags: TagsSchema,
  metadata: MetadataSchema,
  status: Type.Enum(['ready', 'partial']),
  error: SaidOrNull,
  sizeBytes: Bytes,
  pageCount: CountOrNull,
  ocrPages: Count,
  chunkCount: Count,
  characterCount: Count,
  contentHash: Type.Union([Sha256, Type.Null()]),
  /** The MinHash of the text: 128 unsigned 32-bit numbers, little-endian, base64. */
  signature: Type.Union([Type.String({ pattern: '^[A-Za-z0-9+/]{683}=$' }), Type.Null()]),
  language: Type.Union([Type.String({ pattern: '^[a-z]{2,3}$' }), Type.Null()]),
  pages: Type.Array(PageSchema),
  correction: Type.Union([
    Type.Object({
      statement: StatementSchema,
      topics: TopicsSchema,
      boost: Type.Number(BOOST),
      /** Until when it holds; absent where nothing was said. */
      expiresAt: Type.Optional(Type.Union([Time, Type.Null()])),
    }),
    Type.Null(),
  ]),
  /** `null`: it is an entry of its own. */
  text: TextOrNull,
  /** `null`: none was kept. */
  originalBytes: Type.Union([Bytes, Type.Null()]),
  /**
   * SHA-256 of the original as it was added; absent or `null` where the exporting version noted
   * none.
   */
  originalHash: Type.Optional(Type.Union([Sha256, Type.Null()])),
  createdAt: Time,
  updatedAt: Time,
})

/** A line of `chunks/…`. */
const ArchivedChunkSchema = Type.Object({
  document: Number1,
  index: Count,
  text: Text,
  terms: Text,
  startOffset: Count,
  endOffset: Count,
  page: CountOrNull,
  pageEnd: CountOrNull,
  section: TextOrNull,
  header: TextOrNull,
  /** How many vectors of windows are this chunk's. */
  windows: Count,
})

/** `manifest.json`. */
const ManifestSchema = Type.Object({
  format: Type.Literal('recollect-memory'),
  version: Type.Literal(1),
  embedder: Type.Union([Type.Object({ model: Model, dimensions: Count }), Type.Null()]),
  counts: Type.Object({ documents: Count, corrections: Count, chunks: Count }),
  /** Chunks by the language that their document was analysed in. */
  languages: Type.Record(Type.String({ pattern: '^[a-z]{2,3}$' }), Count),
  dropped: Type.Array(Number1),
  incomplete: Type.Array(Number1),
  entries: Type.Array(Type.Object({ name: Type.String({ maxLength: 100 }), bytes: Bytes, sha256: Sha256 })),
})

/** What the archive says of itself and its memory before all else. */
export type Head = Static<typeof HeadSchema>
/** A document as it stands in an archive; `number` counts from 1 there. */
export type ArchivedDocument = Static<typeof ArchivedDocumentSchema>
/** A chunk as it stands in an archive; its vectors are in entries of their own. */
export type ArchivedChunk = Static<typeof ArchivedChunkSchema>
/** What the archive says of itself after all else. */
export type Manifest = Static<typeof ManifestSchema>

type ReadJson<Value> = (json: string, entry: string) => Value

/**
 * Reads the JSON values of an archive by their schemas. All throw `invalid_archive` that names the
 * entry and the place, never the value; head and document also where no request could have made
 * such a memory or document.
 */
export type ArchiveReaders = {
  head: ReadJson<Head>
  document: ReadJson<ArchivedDocument>
  chunk: ReadJson<ArchivedChunk>
  manifest: ReadJson<Manifest>
}

/** Compiles the schemas. */
export async function createArchiveReaders(): Promise<ArchiveReaders> {
  // Loaded when first needed: 20 MB that a service without imports does not pay.
  const { Compile } = await import('typebox/schema')
  const head = createReader<Head>(Compile(HeadSchema))
  const document = createReader<ArchivedDocument>(Compile(ArchivedDocumentSchema))
  return {
    head: (json, entry) => checkHead(head(json, entry), entry),
    document: (json, entry) => checkDocument(document(json, entry), entry),
    chunk: createReader(Compile(ArchivedChunkSchema)),
    manifest: createReader(Compile(ManifestSchema)),
  }
}

type Checker = { Check(value: unknown): boolean; Errors(value: unknown): [boolean, { instancePath: string }[]] }

function createReader<Value>(validator: Checker): ReadJson<Value> {
  return (json, entry) => {
    const value = parse(json, entry)
    if (!validator.Check(value)) {
      const [, [first]] = validator.Errors(value)
      throw invalidArchive(`${entry} does not have the form of its kind at ${first?.instancePath || '/'}.`)
    }
    requireNoNul(value, entry)
    return value as Value
  }
}

/**
 * Throws `invalid_archive` for JSON, or lines of it, with more values than this or nested too deep.
 * To be asked before it is parsed: 64 MB hold 22 million empty arrays, pack to some hundred
 * kilobytes, and take a gigabyte and more as values.
 */
export function requireJsonBounds(json: Buffer, { entry, maxValues }: { entry: string; maxValues: number }): void {
  const excess = findExcess(json, { maxDepth: JSON_DEPTH, maxValues })
  if (excess === 'depth') throw invalidArchive(`${entry} is nested deeper than ${JSON_DEPTH} levels.`)
  if (excess === 'values') throw invalidArchive(`${entry} has more values than such an entry may have.`)
}

function parse(json: string, entry: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw invalidArchive(`${entry} has a line that is not JSON.`)
  }
}

/** PostgreSQL keeps no text with a NUL, and none of ours has one. */
function requireNoNul(value: unknown, entry: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidArchive(`${entry} has a text with a NUL character.`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      if (key.includes('\0')) throw invalidArchive(`${entry} has a text with a NUL character.`)
      requireNoNul(part, entry)
    }
  }
}

/**
 * What requests are held to beside their schemas: texts with something to see in them, times that
 * there are, and texts that every store keeps.
 */
/**
 * The head as it came; throws `invalid_archive` that names the field where no request could have
 * made such a memory.
 */
function checkHead(head: Head, entry: string): Head {
  requireWellFormed(head, entry)
  requireInk(head.memory.name, '/memory/name', entry)
  requireTime(head.memory.createdAt, '/memory/createdAt', entry)
  return head
}

/**
 * A document, cleaned as requests clean theirs: the name of its file is one of a file and no path,
 * no tag stands twice, and a title in which there is nothing to see is none. Throws
 * `invalid_archive` that names the field where no request could have made such a document.
 */
function checkDocument(document: ArchivedDocument, entry: string): ArchivedDocument {
  const { title, filename, tags, metadata, url, correction, createdAt, updatedAt } = document
  requireWellFormed(document, entry)
  for (const [place, tag] of tags.entries()) requireInk(tag, `/tags/${place}`, entry)
  const most = DOCUMENT_FIELDS.metadataCharactersInAll
  if (countMetadata(metadata) > most)
    throw refused('/metadata', entry, `has more than ${most} characters in all names and values`)
  requireTime(createdAt, '/createdAt', entry)
  requireTime(updatedAt, '/updatedAt', entry)
  if (url !== null && !URL.canParse(url)) throw refused('/url', entry, 'is no URL')
  if (correction !== null) checkCorrection(document, correction, entry)
  return {
    ...document,
    title: hasVisibleText(title) ? title : UNTITLED,
    filename: filename === null ? null : cleanFileName(filename),
    tags: [...new Set(tags)],
  }
}

function checkCorrection(
  { externalId, filename, url, metadata, originalBytes }: ArchivedDocument,
  { statement, topics, expiresAt }: NonNullable<ArchivedDocument['correction']>,
  entry: string,
): void {
  requireInk(statement, '/correction/statement', entry)
  for (const [place, topic] of topics.entries()) requireInk(topic, `/correction/topics/${place}`, entry)
  if (typeof expiresAt === 'string') requireTime(expiresAt, '/correction/expiresAt', entry)
  const strange = Object.entries({ externalId, filename, url, originalBytes }).find(([, value]) => value !== null)
  if (strange !== undefined) throw refused(`/${strange[0]}`, entry, 'is none of a correction')
  if (Object.keys(metadata).length > 0) throw refused('/metadata', entry, 'is none of a correction')
}

function requireInk(text: string, place: string, entry: string): void {
  if (!hasVisibleText(text)) throw refused(place, entry, 'has nothing to see in it')
}

/** Also of the right form it may be no time: the 30th of February. */
function requireTime(time: string, place: string, entry: string): void {
  const at = new Date(time)
  if (Number.isNaN(at.getTime()) || at.toISOString() !== time) throw refused(place, entry, 'is no time')
}

/** UTF-8 has no half of a surrogate pair: a store refuses it, or keeps something else. */
function requireWellFormed(value: unknown, entry: string, place = ''): void {
  if (typeof value === 'string' && !value.isWellFormed()) throw refused(place, entry, 'has half of a surrogate pair')
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    if (!key.isWellFormed()) throw refused(place, entry, 'has half of a surrogate pair')
    requireWellFormed(part, entry, `${place}/${key}`)
  }
}

function refused(place: string, entry: string, why: string): Error {
  return invalidArchive(`${entry} does not have the form of its kind: ${place.slice(0, 200)} ${why}.`)
}
