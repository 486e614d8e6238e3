/**
 * Requests and answers of the API, from the OpenAPI document.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */

export type AcceptedDocuments = AcceptedJob & {
  reason: 'file_over_sync_threshold' | 'scanned_pages' | 'async_requested'
  documentIds: string[]
  members?: ArchiveMember[]
}

export type AcceptedJob = { jobId: string; pollUrl: string; status: 'pending'; job: Job; warnings: Warning[] }

export type AddedDocuments = {
  status: 'completed'
  documentsAdded: number
  documentsSkipped: number
  chunksCreated: number
  documentIds: string[]
  totalBytes: number
  processingMs: number
  documents: Array<{
    id: string | null
    title: string
    status: 'ready' | 'partial' | 'duplicate'
    chunkCount: number
    duplicateOf: string | null
  }>
  members?: ArchiveMember[]
  warnings: Warning[]
}

export type ArchiveMember = {
  filename: string
  status: 'pending' | 'ready' | 'partial' | 'duplicate' | 'unsupported' | 'failed' | 'skipped'
  documentId: string | null
  duplicateOf: string | null
  message: string | null
}

export type AskAnswer = {
  question: string
  answer: string
  model: string
  requestedModel: string
  answered: boolean
  confidence: number | null
  draft?: string
  rewrittenQuestion?: string
  citations: Citation[]
  sources: Source[]
  usage: { retrieved: number; promptTokens: number; completionTokens: number; totalTokens: number }
  stats: { retrievalMs: number; generationMs: number; totalMs: number }
  grounding: Grounding | null
  warnings: Warning[]
}

export type AskOnceAnswer = {
  question: string
  answer: string
  model: string
  requestedModel: string
  answered: boolean
  confidence: number | null
  draft?: string
  citations: Array<{ index: number; startOffset: number; endOffset: number; answerStart: number; answerEnd: number }>
  sources: Array<{
    index: number
    snippet: string
    text: string
    startOffset: number
    endOffset: number
    score: number
  }>
  usage: { retrieved: number; promptTokens: number; completionTokens: number; totalTokens: number }
  stats: { retrievalMs: number; generationMs: number; totalMs: number }
  grounding: Grounding | null
  warnings: Warning[]
}

export type ChangedCorrection = Correction & { warnings: Warning[] }

export type ChangedDocument = MemoryDocument & { warnings: Warning[] }

export type Chunk = {
  id: string
  index: number
  text: string
  startOffset: number
  endOffset: number
  page: number | null
  pageEnd: number | null
  section: string | null
  header: string | null
}

export type Citation = {
  index: number
  documentId: string
  chunkId: string
  title: string
  page: number | null
  correction: { createdAt: string; expiresAt: string | null } | null
  startOffset: number
  endOffset: number
  answerStart: number
  answerEnd: number
  memoryId?: string
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
  lastOutranked: LastOutranked | null
  createdAt: string
}

export type DeletedDocuments = { matched: number; deleted: number; dryRun: boolean; notFound: string[]; warnings: Warning[] }

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
  enabled: boolean
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
  reason: 
    | 'hit'
    | 'outranked'
    | 'left_out'
    | 'not_read'
    | 'not_a_candidate'
    | 'filtered_out'
    | 'correction_not_matching'
    | 'expired'
    | 'not_ready'
    | 'not_found'
  message: string
  rank: number | null
  score: number | null
  neededScore: number | null
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

export type Evaluation = {
  questions: number
  topK: number
  results: Array<{
    mode: 'lexical' | 'semantic' | 'hybrid' | 'auto'
    ndcg: number
    recall: number
    mrr: number
    precision: number
    meanMs: number
  }>
  perQuestion: Array<{
    index: number
    query: string
    mode: 'lexical' | 'semantic' | 'hybrid' | 'auto'
    rank: number | null
    ndcg: number
    recall: number
  }>
  warnings: Warning[]
}

export type ExtractAnswer = {
  memoryId: string
  values: Record<string, Record<string, string | number | boolean | string[] | { amount: number; currency: string | null } | null>>
  sections: Array<{ id: string; name: string; fields: ExtractedField[] }>
  fieldsTotal: number
  fieldsFound: number
  model: string
  warnings: Warning[]
}

export type ExtractedField = {
  key: string
  label: string
  data_type: string | null
  found: boolean
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
  snippet: string
  startOffset: number
  endOffset: number
}

export type Filter = {
  tags?: string[]
  documentIds?: string[]
  metadata?: Record<string, unknown>
  createdAfter?: string
  createdBefore?: string
  sourceType?: 'file' | 'text' | 'url' | 'ocr' | 'correction'
}

