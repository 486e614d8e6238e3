/** What is looked for in a memory, and what is found. */
import { type Static, Type } from 'typebox'
import { DOCUMENT_FIELDS, HITS, QUERY_CHARACTERS } from '../limits.ts'
import { DOCUMENT_EXAMPLE } from './document.ts'
import { DocumentExplanationSchema, EXPLANATION_EXAMPLE, HitExplanationSchema } from './explanation.ts'
import { MetadataSchema, Scalar, SOMETHING, TagSchema } from './fields.ts'
import { HANDBOOK, IDS, PASSAGE_END, PASSAGE_ID, PASSAGE_START, PASSAGE_TEXT, QUESTION, REFUNDS } from './story.ts'
import { Count, List, Nullable, NullableTimestamp, OneOf, Share, Text, Timestamp, WarningsSchema } from './values.ts'

const QUERY = Type.String({
  ...SOMETHING,
  maxLength: QUERY_CHARACTERS,
  description: 'What is looked for: words, or a question in whole sentences.',
})
const HIT_COUNT = Type.Integer({
  minimum: 1,
  maximum: HITS.max,
  default: HITS.default,
  description: 'The most passages of the answer.',
})

/** Documents that one filter may name, our choice. */
const FILTER_DOCUMENTS = 1000

const FilterSchema = Type.Object(
  {
    tags: Type.Optional(
      List(TagSchema, 'Only documents with all of these tags are found.', { maxItems: DOCUMENT_FIELDS.tags }),
    ),
    documentIds: Type.Optional(
      List(Type.String(), 'Only these documents are found; none where the list is empty.', {
        maxItems: FILTER_DOCUMENTS,
      }),
    ),
    metadata: Type.Optional(MetadataSchema),
  },
  { description: 'Which documents may be found. All conditions hold together.' },
)

/** The body of find. */
export const FindBody = Type.Object({
  query: QUERY,
  topK: Type.Optional(HIT_COUNT),
  options: Type.Optional(
    Type.Object(
      {
        mode: Type.Optional(
          OneOf(
            ['hybrid', 'semantic', 'lexical', 'auto'],
            'How to search: by words, by meaning or by both; auto, the default, decides.',
          ),
        ),
        limit: Type.Optional(HIT_COUNT),
        highlight: Type.Optional(
          Type.Boolean({ default: false, description: 'Whether matches in snippet are wrapped in mark tags.' }),
        ),
        explain: Type.Optional(
          Type.Boolean({ default: false, description: 'Whether the answer says why each hit has its score.' }),
        ),
        explainDocumentId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'A document of which the answer says where it stands, or why it does not.',
          }),
        ),
        filter: Type.Optional(FilterSchema),
      },
      { description: 'How to search. limit goes before topK.' },
    ),
  ),
})

/** The body of search. */
export const SearchBody = Type.Object({ query: QUERY, limit: Type.Optional(HIT_COUNT) })

/** Since when and until when a correction holds; `null` for a document. */
export const CorrectionMarkSchema = Nullable(
  Type.Object({
    createdAt: Timestamp('When the correction was made.'),
    expiresAt: NullableTimestamp('When the correction stops being found; null where it never does.'),
  }),
  'Since when and until when a correction holds; null for a document.',
)

/** What every passage that is shown says of itself and its place. */
export const PASSAGE_FIELDS = {
  documentId: Text('The document of the passage.'),
  chunkId: Text('The chunk of the passage: the identifier of the document and the number of the chunk.'),
  title: Text('The title of the document.'),
  page: Nullable(
    Type.Integer({ minimum: 0 }),
    'The page on which the passage begins, from 1; null where the document has no pages.',
  ),
  startOffset: Count('Where the passage begins in the extracted text, in UTF-16 code units.'),
  endOffset: Count('Where the passage ends in the extracted text, in UTF-16 code units.'),
}

/** The embedder finds something near to any query, so this is no number of answers. */
const TOTAL_HITS = Count(
  'The passages that were ranked for the query, at most a few hundred. Their score says how well they fit.',
)
const TOOK_MS = Type.Number({ minimum: 0, description: 'The time that the search took, in milliseconds.' })
const KIND = OneOf(['document', 'correction'], 'What the passage is of: a document or a correction.')

/** What tells a passage's document from a correction. */
export const KIND_FIELDS = { kind: KIND, correction: CorrectionMarkSchema }

