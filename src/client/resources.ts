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
  /** What it stood before in the last find, search, question or extraction that found it: the best passages then, at most 5, of which those that were deleted since are left out. Written down within a second; null where it never stood before anything. */
  lastOutranked: LastOutranked | null
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

export type DocumentWithPages = MemoryDocument & {
  /** Of every page; of a document with tens of thousands of the first 4 MB. */
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

export type Health = { status: 'healthy'; version: string; timestamp: string }

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
  memoryId: string | null
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
  /** Why it failed, behind the title of its document where it adds one alone. */
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

export type LastOutranked = {
  at: string
  passages: Array<{
    documentId: string
    chunkId: string
    title: string
    page: number | null
    startOffset: number
    endOffset: number
    score: number
    scores: { lexical: number | null; semantic: number | null }
  }>
}

export type Memory = {
  id: string
  name: string
  description: string | null
  projectId: string | null
  projectName: string | null
  status: 'ready'
  /** Documents that can be found. Lists have those that wait or failed as well. */
  documentCount: number
  chunkCount: number
  correctionCount: number
  sizeBytes: number
  embeddingModel: string | null
  createdAt: string
  updatedAt: string
}

export type NewKey = Key & {
  /** The key itself. Shown this once: null in the answer to a repeat under the same Idempotency-Key. */
  key: string | null
}

export type NewOrganization = Organization & {
  /** The identifier of its first key. */
  keyId: string
  /** Its first key, which may do everything in this organization. Shown this once: null in the answer to a repeat under the same Idempotency-Key. */
  key: string | null
}

export type NewWebhook = Webhook & {
  /** Verifies signatures: whsec_ and base64, as the Standard Webhooks libraries take it. Shown this once: null in the answer to a repeat under the same Idempotency-Key. */
  secret: string | null
}

export type Organization = {
  /** Begins with `org_`. */
  id: string
  /** What people call it. */
  name: string
  plan: 'free' | 'starter' | 'unlimited'
  createdAt: string
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

export type PageTotals = {
  /** All pages; a document without pages counts as one. */
  pages: number
  text: number
  ocr: number
  empty: number
  failed: number
  /** Those of which most pages failed, the worst first. */
  documents: Array<{ documentId: string; title: string; failed: number }>
}

export type Project = { id: string; name: string; memoryCount: number; createdAt: string; updatedAt: string }

export type Readiness = {
  status: 'ready' | 'degraded'
  version: string
  timestamp: string
  checks: Record<string, { status: 'up' | 'down'; latencyMs?: number; error?: string; optional?: boolean }>
}

export type TopScore = {
  /** 1 - (1 - words) * (1 - meaning), of the one of the first five that has most. */
  score: number
  /** Of the best passage; points are share * weight * score / total. */
  total: number
  /** The share of the query's runs of four characters that stand in it; null where words do not count. */
  words: number | null
  /** Its cosine; null where meaning does not count. */
  meaning: number | null
  message: string
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
