/** The resources as callers see them: flat, camelCase, `null` where absent (contract, "Answers, endpoint by endpoint"). */
import type { Plan } from '../limits.ts'
import type { DocumentExplanation, HitExplanation } from './search/explanation.ts'

export type Warning = { code: string; message: string; param: string | null }

export type Page<Name extends string, Item> = { [key in Name]: Item[] } & {
  nextCursor: string | null
  hasMore: boolean
  total: number
}

export type PageRequest = { limit: number; cursor: string | null }

export type AccountResource = {
  organization: { id: string; name: string; createdAt: string }
  plan: Plan
  usage: {
    storageBytes: number
    memories: number
    documents: number
    queries: number
    period: { start: string; end: string }
  }
  apiKey: { id: string; name: string; scope: 'organization' | 'memory'; memoryId: string | null } | null
}

export type KeyResource = {
  id: string
  name: string
  keyPreview: string
  scope: 'organization' | 'memory'
  memoryId: string | null
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

export type ProjectResource = { id: string; name: string; memoryCount: number; createdAt: string; updatedAt: string }

export type MemoryResource = {
  id: string
  name: string
  description: string | null
  projectId: string | null
  projectName: string | null
  status: 'ready'
  documentCount: number
  chunkCount: number
  correctionCount: number
  sizeBytes: number
  embeddingModel: string | null
  createdAt: string
  updatedAt: string
}

export type SourceType = 'file' | 'text' | 'url' | 'ocr' | 'correction'
export type DocumentStatus = 'pending' | 'processing' | 'ready' | 'partial' | 'failed'
export type Metadata = Readonly<Record<string, string | number | boolean | null>>

export type DocumentResource = {
  id: string
  memoryId: string
  title: string
  filename: string | null
  mimeType: string
  sourceType: SourceType
  url: string | null
  tags: readonly string[]
  metadata: Metadata
  externalId: string | null
  status: DocumentStatus
  sizeBytes: number
  pageCount: number | null
  ocrPages: number
  chunkCount: number
  characterCount: number
  contentHash: string | null
  embeddingModel: string | null
  hasSource: boolean
  jobId: string | null
  error: string | null
  createdAt: string
  updatedAt: string
  /** Of a correction only; `null` for every other document. */
  correction: { statement: string; topics: readonly string[]; boost: number; expiresAt: string | null } | null
}

export type PageReceiptResource = {
  page: number
  method: 'text' | 'ocr' | 'empty' | 'failed'
  characters: number
  confidence: number | null
  message: string | null
}

/** What became of the pages of all documents of a memory, and the documents of which most failed. */
export type PageTotalsResource = {
  pages: number
  text: number
  ocr: number
  empty: number
  failed: number
  documents: { documentId: string; title: string; failed: number }[]
}

/** 200 of add-documents. */
export type AddedDocuments = {
  status: 'completed'
  documentsAdded: number
  documentsSkipped: number
  chunksCreated: number
  documentIds: string[]
  totalBytes: number
  processingMs: number
  documents: {
    id: string | null
    title: string
    status: 'ready' | 'partial' | 'duplicate'
    chunkCount: number
    duplicateOf: string | null
  }[]
  warnings: Warning[]
}

/** 202 of add-documents. */
export type AcceptedDocuments = {
  jobId: string
  pollUrl: string
  status: 'pending'
  reason: 'file_over_sync_threshold' | 'scanned_pages' | 'async_requested'
  documentIds: string[]
  job: JobResource
  warnings: Warning[]
}

/** 200 of ocr. `width` and `height` are those of the picture's first page, in pixels. */
export type RecognizedImage = {
  text: string
  /** From 0 to 1, weighed by length; 0 without text. */
  confidence: number
  mode: 'fast' | 'accurate'
  engine: string
  languages: string[]
  width: number
  height: number
  /** `bbox` is left, top, width, height in pixels; `page` is there where the picture has more than one. */
  blocks: { text: string; confidence: number; bbox: [number, number, number, number]; page?: number }[]
  /** `null` when nothing was added. */
  documentId: string | null
  /** The document that has this text already, where the picture was left out for it. */
  duplicateOf: string | null
  documentIds: string[]
  documentsAdded: number
  documentsSkipped: number
  chunksCreated: number
  processingMs: number
  warnings: Warning[]
}

export type JobStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'partial'

export type JobResult = {
  documentsAdded: number
  documentsSkipped: number
  chunksCreated: number
  documentIds: string[]
  totalBytes: number
  processingMs: number
  warnings: Warning[]
}

/** `result` and `error` are present only when the API document says so. */
export type JobResource = {
  id: string
  /** `null` of an import that has not made its memory, or never did. */
  memoryId: string | null
  jobType: string
  status: JobStatus
  progress: number
  message: string
  result?: JobResult
  error?: string
  errorCode: string | null
  isPartial: boolean
  attempts: number
  createdAt: string
  startedAt: string | null
  completedAt: string | null
}

export type WebhookEvent = 'job.completed' | 'job.failed' | 'job.partial'

export type WebhookResource = {
  id: string
  url: string
  events: readonly WebhookEvent[]
  status: 'enabled' | 'disabled'
  /** Why it was disabled; `null` while it is enabled. */
  disabledReason: string | null
  /** Attempts in a row that failed, and when that began. */
  consecutiveFailures: number
  failingSince: string | null
  /** Messages that wait or are on their way. */
  waiting: number
  createdAt: string
}

/** One attempt to deliver a message. */
export type WebhookDeliveryResource = {
  id: string
  /** The same in all attempts: `webhook-id`. */
  messageId: string
  event: WebhookEvent | 'webhook.test'
  jobId: string | null
  /** From 1. */
  attempt: number
  outcome: 'delivered' | 'failed'
  statusCode: number | null
  durationMs: number
  /** What the receiver answered, shortened; `null` without an answer. */
  response: string | null
  error: string | null
  attemptedAt: string
  nextAttemptAt: string | null
}

export type CorrectionResource = {
  id: string
  memoryId: string
  statement: string
  topics: readonly string[]
  boost: number
  /** The key that made it, by the name it had then; `null` where keys are switched off, and for a memory's key that is another one. */
  createdBy: { keyId: string; name: string | null } | null
  /** It is not found from then on; `null` for ever. */
  expiresAt: string | null
  isExpired: boolean
  /** The passages it stands before or contradicts, the nearest first; `null` where that was not looked for. */
  outranks: OutrankedPassage[] | null
  /** `null` where it never stood before anything. */
  lastOutranked: LastOutranked | null
  createdAt: string
}

/** What a correction stood before in the last find that it was found by, the best first: as many as in `outranks`, without those that are gone since. */
export type LastOutranked = {
  at: string
  passages: LastOutrankedPassage[]
}

export type LastOutrankedPassage = Omit<OutrankedPassage, 'snippet'> & { startOffset: number; endOffset: number }

/** A passage that a correction stands before. */
export type OutrankedPassage = Pick<HitResource, 'documentId' | 'chunkId' | 'title' | 'page' | 'snippet' | 'score'> & {
  scores: Pick<HitResource['scores'], 'lexical' | 'semantic'>
}

/** Since when and until when a correction holds, where one is shown among passages. */
export type CorrectionMark = { createdAt: string; expiresAt: string | null }

export type SearchMode = 'hybrid' | 'semantic' | 'lexical'

export type HitResource = {
  rank: number
  score: number
  scores: {
    lexical: number | null
    semantic: number | null
    fused: number | null
    rerank: number | null
    boost: number
  }
  kind: 'document' | 'correction'
  /** `null` for documents. */
  correction: CorrectionMark | null
  documentId: string
  chunkId: string
  chunkIndex: number
  title: string
  filename: string | null
  url: string | null
  text: string
  snippet: string
  page: number | null
  pageEnd: number | null
  section: string | null
  /** The header row above the rows of a table, which is not part of `text`. */
  header: string | null
  startOffset: number
  endOffset: number
  tags: readonly string[]
  metadata: Metadata
  createdAt: string
  /** Where it was asked for. */
  explanation?: HitExplanation
}

export type FindAnswer = {
  query: string
  mode: SearchMode
  totalHits: number
  tookMs: number
  hits: HitResource[]
  warnings: Warning[]
  /** Where one was named. */
  explainedDocument?: DocumentExplanation
}

export type SearchAnswer = {
  query: string
  hits: Pick<HitResource, 'rank' | 'score' | 'documentId' | 'chunkId' | 'title' | 'text' | 'snippet' | 'page'>[]
  totalHits: number
  tookMs: number
}

/** A passage that supports an answer, and where its mark `[index]` stands in the answer. Offsets are UTF-16 code units. */
export type AskCitation = {
  index: number
  documentId: string
  chunkId: string
  title: string
  page: number | null
  /** `null` where a document is cited. */
  correction: CorrectionMark | null
  /** Into the extracted text. */
  startOffset: number
  endOffset: number
  /** Into the answer. */
  answerStart: number
  answerEnd: number
}

/** A passage that was retrieved for the answer. */
export type AskSource = {
  index: number
  documentId: string
  chunkId: string
  title: string
  filename: string | null
  page: number | null
  snippet: string
  text: string
  startOffset: number
  endOffset: number
  score: number
  kind: 'document' | 'correction'
  /** `null` for documents. */
  correction: CorrectionMark | null
}

export type AskAnswer = {
  question: string
  answer: string
  /** The one that was used. */
  model: string
  requestedModel: string
  answered: boolean
  /** In order of their place in the answer. */
  citations: AskCitation[]
  /** Empty unless they were asked for. */
  sources: AskSource[]
  usage: { retrieved: number; promptTokens: number; completionTokens: number; totalTokens: number }
  stats: { retrievalMs: number; generationMs: number; totalMs: number }
  /** How far a model's words stand in what it cites; `null` where every word is quoted. */
  grounding: { score: number; unsupported: { start: number; end: number }[] } | null
  warnings: Warning[]
}

/** The same over a text of the request; offsets are into that text. */
export type AskOnceAnswer = Omit<AskAnswer, 'citations' | 'sources'> & {
  citations: Pick<AskCitation, 'index' | 'startOffset' | 'endOffset' | 'answerStart' | 'answerEnd'>[]
  sources: Pick<AskSource, 'index' | 'snippet' | 'text' | 'startOffset' | 'endOffset' | 'score'>[]
}

/** A piece of an answer as it is written; `done` comes last and is what counts. */
export type AskEvent<Answer extends AskAnswer | AskOnceAnswer> =
  | { type: 'token'; text: string }
  | { type: 'citation'; citation: Answer['citations'][number] }
  | { type: 'done'; answer: Answer }