export type FindAnswer = {
  query: string
  mode: 'hybrid' | 'semantic' | 'lexical'
  totalHits: number
  totalHitsRelation: 'eq' | 'gte'
  tookMs: number
  hits: Hit[]
  nextCursor: string | null
  warnings: Warning[]
  explainedDocument?: DocumentExplanation
}

export type Grounding = { score: number; unsupported: Array<{ start: number; end: number }> }

export type Hit = FieldSource & {
  kind: 'document' | 'correction'
  rank: number
  score: number
  text: string
  scores: {
    lexical: number | null
    semantic: number | null
    fused: number | null
    rerank: number | null
    boost: number
  }
  correction: { createdAt: string; expiresAt: string | null } | null
  duplicates: number
  chunkIndex: number
  filename: string | null
  url: string | null
  pageEnd: number | null
  section: string | null
  header: string | null
  tags: string[]
  metadata: Record<string, string | number | boolean | null>
  createdAt: string
  explanation?: HitExplanation
  memoryId?: string
}

export type HitExplanation = {
  summary: string
  parts: ScorePart[]
  top: TopScore | null
  terms: Array<{ term: string; asked: string[]; words: string[]; count: number }>
  window: { startOffset: number; endOffset: number; cosine: number } | null
}

export type ImageOptions = {
  mode?: 'fast' | 'accurate'
  languageHints?: string[]
  async?: boolean
  deduplicate?: boolean
  ocrMaxPages?: number
  storeSource?: boolean
  embeddingModel?: string
  title?: string
  tags?: string[]
  metadata?: Record<string, string | number | boolean | null>
  externalId?: string
}

export type ImportOptions = { async?: boolean }

export type IngestOptions = {
  async?: boolean
  deduplicate?: boolean
  enableOcr?: boolean
  ocrMaxPages?: number
  storeSource?: boolean
  embeddingModel?: string
  title?: string
  tags?: string[]
  metadata?: Record<string, string | number | boolean | null>
  externalId?: string
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
    members?: ArchiveMember[]
    text?: string
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

export type KnownQuestion = { query: string; documentIds?: string[]; externalIds?: string[]; grades?: Record<string, number> }

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
  documentCount: number
  chunkCount: number
  correctionCount: number
  sizeBytes: number
  embeddingModel: string | null
  chunking: { maxCharacters: number; overlap: number } | null
  createdAt: string
  updatedAt: string
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

export type PageTotals = {
  pages: number
  text: number
  ocr: number
  empty: number
  failed: number
  documents: Array<{ documentId: string; title: string; failed: number }>
}

export type RecognizedImage = {
  text: string
  confidence: number
  mode: 'fast' | 'accurate'
  engine: string
  languages: string[]
  width: number
  height: number
  blocks: Array<{ text: string; confidence: number; bbox: number[]; page?: number }>
  documentId: string | null
  duplicateOf: string | null
  documentIds: string[]
  documentsAdded: number
  documentsSkipped: number
  chunksCreated: number
  processingMs: number
  warnings: Warning[]
}

export type ScorePart = {
  name: 
    | 'words'
    | 'meaning'
    | 'runs'
    | 'pairs'
    | 'nearlyWords'
    | 'title'
    | 'inText'
    | 'speaker'
    | 'phrase'
    | 'period'
    | 'neighbours'
    | 'alike'
    | 'model'
    | 'correction'
    | 'place'
  raw: number | null
  zero: number | null
  one: number | null
  share: number | null
  weight: number | null
  points: number
  message: string
}

export type SearchAnswer = {
  query: string
  hits: Array<{
    kind: 'document' | 'correction'
    rank: number
    score: number
    documentId: string
    chunkId: string
    title: string
    text: string
    snippet: string
    page: number | null
  }>
  totalHits: number
  totalHitsRelation: 'eq' | 'gte'
  tookMs: number
  warnings?: Warning[]
}

export type Source = FieldSource & {
  index: number
  text: string
  score: number
  filename: string | null
  kind: 'document' | 'correction'
  correction: { createdAt: string; expiresAt: string | null } | null
  memoryId?: string
}

export type TopScore = { score: number; total: number; words: number | null; meaning: number | null; message: string }

export type Verification = {
  ok: boolean
  documents: number
  chunks: number
  problemsFound: number
  problems: VerificationProblem[]
}

export type VerificationProblem = { code: string; message: string; documentId: string | null; mendable: boolean; remedy: string }

export type Warning = { code: string; message: string; param: string | null }
