/**
 * What the API keeps and shows. Times are ISO 8601, UTC, with milliseconds.
 * Printed from the OpenAPI document by `npm run docs`; do not edit.
 */

export type Account = {
  organization: { id: string; name: string; createdAt: string }
  plan: {
    id: 'free' | 'starter' | 'unlimited'
    name: string
    limits: {
      storageBytes: number | null
      memories: number | null
      queriesPerMonth: number | null
      maxFileBytes: number
      maxImageBytes: number
      requestTimeoutSeconds: number
      requestBodyBytes: number
    }
  }
  usage: {
    storageBytes: number
    memories: number
    documents: number
    queries: number
    period: { start: string; end: string }
  }
  apiKey: { id: string; name: string; scope: 'organization' | 'memory'; memoryId: string | null } | null
}

export type Citation = {
  /** The number in brackets in the answer, and of the source. */
  index: number
  documentId: string
  chunkId: string
  title: string
  page: number | null
  /** Since when and until when a correction holds; null for a document. */
  correction: { createdAt: string; expiresAt: string | null } | null
  startOffset: number
  endOffset: number
  /** Where its mark stands in the answer, in UTF-16 code units. */
  answerStart: number
  answerEnd: number
}

export type Correction = {
  id: string
  memoryId: string
  statement: string
  topics: string[]
  boost: number
  /** The key that made it, by the name it had then. A key of one memory sees itself alone. */
  createdBy: { keyId: string; name: string | null } | null
  expiresAt: string | null
  isExpired: boolean
  /** The passages that it stands before or contradicts: those nearest to its statement by words and meaning, at most 5. null where that was not looked for: in lists unless include asks, behind the 20th of a request, and where the search failed. */
  outranks: Outranked[] | null
  createdAt: string
}

export type MemoryDocument = {
  id: string
  memoryId: string
  title: string
  filename: string | null
  mimeType: string
  sourceType: 'file' | 'text' | 'url' | 'ocr' | 'correction'
  url: string | null
  tags: string[]
  metadata: Record<string, string | number | boolean | null>
  externalId: string | null
  status: 'pending' | 'processing' | 'ready' | 'partial' | 'failed'
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
  correction: { statement: string; topics: string[]; boost: number; expiresAt: string | null } | null
}

export type DocumentExplanation = {
  documentId: string
  title: string | null
  reason: 'hit' | 'outranked' | 'not_read' | 'not_a_candidate' | 'filtered_out' | 'correction_not_matching' | 'expired' | 'not_ready' | 'not_found'
  message: string
  /** Of its best passage among all that were ranked. */
  rank: number | null
  score: number | null
  /** That of the last hit. */
  neededScore: number | null
  /** Of a document that was not ranked: its best BM25 and cosine, and those of the last candidates. */
  legs: Array<{ leg: 'lexical' | 'semantic'; best: number | null; needed: number | null }>
  explanation: HitExplanation | null
}

export type DocumentWithPages = MemoryDocument & {
  pages: Array<{
    page: number
    method: 'text' | 'ocr' | 'empty' | 'failed'
    characters: number
    confidence: number | null
    message: string | null
  }>
}

export type ErrorBody = {
  error: {
    code: string
    message: string
    param: string | null
    details: Array<{ param: string; message: string }>
    remedy: string
    requestId: string
  }
}

export type Evaluation = {
  questions: number
  topK: number
  /** By mode, the means over all questions, of the first topK documents. */
  results: Array<{
    mode: 'lexical' | 'semantic' | 'hybrid' | 'auto'
    ndcg: number
    recall: number
    mrr: number
    precision: number
    /** Of a search. */
    meanMs: number
  }>
  perQuestion: Array<{
    /** The place of the question in the request, from 0. */
    index: number
    query: string
    mode: 'lexical' | 'semantic' | 'hybrid' | 'auto'
    /** Of the first document that answers, among documents; null where none is among the first topK. */
    rank: number | null
    ndcg: number
    recall: number
  }>
  warnings: Warning[]
}

export type ExtractedField = {
  key: string
  label: string
  data_type: string | null
  found: boolean
  /** A date is ISO 8601, an amount of money has its currency; null where nothing was found. */
  value: string | number | boolean | string[] | { amount: number; currency: string | null } | null
  rawValue: string | null
  confidence: number
  sources: FieldSource[]
}

export type FieldSource = {
  documentId: string
  chunkId: string
  title: string
  page: number | null
  /** HTML-escaped. */
  snippet: string
  startOffset: number
  endOffset: number
}

export type Grounding = {
  /** How far the words and numbers of the answer stand in the passages it cites. A measure of words, no proof of truth. */
  score: number
  /** Sentences of the answer, as places in it, whose words mostly stand in no cited passage. */
  unsupported: Array<{ start: number; end: number }>
}

export type Health = { status: 'healthy'; version: string; timestamp: string }

export type Hit = {
  rank: number
  score: number
  documentId: string
  chunkId: string
  title: string
  text: string
  /** HTML-escaped; matches in mark tags where highlight is asked for. */
  snippet: string
  page: number | null
  scores: {
    lexical: number | null
    semantic: number | null
    fused: number | null
    rerank: number | null
    boost: number
  }
  kind: 'document' | 'correction'
  /** Since when and until when a correction holds; null for a document. */
  correction: { createdAt: string; expiresAt: string | null } | null
  chunkIndex: number
  filename: string | null
  url: string | null
  pageEnd: number | null
  section: string | null
  header: string | null
  startOffset: number
  endOffset: number
  tags: string[]
  metadata: Record<string, string | number | boolean | null>
  createdAt: string
  explanation?: HitExplanation
}

