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
import { CHUNK_CHARACTERS, DOCUMENT_FIELDS, JSON_DEPTH, MEMORY_DESCRIPTION_CHARACTERS } from '../../limits.ts'
import { hasVisibleText } from '../../text/characters.ts'
import { cleanFilePath } from '../../text/clean-file-name.ts'
import { findExcess } from '../json-excess.ts'
import { invalidArchive } from './archive-format.ts'

/** Range of integers in both databases. */
const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const DocumentNumber = Type.Integer({ minimum: 1, maximum: 99_999_999 })
const Time = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Text = Type.String()
/**
 * Messages about a document or page; our choice: room for a sentence on each of several thousand
 * pages.
 */
const MessageOrNull = Type.Union([Type.String({ maxLength: 1_000_000 }), Type.Null()])
const TextOrNull = Type.Union([Text, Type.Null()])
const CountOrNull = Type.Union([Count, Type.Null()])
const Model = Type.String({ minLength: 1, maxLength: 500 })

const HeadSchema = Type.Object({
  format: Type.Literal('recollect-memory'),
  version: Type.Literal(1),
  exportedAt: Time,
  memory: Type.Object({
    name: Type.String(MEMORY_NAME),
    description: Type.Union([Type.String({ maxLength: MEMORY_DESCRIPTION_CHARACTERS }), Type.Null()]),
    createdAt: Time,
    /** Absent: the default. */
    chunking: Type.Optional(
      Type.Object({
        maxCharacters: Type.Integer({ minimum: CHUNK_CHARACTERS.min, maximum: CHUNK_CHARACTERS.max }),
        overlap: Type.Integer({ minimum: 0, maximum: CHUNK_CHARACTERS.max / 2 }),
      }),
    ),
  }),
  /** `null`: the memory has no embeddings. */
  embedder: Type.Union([Type.Object({ model: Model }), Type.Null()]),
})

const PageSchema = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  method: Type.Enum(['text', 'ocr', 'empty', 'failed']),
  characters: Count,
  confidence: Type.Union([Type.Number(), Type.Null()]),
  message: MessageOrNull,
})

const ArchivedDocumentSchema = Type.Object({
  number: DocumentNumber,
  externalId: Type.Union([Type.String(EXTERNAL_ID), Type.Null()]),
  // Blank titles are allowed, as file names may be blank.
  title: Type.String({ minLength: TITLE.minLength, maxLength: TITLE.maxLength }),
  filename: TextOrNull,
  // Sent as a response header.
  mimeType: Type.String({ pattern: '^[!-~][ -~]{0,254}$' }),
  sourceType: Type.Enum(['file', 'text', 'url', 'ocr', 'correction']),
  // Rendered as a link in the console, so only http(s) is allowed; stored as the caller wrote the
  // URL.
  url: Type.Union([Type.String({ maxLength: URL_CHARACTERS, pattern: '^\\s*[Hh][Tt][Tt][Pp][Ss]?:' }), Type.Null()]),
  tags: TagsSchema,
  metadata: MetadataSchema,
  status: Type.Enum(['ready', 'partial']),
  /** False: hidden from searches. Absent: true. */
  enabled: Type.Optional(Type.Boolean()),
  error: MessageOrNull,
  sizeBytes: Bytes,
  pageCount: CountOrNull,
  ocrPages: Count,
  chunkCount: Count,
  characterCount: Count,
  contentHash: Type.Union([Sha256, Type.Null()]),
  /** MinHash of the text: 128 unsigned 32-bit numbers, little-endian, base64. */
  signature: Type.Union([Type.String({ pattern: '^[A-Za-z0-9+/]{683}=$' }), Type.Null()]),
  language: Type.Union([Type.String({ pattern: '^[a-z]{2,3}$' }), Type.Null()]),
  pages: Type.Array(PageSchema),
  correction: Type.Union([
    Type.Object({
      statement: StatementSchema,
      topics: TopicsSchema,
      boost: Type.Number(BOOST),
      /** Expiry; absent without one. */
      expiresAt: Type.Optional(Type.Union([Time, Type.Null()])),
    }),
    Type.Null(),
  ]),
  /** `null`: the text is a separate entry. */
  text: TextOrNull,
  /** `null`: no original was stored. */
  originalBytes: Type.Union([Bytes, Type.Null()]),
  /** SHA-256 of the original; absent or `null` when the exporting version recorded none. */
  originalHash: Type.Optional(Type.Union([Sha256, Type.Null()])),
  createdAt: Time,
  updatedAt: Time,
})

