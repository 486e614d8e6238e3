/** The resources as the contract lists them; the tests hold the service to these fields. */

export type Warning = { code: string; message: string; param: string | null }

export type List<Name extends string, Item> = { [key in Name]: Item[] } & {
  nextCursor: string | null
  hasMore: boolean
  total: number
}

export type Memory = {
  id: string
  name: string
  description: string | null
  projectId: string | null
  projectName: string | null
  status: string
  documentCount: number
  chunkCount: number
  correctionCount: number
  sizeBytes: number
  embeddingModel: string | null
  createdAt: string
  updatedAt: string
}

export type Project = { id: string; name: string; memoryCount: number; createdAt: string; updatedAt: string }

export type Webhook = {
  id: string
  url: string
  events: string[]
  status: string
  disabledReason: string | null
  consecutiveFailures: number
  failingSince: string | null
  waiting: number
  createdAt: string
}
export type NewWebhook = Webhook & { secret: string }

export type Delivery = {
  id: string
  messageId: string
  event: string
  jobId: string | null
  attempt: number
  outcome: string
  statusCode: number | null
  durationMs: number
  response: string | null
  error: string | null
  attemptedAt: string
  nextAttemptAt: string | null
}

export type Key = {
  id: string
  name: string
  key: string
  keyPreview: string
  scope: string
  memoryId: string | null
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

export type Account = {
  organization: { id: string; name: string; createdAt: string }
  plan: { id: string; name: string; limits: Record<string, number | null> }
  usage: {
    storageBytes: number
    memories: number
    documents: number
    queries: number
    period: { start: string; end: string }
  }
  apiKey: { id: string; name: string; scope: string; memoryId: string | null }
}

export type Document = {
  id: string
  memoryId: string
  title: string
  filename: string | null
  mimeType: string
  sourceType: string
  url: string | null
  externalId: string | null
  tags: string[]
  metadata: Record<string, unknown>
  status: string
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

/** What became of a page, sheet or slide. */
export type PageReceipt = {
  page: number
  method: string
  characters: number
  confidence: number | null
  message: string | null
}

export type DocumentWithPages = Document & { pages: PageReceipt[] }

export type Added = {
  status: string
  documentsAdded: number
  documentsSkipped: number
  chunksCreated: number
  documentIds: string[]
  totalBytes: number
  processingMs: number
  documents: {
    id: string | null
    title: string
    status: string
    chunkCount: number
    duplicateOf: string | null
  }[]
  warnings: Warning[]
}

export type Job = {
  id: string
  memoryId: string
  jobType: string
  status: string
  progress: number
  message: string
  result?: {
    documentsAdded: number
    chunksCreated: number
    documentIds: string[]
    totalBytes: number
    processingMs: number
  }
  error?: string
  errorCode: string | null
  isPartial: boolean
  attempts: number
  createdAt: string
  startedAt: string | null
  completedAt: string | null
}

export type Accepted = {
  jobId: string
  pollUrl: string
  status: string
  reason: string
  documentIds: string[]
  job: Job
}

export type Hit = {
  rank: number
  score: number
  scores: {
    lexical: number | null
    semantic: number | null
    fused: number | null
    rerank: number | null
    boost: number
  }
  kind: string
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
  startOffset: number
  endOffset: number
  tags: string[]
  metadata: Record<string, unknown>
  createdAt: string
}

export type Found = {
  query: string
  mode: string
  totalHits: number
  tookMs: number
  hits: Hit[]
  warnings: Warning[]
}

export type Correction = {
  id: string
  memoryId: string
  statement: string
  topics: string[]
  boost: number
  createdBy: { keyId: string; name: string | null } | null
  expiresAt: string | null
  isExpired: boolean
  outranks: Outranked[] | null
  lastOutranked: { at: string; passages: LastOutranked[] } | null
  createdAt: string
}

export type Outranked = {
  documentId: string
  chunkId: string
  title: string
  page: number | null
  snippet: string
  score: number
  scores: { lexical: number | null; semantic: number | null }
}

export type LastOutranked = Omit<Outranked, 'snippet'> & { startOffset: number; endOffset: number }

export type CorrectionMark = { createdAt: string; expiresAt: string | null } | null

export type CorrectionBatch = { corrections: Correction[]; ids: string[]; count: number }

export type RecognizedImage = {
  text: string
  confidence: number
  mode: string
  engine: string
  languages: string[]
  width: number
  height: number
  blocks: { text: string; confidence: number; bbox: number[]; page?: number }[]
  documentId: string | null
  duplicateOf: string | null
  documentIds: string[]
  documentsAdded: number
  documentsSkipped: number
  chunksCreated: number
  processingMs: number
  warnings: Warning[]
}

export type OnceCitation = {
  index: number
  startOffset: number
  endOffset: number
  answerStart: number
  answerEnd: number
}

export type AskCitation = OnceCitation & {
  documentId: string
  chunkId: string
  title: string
  page: number | null
  correction: CorrectionMark
}

export type OnceSource = {
  index: number
  snippet: string
  text: string
  startOffset: number
  endOffset: number
  score: number
}

export type AskSource = OnceSource & {
  documentId: string
  chunkId: string
  title: string
  filename: string | null
  page: number | null
  correction: CorrectionMark
  kind: string
}

export type Asked<Citation = AskCitation, Source = AskSource> = {
  question: string
  answer: string
  model: string
  requestedModel: string
  answered: boolean
  citations: Citation[]
  sources: Source[]
  usage: { retrieved: number; promptTokens: number; completionTokens: number; totalTokens: number }
  stats: { retrievalMs: number; generationMs: number; totalMs: number }
  grounding: { score: number; unsupported: { start: number; end: number }[] } | null
  warnings: Warning[]
}

export type AskedOnce = Asked<OnceCitation, OnceSource>

export type Evaluation = {
  questions: number
  topK: number
  results: { mode: string; ndcg: number; recall: number; mrr: number; precision: number; meanMs: number }[]
  perQuestion: { index: number; query: string; mode: string; rank: number | null; ndcg: number; recall: number }[]
  warnings: Warning[]
}

export type Explanation = {
  summary: string
  parts: {
    name: string
    raw: number | null
    zero: number | null
    one: number | null
    share: number | null
    weight: number | null
    points: number
    message: string
  }[]
  top: { score: number; total: number; words: number | null; meaning: number | null; message: string } | null
  terms: { term: string; asked: string[]; words: string[]; count: number }[]
  window: { startOffset: number; endOffset: number; cosine: number } | null
}

export type ExplainedHit = Hit & { explanation?: Explanation }

export type ExplainedDocument = {
  documentId: string
  title: string | null
  reason: string
  message: string
  rank: number | null
  score: number | null
  neededScore: number | null
  legs: { leg: string; best: number | null; needed: number | null }[]
  explanation: Explanation | null
}

export type Explained = { hits: ExplainedHit[]; explainedDocument?: ExplainedDocument }
