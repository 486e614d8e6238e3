import { type Static, Type } from 'typebox'
import {
  BOOST,
  EXTERNAL_ID,
  MEMORY_NAME,
  MetadataSchema,
  StatementSchema,
  TagsSchema,
  TITLE,
  TopicsSchema,
  URL_CHARACTERS,
} from '../../api/fields.ts'
import { MEMORY_DESCRIPTION_CHARACTERS } from '../../limits.ts'

/** Whole numbers as both databases keep them. */
const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Number1 = Type.Integer({ minimum: 1, maximum: 99_999_999 })
const Time = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Text = Type.String()
/** What the service says of a document and its pages; our choice: a sentence for each of some thousand pages. */
const SaidOrNull = Type.Union([Type.String({ maxLength: 1_000_000 }), Type.Null()])
const TextOrNull = Type.Union([Text, Type.Null()])
const CountOrNull = Type.Union([Count, Type.Null()])
const Model = Type.String({ minLength: 1, maxLength: 500 })

/** `memory.json`. */
export const HeadSchema = Type.Object({
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
export const ArchivedDocumentSchema = Type.Object({
  number: Number1,
  externalId: Type.Union([Type.String(EXTERNAL_ID), Type.Null()]),
  // Also one of nothing to see, as the name of a file may be.
  title: Type.String({ minLength: TITLE.minLength, maxLength: TITLE.maxLength }),
  filename: TextOrNull,
  // It becomes a header of an answer.
  mimeType: Type.String({ pattern: '^[!-~][ -~]{0,254}$' }),
  sourceType: Type.Enum(['file', 'text', 'url', 'ocr', 'correction']),
  // It becomes a link of the console, which may not run what it leads to. It stands there as its caller wrote it.
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
  /** SHA-256 of the original as it was added; absent or `null` where the exporting version noted none. */
  originalHash: Type.Optional(Type.Union([Sha256, Type.Null()])),
  createdAt: Time,
  updatedAt: Time,
})

/** A line of `chunks/…`. */
export const ArchivedChunkSchema = Type.Object({
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
export const ManifestSchema = Type.Object({
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
