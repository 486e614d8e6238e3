/** Requests and responses of find and search. */
import { type Static, Type } from 'typebox'
import { HITS, QUERY_CHARACTERS, SEVERAL_MEMORIES } from '../limits.ts'
import { DOCUMENT_EXAMPLE, FilterOptions, FilterSchema } from './document.ts'
import {
  HANDBOOK,
  IDS,
  PASSAGE_END,
  PASSAGE_ID,
  PASSAGE_START,
  PASSAGE_TEXT,
  QUESTION,
  REFUNDS,
} from './example-data.ts'
import { DocumentExplanationSchema, EXPLANATION_EXAMPLE, HitExplanationSchema } from './explanation.ts'
import { NON_BLANK, Scalar } from './fields.ts'
import {
  Count,
  List,
  Nullable,
  NullableTimestamp,
  OneOf,
  OPTIONAL_WARNINGS,
  Share,
  Text,
  Timestamp,
  WarningsSchema,
} from './values.ts'

const QUERY = Type.String({
  ...NON_BLANK,
  maxLength: QUERY_CHARACTERS,
  description: 'Query: keywords or a question.',
})
const HIT_COUNT = Type.Integer({
  minimum: 1,
  maximum: HITS.max,
  default: HITS.default,
  description: 'Maximum number of hits.',
})

const FIND_OPTIONS = {
  mode: Type.Optional(
    OneOf(
      ['hybrid', 'semantic', 'lexical', 'auto'],
      'Search mode: lexical (keywords), semantic (vectors) or hybrid (both). Defaults to `auto`, which ' +
        'chooses one.',
    ),
  ),
  limit: Type.Optional(HIT_COUNT),
  highlight: Type.Optional(
    Type.Boolean({ default: false, description: 'If true, wraps matches in `snippet` in `<mark>` tags.' }),
  ),
  minScore: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0,
      description: 'Documents with a lower score are not returned or counted. Does not apply to corrections.',
    }),
  ),
  collapseDuplicates: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'If true, passages with the same text are one hit with the number of its `duplicates`.',
    }),
  ),
  explain: Type.Optional(Type.Boolean({ default: false, description: 'If true, explains the score of each hit.' })),
  filter: Type.Optional(FilterSchema),
}

const OPTIONS_NOTE = { description: 'Search options. `limit` takes precedence over `topK`.' }

/** Request body of find. */
export const FindBody = Type.Object({
  query: QUERY,
  topK: Type.Optional(HIT_COUNT),
  options: Type.Optional(
    Type.Object(
      {
        ...FIND_OPTIONS,
        cursor: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description:
              '`nextCursor` of the answer before, to read the hits after it. The other fields must be the same.',
          }),
        ),
        explainDocumentId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'Document to explain: its rank, or the reason why it is not among the hits.',
          }),
        ),
      },
      OPTIONS_NOTE,
    ),
  ),
})

/** Fields that select several memories. */
export const MEMORIES_FIELDS = {
  memoryIds: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: SEVERAL_MEMORIES,
      description: 'Memories to search. Required unless projectId is given.',
    }),
  ),
  projectId: Type.Optional(Text(`Project whose memories are searched, at most ${SEVERAL_MEMORIES}.`)),
}

/** Request body of a find in several memories. */
export const FindAcrossBody = Type.Object({
  query: QUERY,
  topK: Type.Optional(HIT_COUNT),
  ...MEMORIES_FIELDS,
  options: Type.Optional(Type.Object(FIND_OPTIONS, OPTIONS_NOTE)),
})

/** Memory of a passage, in searches of several memories. */
export const OWNER_FIELD = {
  memoryId: Type.Optional(Text('Memory of the passage. Only present if several memories were searched.')),
}

/** Request body of search. */
export const SearchBody = Type.Object({
  query: QUERY,
  limit: Type.Optional(HIT_COUNT),
  options: Type.Optional(FilterOptions),
})