const ArchivedChunkSchema = Type.Object({
  document: DocumentNumber,
  index: Count,
  text: Text,
  terms: Text,
  startOffset: Count,
  endOffset: Count,
  page: CountOrNull,
  pageEnd: CountOrNull,
  section: TextOrNull,
  header: TextOrNull,
  /** Number of window vectors of this chunk. */
  windows: Count,
})

const ManifestSchema = Type.Object({
  format: Type.Literal('recollect-memory'),
  version: Type.Literal(1),
  embedder: Type.Union([Type.Object({ model: Model, dimensions: Count }), Type.Null()]),
  counts: Type.Object({ documents: Count, corrections: Count, chunks: Count }),
  /** Chunks per language of their documents. */
  languages: Type.Record(Type.String({ pattern: '^[a-z]{2,3}$' }), Count),
  dropped: Type.Array(DocumentNumber),
  incomplete: Type.Array(DocumentNumber),
  entries: Type.Array(Type.Object({ name: Type.String({ maxLength: 100 }), bytes: Bytes, sha256: Sha256 })),
})

/** First entry: format, memory and embedding model. */
export type ArchiveHead = Static<typeof HeadSchema>
/** A document in an archive; `number` counts from 1. */
export type ArchivedDocument = Static<typeof ArchivedDocumentSchema>
/** A chunk in an archive; vectors are separate entries. */
export type ArchivedChunk = Static<typeof ArchivedChunkSchema>
/** Last entry: counts and checksums. */
export type Manifest = Static<typeof ManifestSchema>

type ReadJson<Value> = (json: string, entry: string) => Value

/**
 * Readers of the JSON values of an archive. All throw `invalid_archive` with the entry and the
 * path, never the value. `head` and `document` also reject values that no request could have
 * created.
 */
export type ArchiveReaders = {
  head: ReadJson<ArchiveHead>
  document: ReadJson<ArchivedDocument>
  chunk: ReadJson<ArchivedChunk>
  manifest: ReadJson<Manifest>
}

/** Compiles the schemas on first use. */
export async function createArchiveReaders(): Promise<ArchiveReaders> {
  // Loaded on first use: 20 MB that a service without imports does not need.
  const { Compile } = await import('typebox/schema')
  const head = createReader<ArchiveHead>(Compile(HeadSchema))
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
      throw invalidArchive(`${entry} does not match its schema at ${first?.instancePath || '/'}.`)
    }
    requireNoNul(value, entry)
    return value as Value
  }
}

/**
 * Throws `invalid_archive` for JSON (or JSON lines) with too many values or too deep nesting. Call
 * before parsing: 64 MB hold 22 million empty arrays, compress to some hundred kilobytes, and need
 * over a gigabyte once parsed.
 */
export function requireJsonBounds(json: Buffer, { entry, maxValues }: { entry: string; maxValues: number }): void {
  const excess = findExcess(json, { maxDepth: JSON_DEPTH, maxValues })
  if (excess === 'depth') throw invalidArchive(`${entry} is nested deeper than ${JSON_DEPTH} levels.`)
  if (excess === 'values') throw invalidArchive(`${entry} has too many JSON values.`)
}

function parse(json: string, entry: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw invalidArchive(`${entry} contains a line that is not valid JSON.`)
  }
}