export type HitExplanation = {
  summary: string
  parts: ScorePart[]
  /** What was looked up, as it is indexed, with the words of the passage that have it. */
  terms: Array<{ term: string; words: string[]; count: number }>
  /** The sentences nearest in meaning; null where nothing was compared, and where the title is nearest. */
  window: { startOffset: number; endOffset: number; cosine: number } | null
}

export type ImageOptions = {
  /** fast, the default, reads the picture once; accurate as often as it takes. */
  mode?: 'fast' | 'accurate'
  /** Languages of the text, such as de, deu or German; an unknown one is a warning. */
  languageHints?: string[]
  /** Force processing by the background worker. */
  async?: boolean
  /** Skip documents with similar content. */
  deduplicate?: boolean
  /** Most pages recognised of a document. */
  ocrMaxPages?: number
  /** Keep the original for GET …/source. */
  storeSource?: boolean
  /** Pinned on the first ingest of a memory. */
  embeddingModel?: string
}

export type ImportOptions = {
  /** Force processing by the background worker. */
  async?: boolean
}

export type ImportedMemory = Memory & { warnings: Warning[] }

export type IngestOptions = {
  /** Force processing by the background worker. */
  async?: boolean
  /** Skip documents with similar content. */
  deduplicate?: boolean
  /** Recognise text on image-only PDF pages. */
  enableOcr?: boolean
  /** Most pages recognised of a document. */
  ocrMaxPages?: number
  /** Keep the original for GET …/source. */
  storeSource?: boolean
  /** Pinned on the first ingest of a memory. */
  embeddingModel?: string
}

export type Job = {
  id: string
  memoryId: string
  jobType: string
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'partial'
  progress: number
  message: string
  result?: {
    documentsAdded: number
    documentsSkipped: number
    chunksCreated: number
    documentIds: string[]
    totalBytes: number
    processingMs: number
    warnings: Warning[]
  }
  error?: string
  errorCode: string | null
  isPartial: boolean
  attempts: number
  createdAt: string
  startedAt: string | null
  completedAt: string | null
}

export type Key = {
  id: string
  name: string
  /** The first 8 and the last 4 characters. */
  keyPreview: string
  scope: 'organization' | 'memory'
  memoryId: string | null
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

export type KnownQuestion = {
  query: string
  /** Documents or corrections of the memory that answer it. These or externalIds name at least one. */
  documentIds?: string[]
  /** The same by externalId, which stays when a document is replaced. */
  externalIds?: string[]
  /** How much a document answers, by its id as it stands above; 1 where none is given. Only nDCG uses it. */
  grades?: Record<string, number>
}

export type Memory = {
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

export type NewKey = Key & { key: string }

export type NewWebhook = Webhook & {
  /** Verifies signatures: whsec_ and base64, as the Standard Webhooks libraries take it. */
  secret: string
}

export type Outranked = {
  documentId: string
  chunkId: string
  title: string
  page: number | null
  /** HTML-escaped. */
  snippet: string
  score: number
  scores: { lexical: number | null; semantic: number | null }
}

export type Project = { id: string; name: string; memoryCount: number; createdAt: string; updatedAt: string }

export type Readiness = {
  status: 'ready' | 'degraded'
  version: string
  timestamp: string
  checks: Record<string, { status: 'up' | 'down'; latencyMs?: number; error?: string; optional?: boolean }>
}

export type ScorePart = {
  name: 'words' | 'meaning' | 'runs' | 'nearlyWords' | 'title' | 'speaker' | 'phrase' | 'neighbours' | 'model' | 'correction' | 'place'
  /** BM25 of words, cosine of meaning. */
  raw: number | null
  /** On the scale of 0 to 1 of all that was found. */
  share: number | null
  weight: number | null
  /** Of the score; those of all parts add up to it. */
  points: number
  message: string
}

export type Source = FieldSource & {
  /** The number in brackets in the answer, and of the source. */
  index: number
  text: string
  score: number
  filename: string | null
  kind: 'document' | 'correction'
  /** Since when and until when a correction holds; null for a document. */
  correction: { createdAt: string; expiresAt: string | null } | null
}

export type Verification = {
  ok: boolean
  /** Documents that were looked at, without corrections. */
  documents: number
  /** Chunks that there should be, those of corrections included. */
  chunks: number
  problemsFound: number
  /** The first of those found. */
  problems: VerificationProblem[]
}

export type VerificationProblem = {
  /** Its name, such as missing_chunks; docs/guides/verifying.md lists them. */
  code: string
  message: string
  documentId: string | null
  /** Whether recollect doctor --storage --fix mends it. */
  mendable: boolean
  remedy: string
}

export type Warning = { code: string; message: string; param: string | null }

export type Webhook = {
  id: string
  url: string
  events: Array<'job.completed' | 'job.failed' | 'job.partial'>
  status: 'enabled' | 'disabled'
  disabledReason: string | null
  /** Attempts in a row that failed. */
  consecutiveFailures: number
  failingSince: string | null
  /** Messages that wait to be sent, or sent again. */
  waiting: number
  createdAt: string
}

export type WebhookDelivery = {
  id: string
  /** webhook-id: the same in every attempt. */
  messageId: string
  event: 'job.completed' | 'job.failed' | 'job.partial' | 'webhook.test'
  jobId: string | null
  attempt: number
  outcome: 'delivered' | 'failed'
  statusCode: number | null
  durationMs: number
  response: string | null
  error: string | null
  attemptedAt: string
  nextAttemptAt: string | null
}