/** Validity of a correction; `null` for a document. */
export const CorrectionMarkSchema = Nullable(
  Type.Object({
    createdAt: Timestamp('Time at which the correction was created.'),
    expiresAt: NullableTimestamp('Time from which searches ignore the correction. Null if it never expires.'),
  }),
  'Creation and expiry time of a correction. Null for a document.',
)

/** Fields that locate a passage. */
export const PASSAGE_FIELDS = {
  documentId: Text('Document of the passage.'),
  chunkId: Text('Chunk of the passage: the document identifier and the chunk number.'),
  title: Text('Title of the document.'),
  page: Nullable(
    Type.Integer({ minimum: 0 }),
    'First page of the passage, starting at 1. Null if the document has no pages.',
  ),
  startOffset: Count('Start of the passage in the extracted text, in UTF-16 code units.'),
  endOffset: Count('End of the passage in the extracted text, in UTF-16 code units.'),
}

const TOTAL_HITS = Count(
  'Number of matching passages, at most a few hundred. It includes weak matches; see `score`. Copies that a hit ' +
    'represents are not counted. 0 if nothing in the memory matches.',
)
const TOTAL_HITS_RELATION = OneOf(['eq', 'gte'], '`eq` if `totalHits` is exact, `gte` if further passages match.')
const TOOK_MS = Type.Number({ minimum: 0, description: 'Search time, in milliseconds.' })
const KIND = OneOf(['document', 'correction'], 'Source of the passage: a document or a correction.')

/** Fields that distinguish documents from corrections. */
export const KIND_FIELDS = { kind: KIND, correction: CorrectionMarkSchema }

const HIT_FIELDS = {
  kind: KIND,
  rank: Type.Integer({ minimum: 1, description: 'Rank of the hit, starting at 1.' }),
  score: Share('Relevance, from 0 to 1. Document hits are sorted by descending score.'),
  documentId: PASSAGE_FIELDS.documentId,
  chunkId: PASSAGE_FIELDS.chunkId,
  title: PASSAGE_FIELDS.title,
  text: Text('Full text of the passage: the extracted text from startOffset to endOffset.'),
  snippet: Text('Matching part of the passage, HTML-escaped. Matches are in `<mark>` tags if highlight is true.'),
  page: PASSAGE_FIELDS.page,
}

const HitSchema = Type.Object(
  {
    ...HIT_FIELDS,
    scores: Type.Object(
      {
        lexical: Nullable(Type.Number(), 'BM25 score. Null if the lexical search did not find the passage.'),
        semantic: Nullable(Type.Number(), 'Cosine similarity. Null if the vector search did not find the passage.'),
        fused: Nullable(Type.Number(), 'Combined score of both retrievers. Null if only one ran.'),
        rerank: Nullable(Type.Number(), 'Score after reranking. Null if nothing was reranked.'),
        boost: Type.Number({ description: 'Weight of a correction, above 0 and at most 10. 1 for a document.' }),
      },
      { description: 'Parts of the score.' },
    ),
    ...KIND_FIELDS,
    duplicates: Count(
      'Number of further passages with the same text, which differ in case, white space or punctuation only. ' +
        '0 if collapseDuplicates is false.',
    ),
    chunkIndex: Count('Number of the chunk in its document, starting at 0.'),
    filename: Nullable(Type.String(), 'Name of the file. Null if the document was added as text.'),
    url: Nullable(Type.String(), 'URL that the document was downloaded from. Null for other sources.'),
    pageEnd: Nullable(Type.Integer({ minimum: 0 }), 'Last page of the passage. Null if the document has no pages.'),
    section: Nullable(Type.String(), 'Headings above the passage, outermost first. Null if there are none.'),
    header: Nullable(
      Type.String(),
      'Header row of the table, if the passage consists of table rows. It is not part of `text`. Null otherwise.',
    ),
    startOffset: PASSAGE_FIELDS.startOffset,
    endOffset: PASSAGE_FIELDS.endOffset,
    tags: List(Type.String(), 'Tags of the document.'),
    metadata: Type.Record(Type.String(), Scalar, { description: 'Metadata of the document.' }),
    createdAt: Timestamp('Time at which the document was added.'),
    explanation: Type.Optional(HitExplanationSchema),
    ...OWNER_FIELD,
  },
  { $id: 'Hit', description: 'A passage that matches a query.' },
)