const HIT_FIELDS = {
  rank: Type.Integer({ minimum: 1, description: 'The place of the hit, from 1.' }),
  score: Share('How well the passage fits, from 0 to 1. It falls with the rank among documents.'),
  documentId: PASSAGE_FIELDS.documentId,
  chunkId: PASSAGE_FIELDS.chunkId,
  title: PASSAGE_FIELDS.title,
  text: Text('The whole passage: exactly what stands from startOffset to endOffset of the extracted text.'),
  snippet: Text('A part of the passage that fits, HTML-escaped; matches in mark tags where highlight is asked for.'),
  page: PASSAGE_FIELDS.page,
}

const HitSchema = Type.Object(
  {
    ...HIT_FIELDS,
    scores: Type.Object(
      {
        lexical: Nullable(Type.Number(), 'The BM25 of the words; null where that search did not find the passage.'),
        semantic: Nullable(
          Type.Number(),
          'The cosine of the meaning; null where that search did not find the passage.',
        ),
        fused: Nullable(Type.Number(), 'What both searches come to together; null where they were not combined.'),
        rerank: Nullable(Type.Number(), 'The score after reranking; null where nothing was reranked.'),
        boost: Type.Number({ description: 'How much a correction counts, above 0 and at most 10; 1 for a document.' }),
      },
      { description: 'The parts of the score.' },
    ),
    ...KIND_FIELDS,
    chunkIndex: Count('The number of the chunk in its document, from 0.'),
    filename: Nullable(Type.String(), 'The name of the file; null where the document came as text.'),
    url: Nullable(Type.String(), 'The address that the document was downloaded from; null where it came otherwise.'),
    pageEnd: Nullable(
      Type.Integer({ minimum: 0 }),
      'The page on which the passage ends; null where the document has no pages.',
    ),
    section: Nullable(Type.String(), 'The headings above the passage, outermost first; null where there are none.'),
    header: Nullable(
      Type.String(),
      'The header row above the rows of a table, which is not part of text; null where there is none.',
    ),
    startOffset: PASSAGE_FIELDS.startOffset,
    endOffset: PASSAGE_FIELDS.endOffset,
    tags: List(Type.String(), 'The tags of the document.'),
    metadata: Type.Record(Type.String(), Scalar, { description: 'What the caller noted of the document, by name.' }),
    createdAt: Timestamp('When the document was added.'),
    explanation: Type.Optional(HitExplanationSchema),
  },
  { $id: 'Hit', description: 'A passage that was found.' },
)

/** A passage that was found. */
export type HitResource = Static<typeof HitSchema>

/** The answer of find. */
export const FindAnswerSchema = Type.Object(
  {
    query: Text('What was looked for.'),
    mode: OneOf(
      ['hybrid', 'semantic', 'lexical'],
      'How was searched. Where that is not what was asked, a warning says why.',
    ),
    totalHits: TOTAL_HITS,
    tookMs: TOOK_MS,
    hits: List(HitSchema, 'The passages, corrections first and then the best first.'),
    warnings: WarningsSchema,
    explainedDocument: Type.Optional(DocumentExplanationSchema),
  },
  { $id: 'FindAnswer', description: 'What a find found.' },
)

/** What a find found. */
export type FindAnswer = Static<typeof FindAnswerSchema>

/** How was searched. */
export type SearchMode = FindAnswer['mode']

/** The answer of search. */
export const SearchAnswerSchema = Type.Object(
  {
    query: Text('What was looked for.'),
    hits: List(Type.Object(HIT_FIELDS), 'The passages, corrections first and then the best first.'),
    totalHits: TOTAL_HITS,
    tookMs: TOOK_MS,
  },
  { $id: 'SearchAnswer', description: 'What a search found.' },
)

/** What a search found. */
export type SearchAnswer = Static<typeof SearchAnswerSchema>

const HIT = { rank: 1, score: 0.912, documentId: IDS.document, chunkId: PASSAGE_ID, title: HANDBOOK }

/** The passage on refunds. */
export const HIT_EXAMPLE: HitResource = {
  ...HIT,
  scores: { lexical: 0.575, semantic: 0.432, fused: 1, rerank: 0.912, boost: 1 },
  kind: 'document',
  correction: null,
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

/** The answer of find. */
const FIND_EXAMPLE: FindAnswer = {
  query: QUESTION,
  mode: 'hybrid',
  totalHits: 1,
  tookMs: 21,
  hits: [HIT_EXAMPLE],
  warnings: [],
}

/** The answer of search. */
const SEARCH_EXAMPLE: SearchAnswer = {
  query: QUESTION,
  hits: [{ ...HIT, text: PASSAGE_TEXT, snippet: REFUNDS, page: null }],
  totalHits: 1,
  tookMs: 18,
}

/** The examples of a find and of a search. */
export const SEARCH_EXAMPLES = { find: FIND_EXAMPLE, search: SEARCH_EXAMPLE }
