/**
 * Resources of memories.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */

export type ArchiveMember = {
  /** Path of the member in the archive. Empty once its document was deleted. */
  filename: string
  /**
   * `pending` until its job ends, and then `ready` or `partial` if its document is searchable.
   * Other members were not added, as a `duplicate` or with a message.
   */
  status: 'pending' | 'ready' | 'partial' | 'duplicate' | 'unsupported' | 'failed' | 'skipped'
  /** Document of the member. Null if it has none. */
  documentId: string | null
  /** Existing document with the same content. Null unless it is a duplicate. */
  duplicateOf: string | null
  /** Why the member was not added. A partial document has the reason in its field error. */
  message: string | null
}

export type ChangedCorrection = Correction & {
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type ChangedDocument = MemoryDocument & {
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type Chunk = {
  /** Identifier of the chunk, as `chunkId` in hits: the document and the index. */
  id: string
  /** Position among the chunks of the document, starting at 0. */
  index: number
  /** Text of the chunk: the slice of the extracted text between the offsets. */
  text: string
  /** Start in the extracted text, in UTF-16 code units. */
  startOffset: number
  /** End in the extracted text, in UTF-16 code units. */
  endOffset: number
  /** First page of the chunk. Null for formats without pages. */
  page: number | null
  /** Last page of the chunk. Null for formats without pages. */
  pageEnd: number | null
  /** Headings above the chunk. Null without a heading. */
  section: string | null
  /** Header row of the table of the chunk. Null outside of tables. */
  header: string | null
}

export type Correction = {
  /** Unique identifier of the correction. Starts with `doc_`: it is a document. */
  id: string
  /** Memory of the correction. */
  memoryId: string
  /** Statement of the correction. */
  statement: string
  /** Topics of the correction. */
  topics: string[]
  /** Weight of the correction relative to other corrections, above 0 and at most 10. */
  boost: number
  /**
   * Key that created the correction. Null without authentication. A memory key sees only itself.
   */
  createdBy: {
    /** Identifier of the key. */
    keyId: string
    /** Name of the key when it created the correction. Null if it had none. */
    name: string | null
  } | null
  /** Time from which searches ignore the correction. Null if it never expires. */
  expiresAt: string | null
  /** True if the correction has expired. Searches ignore expired corrections. */
  isExpired: boolean
  /**
   * Passages that the correction outranks or contradicts: the up to 5 closest to its statement.
   * Null if not computed: in lists without `include`, after the 20th correction of a request, and
   * if the search failed.
   */
  outranks: Outranked[] | null
  /**
   * Passages that the correction outranked in the most recent find, search, ask or extract request
   * that returned it, recorded within a second. Null if it never outranked a passage.
   */
  lastOutranked: LastOutranked | null
  /** Time at which the correction was created. ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

export type DeletedDocuments = {
  /** Number of documents that the request names. */
  matched: number
  /** Number of deleted documents. 0 with dryRun. */
  deleted: number
  /** True if nothing was deleted. */
  dryRun: boolean
  /** Entries of ids without a document in this memory. */
  notFound: string[]
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type MemoryDocument = {
  /** Unique identifier of the document. Starts with `doc_`. */
  id: string
  /** Memory of the document. */
  memoryId: string
  /** Title from the request, from the metadata of the file, or the file name. */
  title: string
  /** Name of the file. Null if the document was added as text. */
  filename: string | null
  /** Media type of the original, detected from its content, such as `application/pdf`. */
  mimeType: string
  /**
   * Source of the document: an uploaded file, a text, a download, an image (OCR), or a correction.
   */
  sourceType: 'file' | 'text' | 'url' | 'ocr' | 'correction'
  /** URL that the document was downloaded from. Null for other sources. */
  url: string | null
  /** Tags of the document. Searches and lists can filter by tag. */
  tags: string[]
  /** Key-value pairs that the caller attached to the document. Searches can filter by them. */
  metadata: Record<string, string | number | boolean | null>
  /** The caller's own identifier, unique within the memory. Null if none was given. */
  externalId: string | null
  /**
   * State of the document. Searches find `ready` and `partial` documents. Some pages of a `partial`
   * document could not be read.
   */
  status: 'pending' | 'processing' | 'ready' | 'partial' | 'failed'
  /** False if the caller has hidden the document from every search. */
  enabled: boolean
  /** Size of the original, in bytes. */
  sizeBytes: number
  /**
   * Number of pages, sheets or slides. Null for formats without pages, and until the document is
   * processed.
   */
  pageCount: number | null
  /** Number of pages whose text was recognized with OCR. */
  ocrPages: number
  /** Number of chunks. Searches return chunks as passages. */
  chunkCount: number
  /** Length of the extracted text in UTF-16 code units. All offsets use this unit. */
  characterCount: number
  /**
   * Hash of the extracted text, used to detect duplicates. Null until the document is processed.
   */
  contentHash: string | null
  /** Embedding model of the chunks. Null until the document is processed. */
  embeddingModel: string | null
  /** True if the original is stored. GET …/source returns it. */
  hasSource: boolean
  /** Job that added the document. Null if the request itself added it. */
  jobId: string | null
  /** Reason why the document failed or is incomplete. Null if it is complete. */
  error: string | null
  /** Time at which the document was added. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** Time of the last change. ISO 8601, UTC, with milliseconds. */
  updatedAt: string
  /** Content of a correction. Null for all other documents. */
  correction: {
    /** Statement of the correction. */
    statement: string
    /** Topics of the correction. */
    topics: string[]
    /** Weight of the correction relative to other corrections, above 0 and at most 10. */
    boost: number
    /** Time from which searches ignore the correction. Null if it never expires. */
    expiresAt: string | null
  } | null
}

export type DocumentWithPages = MemoryDocument & {
  /**
   * Processing result of every page, sheet or slide, up to 4 MB of results. A document without
   * pages counts as one page.
   */
  pages: Array<{
    /** Page number, starting at 1. */
    page: number
    /**
     * Source of the page text: the file itself, or OCR. `empty` if the page has no text, `failed`
     * if the page could not be read.
     */
    method: 'text' | 'ocr' | 'empty' | 'failed'
    /** Length of the page text, in UTF-16 code units. */
    characters: number
    /** OCR confidence, from 0 to 1. Null without OCR. */
    confidence: number | null
    /** Note about the page. Null if there is none. */
    message: string | null
  }>
}

export type Job = {
  /** Unique identifier of the job. Starts with `job_`. */
  id: string
  /** Memory of the job. Null for imports until the memory exists. */
  memoryId: string | null
  /** Type of the job: documentingestion, memoryimport or reembedding. */
  jobType: string
  /**
   * State of the job. Final states are `completed`, `failed`, and `partial` (done, but incomplete).
   */
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'partial'
  /** Progress in percent. */
  progress: number
  /** Current activity or result, for people. */
  message: string
  /** Result of the job. Present if the job is completed or partial. */
  result?: {
    /** Number of added documents. */
    documentsAdded: number
    /** Number of documents that deduplicate skipped. */
    documentsSkipped: number
    /** Number of chunks created. */
    chunksCreated: number
    /** Identifiers of the added documents. */
    documentIds: string[]
    /** Size of the added documents, in bytes. */
    totalBytes: number
    /** Processing time, in milliseconds. */
    processingMs: number
    /** Result for each member. Present if the file is a ZIP archive. */
    members?: ArchiveMember[]
    /**
     * Recognized text of an image sent to …/ocr, until the document is deleted: the first 32,768
     * characters. GET …/text has the whole text, and webhooks send no text.
     */
    text?: string
    /** Problems that did not stop the request. Empty if there were none. */
    warnings: Warning[]
  }
  /**
   * Cause of the failure, prefixed with the document title if the job adds a single document.
   * Present if the job failed.
   */
  error?: string
  /** Error code, as in error responses. Null if nothing failed. */
  errorCode: string | null
  /** True if the job ended incomplete. A retry processes the missing parts. */
  isPartial: boolean
  /** Number of times that a worker started the job. */
  attempts: number
  /** Time at which the job was created. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** Time at which a worker started the job. Null until then. */
  startedAt: string | null
  /** Time at which the job ended. Null until then. */
  completedAt: string | null
}

export type LastOutranked = {
  /** Time of that search. ISO 8601, UTC, with milliseconds. */
  at: string
  /** Best passages of that search, up to 5, without deleted ones. */
  passages: Array<{
    /** Document of the passage. */
    documentId: string
    /** Chunk of the passage: the document identifier and the chunk number. */
    chunkId: string
    /** Title of the document. */
    title: string
    /** First page of the passage, starting at 1. Null if the document has no pages. */
    page: number | null
    /** Start of the passage in the extracted text, in UTF-16 code units. */
    startOffset: number
    /** End of the passage in the extracted text, in UTF-16 code units. */
    endOffset: number
    /** Similarity of the passage to the statement, from 0 to 1. */
    score: number
    /** Parts of the score. */
    scores: {
      /** BM25 score. Null if the lexical search did not find the passage. */
      lexical: number | null
      /** Cosine similarity. Null if the vector search did not find the passage. */
      semantic: number | null
    }
  }>
}

export type Memory = {
  /** Unique identifier of the memory. Starts with `mem_`. */
  id: string
  /** Name of the memory. */
  name: string
  /** Description of the memory. Null if none was given. */
  description: string | null
  /** Project of the memory. Null if it has none. */
  projectId: string | null
  /** Name of the project. Null if the memory has none. */
  projectName: string | null
  /** State of the memory. Always `ready`. */
  status: 'ready'
  /** Number of searchable documents. Lists also include pending and failed ones. */
  documentCount: number
  /** Number of chunks of searchable documents. Searches return chunks as passages. */
  chunkCount: number
  /** Number of corrections. */
  correctionCount: number
  /** Bytes of stored originals plus extracted text (UTF-8). */
  sizeBytes: number
  /** Embedding model of the memory. Null until the first document is added. */
  embeddingModel: string | null
  /** Sizes of the chunks, from the creation of the memory. Null: the default. */
  chunking: {
    /** Maximum length of a chunk, in characters. */
    maxCharacters: number
    /**
     * Maximum length of the whole sentences that a chunk of prose repeats from the end of the one
     * before, in characters.
     */
    overlap: number
  } | null
  /** Time at which the memory was created. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** Time of the last change to the memory or its content. ISO 8601, UTC, with milliseconds. */
  updatedAt: string
}

export type Outranked = {
  /** Document of the passage. */
  documentId: string
  /** Chunk of the passage: the document identifier and the chunk number. */
  chunkId: string
  /** Title of the document. */
  title: string
  /** First page of the passage, starting at 1. Null if the document has no pages. */
  page: number | null
  /** Matching part of the passage, HTML-escaped. */
  snippet: string
  /** Similarity of the passage to the statement, from 0 to 1. */
  score: number
  /** Parts of the score. */
  scores: {
    /** BM25 score. Null if the lexical search did not find the passage. */
    lexical: number | null
    /** Cosine similarity. Null if the vector search did not find the passage. */
    semantic: number | null
  }
}

export type PageTotals = {
  /** Number of pages. A document without pages counts as one page. */
  pages: number
  /** Number of pages with text in the file itself. */
  text: number
  /** Number of pages whose text was recognized with OCR. */
  ocr: number
  /** Number of pages without text. */
  empty: number
  /** Number of pages that could not be read. */
  failed: number
  /** Documents with the most failed pages, worst first. */
  documents: Array<{
    /** Identifier of the document. */
    documentId: string
    /** Title of the document. */
    title: string
    /** Number of pages of the document that could not be read. */
    failed: number
  }>
}

export type TopScore = {
  /** Highest value of 1 - (1 - words) * (1 - meaning) among the first five passages. */
  score: number
  /**
   * Weighted sum of the shares of the best passage. The points of a part are share * weight * score
   * / total.
   */
  total: number
  /**
   * Share of the query's character 4-grams that occur in the passage. Null if words are not scored.
   */
  words: number | null
  /** Cosine similarity of the passage. Null if meaning is not scored. */
  meaning: number | null
  /** Explanation, with its numbers. */
  message: string
}

export type Warning = {
  /** Stable warning code, such as `unknown_field`. */
  code: string
  /** Description of the problem, for people. */
  message: string
  /** Request field that caused the warning. Null if there is none. */
  param: string | null
}
