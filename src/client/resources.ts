/**
 * Resources of memories.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */

export type Correction = {
  /** The identifier of the correction. It begins with doc_, as a correction is a document. */
  id: string
  /** The memory of the correction. */
  memoryId: string
  /** What is so. */
  statement: string
  /** What the correction is about. */
  topics: string[]
  /** How much the correction counts, above 0 and at most 10. */
  boost: number
  /** The key that made it, by the name it had then; null where keys are switched off. A key of one memory sees itself alone. */
  createdBy: {
    /** The identifier of the key. */
    keyId: string
    /** The name of the key when it made the correction; null where it had none. */
    name: string | null
  } | null
  /** When the correction stops being found; null where it never does. */
  expiresAt: string | null
  /** Whether the correction is not found any more. */
  isExpired: boolean
  /** The passages that it stands before or contradicts: those nearest to its statement by words and meaning, at most 5; null where that was not looked for: in lists unless include asks, behind the 20th of a request, and where the search failed. */
  outranks: Outranked[] | null
  /** What it stood before in the last find, search, question or extraction that found it, written down within a second; null where it never stood before anything. */
  lastOutranked: LastOutranked | null
  /** When the correction was made. ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

export type MemoryDocument = {
  /** The identifier of the document. It begins with doc_. */
  id: string
  /** The memory of the document. */
  memoryId: string
  /** The title: as it was sent, or what the file calls itself, or its name. */
  title: string
  /** The name of the file; null where the document came as text. */
  filename: string | null
  /** The media type of the original, by its content, such as application/pdf. */
  mimeType: string
  /** How the document came: an uploaded file, a text, a download, a picture of text, or a correction. */
  sourceType: 'file' | 'text' | 'url' | 'ocr' | 'correction'
  /** The address that the document was downloaded from; null where it came otherwise. */
  url: string | null
  /** The tags of the document, by which searches and lists can be filtered. */
  tags: string[]
  /** What the caller noted of the document, by name. Searches can be filtered by it. */
  metadata: Record<string, string | number | boolean | null>
  /** The caller's own identifier of the document, of which a memory has one document; null where none was given. */
  externalId: string | null
  /** The state of the document. One that is ready or partial can be found; one that is partial lacks pages. */
  status: 'pending' | 'processing' | 'ready' | 'partial' | 'failed'
  /** The bytes of the original. */
  sizeBytes: number
  /** The pages, sheets or slides; null for what has none, and until the document is read. */
  pageCount: number | null
  /** The pages whose text was recognised from a picture. */
  ocrPages: number
  /** The chunks of the document: the passages that a search finds. */
  chunkCount: number
  /** The length of the extracted text in UTF-16 code units, which all offsets count in. */
  characterCount: number
  /** A hash of the extracted text, by which duplicates are known; null until the document is read. */
  contentHash: string | null
  /** The model that made the vectors of the chunks; null until the document is read. */
  embeddingModel: string | null
  /** Whether the original is stored and GET …/source gives it. */
  hasSource: boolean
  /** The job that added the document; null where the request itself did. */
  jobId: string | null
  /** Why the document failed or lacks pages, as a sentence; null where it is whole. */
  error: string | null
  /** When the document was added. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the document last changed. ISO 8601, UTC, with milliseconds. */
  updatedAt: string
  /** What a correction says; null for every other document. */
  correction: {
    /** What is so. */
    statement: string
    /** What the correction is about. */
    topics: string[]
    /** How much the correction counts, above 0 and at most 10. */
    boost: number
    /** When the correction stops being found; null where it never does. */
    expiresAt: string | null
  } | null
}