/** A passage that matches a query. */
export type HitResource = Static<typeof HitSchema>

/** Response of find. */
export const FindAnswerSchema = Type.Object(
  {
    query: Text('Query from the request.'),
    mode: OneOf(
      ['hybrid', 'semantic', 'lexical'],
      'Search mode that was used. If it differs from the requested mode, a warning says why.',
    ),
    totalHits: TOTAL_HITS,
    totalHitsRelation: TOTAL_HITS_RELATION,
    tookMs: TOOK_MS,
    hits: List(HitSchema, 'Hits: corrections first, then documents by descending score.'),
    nextCursor: Nullable(
      Type.String(),
      'Cursor of the next hits, for `options.cursor`. Null if there are none, and for several memories.',
    ),
    warnings: WarningsSchema,
    explainedDocument: Type.Optional(DocumentExplanationSchema),
  },
  { $id: 'FindAnswer', description: 'Result of a find request.' },
)

/** Result of a find request. */
export type FindAnswer = Static<typeof FindAnswerSchema>

/** Search mode that was used. */
export type SearchMode = FindAnswer['mode']

/** Response of search. */
export const SearchAnswerSchema = Type.Object(
  {
    query: Text('Query from the request.'),
    hits: List(Type.Object(HIT_FIELDS), 'Hits: corrections first, then documents by descending score.'),
    totalHits: TOTAL_HITS,
    totalHitsRelation: TOTAL_HITS_RELATION,
    tookMs: TOOK_MS,
    ...OPTIONAL_WARNINGS,
  },
  { $id: 'SearchAnswer', description: 'Result of a search request.' },
)

/** Result of a search request. */
export type SearchAnswer = Static<typeof SearchAnswerSchema>

const HIT = { rank: 1, score: 0.912, documentId: IDS.document, chunkId: PASSAGE_ID, title: HANDBOOK }

/** Example hit: the passage on refunds. */
export const HIT_EXAMPLE: HitResource = {
  ...HIT,
  scores: { lexical: 0.575, semantic: 0.432, fused: 1, rerank: 0.912, boost: 1 },
  kind: 'document',
  correction: null,
  duplicates: 0,
  chunkIndex: 0,
  filename: DOCUMENT_EXAMPLE.filename,
  url: null,
  text: PASSAGE_TEXT,
  page: null,
  pageEnd: null,
  section: `${HANDBOOK} > Refunds`,
  header: null,
  startOffset: PASSAGE_START,
  endOffset: PASSAGE_END,
  tags: DOCUMENT_EXAMPLE.tags,
  metadata: DOCUMENT_EXAMPLE.metadata,
  createdAt: DOCUMENT_EXAMPLE.createdAt,
  snippet: '<mark>Refunds</mark> go back to the card that paid, within five working days.',
  explanation: EXPLANATION_EXAMPLE,
}

/** Example response of find. */
const FIND_EXAMPLE: FindAnswer = {
  query: QUESTION,
  mode: 'hybrid',
  totalHits: 1,
  totalHitsRelation: 'eq',
  tookMs: 21,
  hits: [HIT_EXAMPLE],
  nextCursor: null,
  warnings: [],
}

/** Example response of search. */
const SEARCH_EXAMPLE: SearchAnswer = {
  query: QUESTION,
  hits: [{ ...HIT, kind: 'document', text: PASSAGE_TEXT, snippet: REFUNDS, page: null }],
  totalHits: 1,
  totalHitsRelation: 'eq',
  tookMs: 18,
}

/** Examples of find and search. */
export const SEARCH_EXAMPLES = {
  find: FIND_EXAMPLE,
  findAcross: { ...FIND_EXAMPLE, hits: [{ ...HIT_EXAMPLE, memoryId: IDS.memory }] },
  search: SEARCH_EXAMPLE,
}
