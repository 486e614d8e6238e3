/**
 * Answers of the API.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type { Citation, DocumentExplanation, ExtractedField, Grounding, Hit, Source } from './findings.ts'
import type { ArchiveMember, Job, Warning } from './resources.ts'

export type AcceptedDocuments = AcceptedJob & {
  /**
   * Reason for the background job: the file or unpacked archive is larger than 2 MB, it has over 5
   * scanned pages, or async is set.
   */
  reason: 'file_over_sync_threshold' | 'scanned_pages' | 'async_requested'
  /** Identifiers of the documents that the job adds. */
  documentIds: string[]
  /** Result for each member. Present if the file is a ZIP archive. */
  members?: ArchiveMember[]
}

export type AcceptedJob = {
  /** Identifier of the background job. */
  jobId: string
  /** Path of the job, relative to the base URL. */
  pollUrl: string
  /** State of the job. */
  status: 'pending'
  job: Job
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type AddedDocuments = {
  /** Always `completed`. */
  status: 'completed'
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
  /**
   * Result for each document, in request order. Trailing items are omitted if the response would
   * exceed 4 MB.
   */
  documents: Array<{
    /** Identifier of the new document. Null if it was skipped. */
    id: string | null
    /** Title of the document. */
    title: string
    /**
     * `ready` if the document is searchable, `partial` if it is searchable but some pages could not
     * be read, `duplicate` if it was skipped.
     */
    status: 'ready' | 'partial' | 'duplicate'
    /** Number of chunks of the document. */
    chunkCount: number
    /** Existing document with the same content. Null unless this one was skipped. */
    duplicateOf: string | null
  }>
  /** Result for each member. Present if the file is a ZIP archive. */
  members?: ArchiveMember[]
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type AskAnswer = {
  /** Question from the request. */
  question: string
  /**
   * Answer with citation marks [n]. Only the marks listed in `citations` are citations; quoted text
   * can contain other brackets.
   */
  answer: string
  /** Model that answered. `extractive` if no language model is configured. */
  model: string
  /** Model named in the request. */
  requestedModel: string
  /**
   * True if the question was answered. False if nothing relevant was found, or if the sources do
   * not support the text of the model; `answer` then says so.
   */
  answered: boolean
  /** Confidence in the answer, also in a declined one. Null if a model answered. */
  confidence: number | null
  /**
   * Text of the model that the cited passages do not support, with its citation marks. Only present
   * with the warning `unsupported_answer` or `answer_withheld`. Do not show it as an answer.
   */
  draft?: string
  /** The question that was answered, if the messages before it were needed to complete it. */
  rewrittenQuestion?: string
  /**
   * Passages that support the answer, or that the model cites in `draft`, in the order of their
   * marks.
   */
  citations: Citation[]
  /** Retrieved passages. Empty unless includeSources is true. */
  sources: Source[]
  /** Resources that the answer used. */
  usage: {
    /** Number of retrieved passages. */
    retrieved: number
    /** Tokens that the model read. 0 without a model. */
    promptTokens: number
    /** Tokens that the model generated. 0 without a model. */
    completionTokens: number
    /** Total number of tokens. */
    totalTokens: number
  }
  /** Duration of the answer. */
  stats: {
    /** Retrieval time, in milliseconds. */
    retrievalMs: number
    /** Generation time, in milliseconds. */
    generationMs: number
    /** Total time, in milliseconds. */
    totalMs: number
  }
  /**
   * Degree to which the cited passages support the generated text. Null if the answer consists of
   * quotes.
   */
  grounding: Grounding | null
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type AskOnceAnswer = {
  /** Question from the request. */
  question: string
  /**
   * Answer with citation marks [n]. Only the marks listed in `citations` are citations; quoted text
   * can contain other brackets.
   */
  answer: string
  /** Model that answered. `extractive` if no language model is configured. */
  model: string
  /** Model named in the request. */
  requestedModel: string
  /**
   * True if the question was answered. False if nothing relevant was found, or if the sources do
   * not support the text of the model; `answer` then says so.
   */
  answered: boolean
  /** Confidence in the answer, also in a declined one. Null if a model answered. */
  confidence: number | null
  /**
   * Text of the model that the cited passages do not support, with its citation marks. Only present
   * with the warning `unsupported_answer` or `answer_withheld`. Do not show it as an answer.
   */
  draft?: string
  /**
   * Passages that support the answer, or that the model cites in `draft`, in the order of their
   * marks.
   */
  citations: Array<{
    /** Citation number, as in the brackets in `answer`. Sources have the same number. */
    index: number
    /** Start of the passage in `content`, in UTF-16 code units. */
    startOffset: number
    /** End of the passage in `content`, in UTF-16 code units. */
    endOffset: number
    /**
     * Start of the citation mark `[index]` in `draft` if present, else in `answer`, in UTF-16 code
     * units.
     */
    answerStart: number
    /** End of the citation mark, in UTF-16 code units. */
    answerEnd: number
  }>
  /** Retrieved passages. Empty unless includeSources is true. */
  sources: Array<{
    /** Citation number, as in the brackets in `answer`. Sources have the same number. */
    index: number
    /** Matching part of the passage, HTML-escaped. */
    snippet: string
    /** Full text of the passage. */
    text: string
    /** Start of the passage in `content`, in UTF-16 code units. */
    startOffset: number
    /** End of the passage in `content`, in UTF-16 code units. */
    endOffset: number
    /** Relevance of the passage to the question, from 0 to 1. */
    score: number
  }>
  /** Resources that the answer used. */
  usage: {
    /** Number of retrieved passages. */
    retrieved: number
    /** Tokens that the model read. 0 without a model. */
    promptTokens: number
    /** Tokens that the model generated. 0 without a model. */
    completionTokens: number
    /** Total number of tokens. */
    totalTokens: number
  }
  /** Duration of the answer. */
  stats: {
    /** Retrieval time, in milliseconds. */
    retrievalMs: number
    /** Generation time, in milliseconds. */
    generationMs: number
    /** Total time, in milliseconds. */
    totalMs: number
  }
  /**
   * Degree to which the cited passages support the generated text. Null if the answer consists of
   * quotes.
   */
  grounding: Grounding | null
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type ExtractAnswer = {
  /** Memory that was searched. */
  memoryId: string
  /** Values by section id and field key. */
  values: Record<string, Record<string, string | number | boolean | string[] | {
    /** Amount, in units of the currency. */
    amount: number
    /** Currency code (ISO 4217). Null if unknown. */
    currency: string | null
  } | null>>
  /** Sections, in request order. */
  sections: Array<{
    /** Identifier of the section. */
    id: string
    /** Name of the section. */
    name: string
    /** Fields of the section, in request order. */
    fields: ExtractedField[]
  }>
  /** Number of requested fields. */
  fieldsTotal: number
  /** Number of fields with a value. */
  fieldsFound: number
  /** Model that extracted the fields. `extractive` if rules extracted all of them. */
  model: string
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type FindAnswer = {
  /** Query from the request. */
  query: string
  /** Search mode that was used. If it differs from the requested mode, a warning says why. */
  mode: 'hybrid' | 'semantic' | 'lexical'
  /**
   * Number of matching passages, at most a few hundred. It includes weak matches; see `score`.
   * Copies that a hit represents are not counted. 0 if nothing in the memory matches.
   */
  totalHits: number
  /** `eq` if `totalHits` is exact, `gte` if further passages match. */
  totalHitsRelation: 'eq' | 'gte'
  /** Search time, in milliseconds. */
  tookMs: number
  /** Hits: corrections first, then documents by descending score. */
  hits: Hit[]
  /**
   * Cursor of the next hits, for `options.cursor`. Null if there are none, and for several
   * memories.
   */
  nextCursor: string | null
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
  explainedDocument?: DocumentExplanation
}

export type RecognizedImage = {
  /** Recognized text. Empty if the image has no text; no document is added then. */
  text: string
  /** Recognition confidence from 0 to 1, weighted by text length. 0 without text. */
  confidence: number
  /** OCR mode that was used. */
  mode: 'fast' | 'accurate'
  /** OCR engine with its version, or the name of the vision model. */
  engine: string
  /** Languages that OCR used, as three-letter codes such as `eng`. */
  languages: string[]
  /** Width of the first page, in pixels. */
  width: number
  /** Height of the first page, in pixels. */
  height: number
  /** Text blocks with their positions. */
  blocks: Array<{
    /** Text of the block. */
    text: string
    /** Recognition confidence of the block, from 0 to 1. */
    confidence: number
    /** Left, top, width and height of the block, in pixels of the displayed image. */
    bbox: number[]
    /** Page of the block, starting at 1. Present if the image has several pages. */
    page?: number
  }>
  /** Identifier of the new document. Null if no document was added. */
  documentId: string | null
  /** Existing document with the same text, if deduplicate skipped the image. Null otherwise. */
  duplicateOf: string | null
  /** Identifiers of the added documents. */
  documentIds: string[]
  /** Number of added documents. */
  documentsAdded: number
  /** Number of documents that deduplicate skipped. */
  documentsSkipped: number
  /** Number of chunks created. */
  chunksCreated: number
  /** Processing time, in milliseconds. */
  processingMs: number
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type SearchAnswer = {
  /** Query from the request. */
  query: string
  /** Hits: corrections first, then documents by descending score. */
  hits: Array<{
    /** Source of the passage: a document or a correction. */
    kind: 'document' | 'correction'
    /** Rank of the hit, starting at 1. */
    rank: number
    /** Relevance, from 0 to 1. Document hits are sorted by descending score. */
    score: number
    /** Document of the passage. */
    documentId: string
    /** Chunk of the passage: the document identifier and the chunk number. */
    chunkId: string
    /** Title of the document. */
    title: string
    /** Full text of the passage: the extracted text from startOffset to endOffset. */
    text: string
    /**
     * Matching part of the passage, HTML-escaped. Matches are in `<mark>` tags if highlight is
     * true.
     */
    snippet: string
    /** First page of the passage, starting at 1. Null if the document has no pages. */
    page: number | null
  }>
  /**
   * Number of matching passages, at most a few hundred. It includes weak matches; see `score`.
   * Copies that a hit represents are not counted. 0 if nothing in the memory matches.
   */
  totalHits: number
  /** `eq` if `totalHits` is exact, `gte` if further passages match. */
  totalHitsRelation: 'eq' | 'gte'
  /** Search time, in milliseconds. */
  tookMs: number
  /** Unknown fields of the request. Absent if there were none. */
  warnings?: Warning[]
}

export type Verification = {
  /** True if no problems were found. */
  ok: boolean
  /** Number of checked documents, excluding corrections. */
  documents: number
  /** Number of expected chunks, including corrections. */
  chunks: number
  /** Total number of problems. */
  problemsFound: number
  /** First problems. */
  problems: VerificationProblem[]
}

export type VerificationProblem = {
  /**
   * Stable code of the problem, such as `missing_chunks`. See docs/guides/integrity-checks.md for
   * all codes.
   */
  code: string
  /** Description of the problem, for people. */
  message: string
  /** Affected document. Null if the problem is not specific to a document. */
  documentId: string | null
  /** True if `recollect doctor --storage --fix` can repair the problem. */
  mendable: boolean
  /** Remedy for the operator. */
  remedy: string
}