export type DocumentWithPages = MemoryDocument & {
  /** What became of every page, sheet or slide; of a document with tens of thousands of the first 4 MB. What has no pages counts as one. */
  pages: Array<{
    /** The number of the page, from 1. */
    page: number
    /** Where the text came from: the file itself, or a picture of the page; empty where there is none, failed where it could not be read. */
    method: 'text' | 'ocr' | 'empty' | 'failed'
    /** The length of the text of the page in UTF-16 code units. */
    characters: number
    /** How sure the recognition is, from 0 to 1; null where nothing was recognised. */
    confidence: number | null
    /** What is worth knowing of the page, as a sentence; null where there is nothing. */
    message: string | null
  }>
}

export type ImageOptions = {
  /** How to read: fast, the default, reads the picture once, accurate as often as it takes. */
  mode?: 'fast' | 'accurate'
  /** The languages of the text, such as de, deu or German; an unknown one is a warning. */
  languageHints?: string[]
  /** Whether a background worker does the work in any case. */
  async?: boolean
  /** Whether documents with similar content are skipped. */
  deduplicate?: boolean
  /** The most pages that are recognised of a document. */
  ocrMaxPages?: number
  /** Whether the original is kept for GET …/source. */
  storeSource?: boolean
  /** The embedding model, which the first document of a memory pins. */
  embeddingModel?: string
}

export type ImportOptions = {
  /** Whether a background worker does the work in any case. */
  async?: boolean
}

export type ImportedMemory = Memory & {
  /** What did not go as asked; empty where all did. */
  warnings: Warning[]
}

export type IngestOptions = {
  /** Whether a background worker does the work in any case. */
  async?: boolean
  /** Whether documents with similar content are skipped. */
  deduplicate?: boolean
  /** Whether text is recognised on scanned and image-only PDF pages. */
  enableOcr?: boolean
  /** The most pages that are recognised of a document. */
  ocrMaxPages?: number
  /** Whether the original is kept for GET …/source. */
  storeSource?: boolean
  /** The embedding model, which the first document of a memory pins. */
  embeddingModel?: string
}

export type Job = {
  /** The identifier of the job. It begins with job_. */
  id: string
  /** The memory that the job belongs to; null for an import until that has made one. */
  memoryId: string | null
  /** The kind of work: documentingestion, memoryimport or reembedding. */
  jobType: string
  /** The state of the job. It ends completed, failed, or partial, which is done with something missing. */
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'partial'
  /** How much is done, in percent. */
  progress: number
  /** What the job does or did, as a sentence for people. */
  message: string
  /** What the job did. It is present where the job ended completed or partial. */
  result?: {
    /** The documents that were added. */
    documentsAdded: number
    /** The documents that were left out, as deduplicate found them in the memory already. */
    documentsSkipped: number
    /** The chunks that were made of the documents. */
    chunksCreated: number
    /** The identifiers of the documents that were added. */
    documentIds: string[]
    /** The bytes of what was added, as it came. */
    totalBytes: number
    /** The time that the work took, in milliseconds. */
    processingMs: number
    /** What did not go as asked; empty where all did. */
    warnings: Warning[]
  }
  /** Why the job failed, behind the title of its document where it adds one alone. It is present where the job failed. */
  error?: string
  /** The name of the error, as in error answers; null where nothing failed. */
  errorCode: string | null
  /** Whether the job ended with something missing. A retry does what is missing. */
  isPartial: boolean
  /** How often a worker took the job on. */
  attempts: number
  /** When the job was made. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When a worker took the job on; null until then. */
  startedAt: string | null
  /** When the job ended; null until then. */
  completedAt: string | null
}

export type LastOutranked = {
  /** When that was. ISO 8601, UTC, with milliseconds. */
  at: string
  /** The best passages then, at most 5, without those that were deleted since. */
  passages: Array<{
    /** The document of the passage. */
    documentId: string
    /** The chunk of the passage: the identifier of the document and the number of the chunk. */
    chunkId: string
    /** The title of the document. */
    title: string
    /** The page on which the passage begins, from 1; null where the document has no pages. */
    page: number | null
    /** Where the passage begins in the extracted text, in UTF-16 code units. */
    startOffset: number
    /** Where the passage ends in the extracted text, in UTF-16 code units. */
    endOffset: number
    /** How near the passage is, from 0 to 1. */
    score: number
    /** The parts of the score. */
    scores: {
      /** The BM25 of the words; null where that search did not find the passage. */
      lexical: number | null
      /** The cosine of the meaning; null where that search did not find the passage. */
      semantic: number | null
    }
  }>
}