/** PostgreSQL cannot store NUL, and no text of an export has a NUL. */
function requireNoNul(value: unknown, entry: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidArchive(`${entry} contains a NUL character.`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      if (key.includes('\0')) throw invalidArchive(`${entry} contains a NUL character.`)
      requireNoNul(part, entry)
    }
  }
}

/**
 * Returns the head unchanged; throws `invalid_archive` with the field when no request could have
 * created such a memory.
 */
function checkHead(head: ArchiveHead, entry: string): ArchiveHead {
  requireWellFormed(head, entry)
  requireVisibleText(head.memory.name, '/memory/name', entry)
  requireTime(head.memory.createdAt, '/memory/createdAt', entry)
  const { maxCharacters, overlap } = head.memory.chunking ?? { maxCharacters: 0, overlap: 0 }
  if (overlap > maxCharacters / 2) throw invalidArchive(`${entry} has an invalid value at /memory/chunking/overlap.`)
  return head
}

/**
 * Normalizes a document as requests do: a clean file name, unique tags, `Untitled` for a blank
 * title. Throws `invalid_archive` with the field when no request could have created such a
 * document.
 */
function checkDocument(document: ArchivedDocument, entry: string): ArchivedDocument {
  const { title, filename, tags, metadata, url, correction, createdAt, updatedAt } = document
  requireWellFormed(document, entry)
  for (const [place, tag] of tags.entries()) requireVisibleText(tag, `/tags/${place}`, entry)
  const most = DOCUMENT_FIELDS.metadataCharactersInAll
  if (countMetadata(metadata) > most)
    throw fieldError('/metadata', entry, `must have at most ${most} characters in all names and values`)
  requireTime(createdAt, '/createdAt', entry)
  requireTime(updatedAt, '/updatedAt', entry)
  if (url !== null && !URL.canParse(url)) throw fieldError('/url', entry, 'is not a URL')
  if (correction !== null) checkCorrection(document, correction, entry)
  return {
    ...document,
    title: hasVisibleText(title) ? title : UNTITLED,
    filename: filename === null ? null : cleanFilePath(filename),
    tags: [...new Set(tags)],
  }
}

function checkCorrection(
  { externalId, filename, url, metadata, originalBytes }: ArchivedDocument,
  { statement, topics, expiresAt }: NonNullable<ArchivedDocument['correction']>,
  entry: string,
): void {
  requireVisibleText(statement, '/correction/statement', entry)
  for (const [place, topic] of topics.entries()) requireVisibleText(topic, `/correction/topics/${place}`, entry)
  if (typeof expiresAt === 'string') requireTime(expiresAt, '/correction/expiresAt', entry)
  const strange = Object.entries({ externalId, filename, url, originalBytes }).find(([, value]) => value !== null)
  if (strange !== undefined) throw fieldError(`/${strange[0]}`, entry, 'is not allowed for a correction')
  if (Object.keys(metadata).length > 0) throw fieldError('/metadata', entry, 'is not allowed for a correction')
}

function requireVisibleText(text: string, place: string, entry: string): void {
  if (!hasVisibleText(text)) throw fieldError(place, entry, 'must not be blank')
}

/** A well-formed timestamp may still be invalid: February 30. */
function requireTime(time: string, place: string, entry: string): void {
  const at = new Date(time)
  if (Number.isNaN(at.getTime()) || at.toISOString() !== time) throw fieldError(place, entry, 'is not a valid time')
}

/** UTF-8 cannot encode half a surrogate pair: stores reject or alter the text. */
function requireWellFormed(value: unknown, entry: string, place = ''): void {
  if (typeof value === 'string' && !value.isWellFormed())
    throw fieldError(place, entry, 'contains half of a surrogate pair')
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    if (!key.isWellFormed()) throw fieldError(place, entry, 'contains half of a surrogate pair')
    requireWellFormed(part, entry, `${place}/${key}`)
  }
}

function fieldError(place: string, entry: string, why: string): Error {
  return invalidArchive(`${entry} is invalid: ${place.slice(0, 200)} ${why}.`)
}