export type Memory = {
  /** The identifier of the memory. It begins with mem_. */
  id: string
  /** The name of the memory. */
  name: string
  /** What the memory is for; null where nobody said. */
  description: string | null
  /** The project of the memory; null where it belongs to none. */
  projectId: string | null
  /** The name of that project; null where the memory belongs to none. */
  projectName: string | null
  /** The state of the memory. A memory that exists is always ready. */
  status: 'ready'
  /** The documents that can be found. Lists have those that wait or failed as well. */
  documentCount: number
  /** The chunks of these documents: the passages that a search finds. */
  chunkCount: number
  /** The corrections of the memory. */
  correctionCount: number
  /** The bytes of stored originals and of extracted texts, as UTF-8, together. */
  sizeBytes: number
  /** The model that made the vectors of the memory; null until the first document is added. */
  embeddingModel: string | null
  /** When the memory was made. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the memory or something in it last changed. ISO 8601, UTC, with milliseconds. */
  updatedAt: string
}

export type Outranked = {
  /** The document of the passage. */
  documentId: string
  /** The chunk of the passage: the identifier of the document and the number of the chunk. */
  chunkId: string
  /** The title of the document. */
  title: string
  /** The page on which the passage begins, from 1; null where the document has no pages. */
  page: number | null
  /** A part of the passage that fits, HTML-escaped. */
  snippet: string
  /** How near the passage is, from 0 to 1. */
  score: number
  /** The parts of the score. */
  scores: {
    /** The BM25 of the words; null where that search did not find the passage. */
    lexical: number | null
    /** The cosine of the meaning; null where that search did not find the passage. */
    semantic: number | null
  }
}

export type PageTotals = {
  /** All pages; a document without pages counts as one. */
  pages: number
  /** The pages whose text stood in the file. */
  text: number
  /** The pages whose text was recognised from a picture. */
  ocr: number
  /** The pages without text. */
  empty: number
  /** The pages that could not be read. */
  failed: number
  /** The documents of which most pages failed, the worst first. */
  documents: Array<{
    /** The identifier of the document. */
    documentId: string
    /** The title of the document. */
    title: string
    /** The pages of the document that could not be read. */
    failed: number
  }>
}

export type TopScore = {
  /** 1 - (1 - words) * (1 - meaning), of the one of the first five passages that has most. */
  score: number
  /** The sum of the best passage's shares, each times its weight. The points of a part are share * weight * score / total. */
  total: number
  /** The share of the query's runs of four characters that stand in that passage; null where words do not count. */
  words: number | null
  /** The cosine of that passage; null where meaning does not count. */
  meaning: number | null
  /** The figures as a sentence. */
  message: string
}

export type Verification = {
  /** Whether nothing is wrong. */
  ok: boolean
  /** The documents that were looked at, without corrections. */
  documents: number
  /** The chunks that there should be, those of corrections included. */
  chunks: number
  /** All problems that were found. */
  problemsFound: number
  /** The first of the problems. */
  problems: VerificationProblem[]
}

export type VerificationProblem = {
  /** The name of the problem, such as missing_chunks; docs/guides/integrity-checks.md lists them. */
  code: string
  /** What is wrong, as a sentence. */
  message: string
  /** The document that is wrong; null where the problem is not of one document. */
  documentId: string | null
  /** Whether recollect doctor --storage --fix mends it. */
  mendable: boolean
  /** What the operator can do about it. */
  remedy: string
}

export type Warning = {
  /** The name of the warning, such as unknown_field. */
  code: string
  /** What was done otherwise, as a sentence. */
  message: string
  /** The field of the request that the warning is about; null where it is about none. */
  param: string | null
}
