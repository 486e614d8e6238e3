/**
 * What the routes, the worker and the command line may ask for. Every function takes the caller first and looks up
 * nothing that the caller may not see: the organization stands in the query itself. All reject with `ApiError`.
 */
import type { Readable } from 'node:stream'
import type { ArchiveService } from './archive/archives.ts'
import type { Caller } from './caller.ts'
import type { VerifyService } from './doctor/verification.ts'
import type { EvaluateService } from './evaluate/evaluation.ts'
import type { ExtractService } from './extract/extraction.ts'
import type { UploadedFile } from './ingest/uploaded-file.ts'
import type { Keep, Work } from './keep.ts'
import type {
  AcceptedDocuments,
  AccountResource,
  AddedDocuments,
  AskAnswer,
  AskEvent,
  AskOnceAnswer,
  CorrectionResource,
  DocumentResource,
  DocumentStatus,
  FindAnswer,
  JobResource,
  JobStatus,
  KeyResource,
  MemoryResource,
  Metadata,
  Page,
  PageReceiptResource,
  PageRequest,
  PageTotalsResource,
  ProjectResource,
  RecognizedImage,
  SearchAnswer,
  SourceType,
  Warning,
} from './resources.ts'
import type { FindRequest } from './search/find-request.ts'
import type { WebhooksService } from './webhooks/webhooks.ts'

export type KeysService = {
  /** The caller a presented key stands for; `null` for one that is unknown, malformed, revoked or expired. */
  authenticate(presented: string): Promise<Caller | null>
  create(
    caller: Caller,
    input: { name: string; memoryId: string | null; expiresAt: string | null },
    keep?: Keep<KeyResource & { key: string }>,
  ): Promise<KeyResource & { key: string }>
  list(caller: Caller, page: PageRequest): Promise<Page<'keys', KeyResource>>
  revoke(caller: Caller, keyId: string): Promise<void>
}

export type AccountService = {
  get(caller: Caller): Promise<AccountResource>
  /** Counts one query; rejects with `query_quota_exceeded` when the month's are used up. */
  countQuery(caller: Caller): Promise<void>
}

export type ProjectsService = {
  create(caller: Caller, name: string, keep?: Keep<ProjectResource>): Promise<ProjectResource>
  list(caller: Caller, page: PageRequest): Promise<Page<'projects', ProjectResource>>
  get(caller: Caller, projectId: string): Promise<ProjectResource>
  rename(caller: Caller, projectId: string, name: string): Promise<ProjectResource>
  delete(caller: Caller, projectId: string): Promise<void>
}

export type MemoriesService = {
  create(
    caller: Caller,
    input: { name: string; description: string | null; projectId: string | null; projectName: string | null },
    keep?: Keep<MemoryResource>,
  ): Promise<MemoryResource>
  list(
    caller: Caller,
    filter: { projectId: string | null },
    page: PageRequest,
  ): Promise<Page<'memories', MemoryResource>>
  get(caller: Caller, memoryId: string): Promise<MemoryResource>
  delete(caller: Caller, memoryId: string): Promise<void>
}

export type StoredSource = {
  content: Readable
  /** Bytes of the whole original. */
  bytes: number
  /** The bytes that `content` carries, both inclusive; `null` when it carries all. */
  range: { start: number; end: number } | null
  filename: string | null
  mimeType: string
}

export type DocumentsService = {
  list(
    caller: Caller,
    memoryId: string,
    filter: { status: DocumentStatus | null; tag: string | null; sourceType: SourceType | null },
    page: PageRequest,
  ): Promise<Page<'documents', DocumentResource>>
  get(
    caller: Caller,
    memoryId: string,
    documentId: string,
  ): Promise<DocumentResource & { pages: PageReceiptResource[] }>
  delete(caller: Caller, memoryId: string, documentId: string): Promise<void>
  /** The stored original; `range` as the Range header has it, already parsed (`end` null: to the end; `start` null: the last `end` bytes). `null` when no byte of it is there (416). */
  source(
    caller: Caller,
    memoryId: string,
    documentId: string,
    range: { start: number | null; end: number | null } | null,
  ): Promise<StoredSource | { bytes: number; content: null }>
  /** The extracted text, UTF-8. */
  text(caller: Caller, memoryId: string, documentId: string): Promise<{ content: Readable; bytes: number }>
  /** What became of all pages of all documents, corrections left out. Rejects with `memory_not_found`, and when `signal` fires. */
  countPages(caller: Caller, memoryId: string, signal: AbortSignal): Promise<PageTotalsResource>
}

/** Pages of stored originals as pictures. */
export type PagePicturesService = {
  /**
   * A PNG of a page, from 1, with a span of the extracted text marked on it (UTF-16 offsets), and a tag that changes with it. Rejects with
   * `source_not_stored` where there is no original, no such page, or none that can be drawn.
   */
  draw(
    caller: Caller,
    wanted: { memoryId: string; documentId: string; page: number; span: { start: number; end: number } | null },
    signal: AbortSignal,
  ): Promise<{ png: Buffer; etag: string }>
}

export type IngestOptions = {
  async: boolean
  deduplicate: boolean
  enableOcr: boolean
  ocrMaxPages: number
  storeSource: boolean
  /** `null` when the caller named none. */
  embeddingModel: string | null
}

export type TextDocument = {
  title: string
  text: string
  tags: readonly string[]
  metadata: Metadata
  externalId: string | null
}

/** How a picture of text is added. */
export type ImageOptions = Omit<IngestOptions, 'enableOcr'> & {
  mode: 'fast' | 'accurate'
  /** Codes or names of languages; none: those of the settings. An unknown one is a warning. */
  languageHints: readonly string[]
}

export type IngestService = {
  /** All or nothing. */
  addTexts(
    caller: Caller,
    memoryId: string,
    documents: readonly TextDocument[],
    options: IngestOptions,
    work: Work<AddedDocuments | AcceptedDocuments>,
  ): Promise<AddedDocuments | AcceptedDocuments>
  addFile(
    caller: Caller,
    memoryId: string,
    file: UploadedFile,
    options: IngestOptions,
    work: Work<AddedDocuments | AcceptedDocuments>,
  ): Promise<AddedDocuments | AcceptedDocuments>
  /** Downloads what `url` names and adds it as a file. Rejects also with what is wrong with the URL or the download. */
  addUrl(
    caller: Caller,
    memoryId: string,
    url: string,
    options: IngestOptions,
    work: Work<AddedDocuments | AcceptedDocuments>,
  ): Promise<AddedDocuments | AcceptedDocuments>
  /** Recognises the text of a picture and adds it; a picture without text adds nothing and is no error. */
  addImage(
    caller: Caller,
    memoryId: string,
    image: UploadedFile,
    options: ImageOptions,
    work: Work<RecognizedImage | AcceptedDocuments>,
  ): Promise<RecognizedImage | AcceptedDocuments>
}

export type SearchService = {
  find(caller: Caller, memoryId: string, request: FindRequest): Promise<FindAnswer>
  search(caller: Caller, memoryId: string, request: { query: string; limit: number }): Promise<SearchAnswer>
  /** The documents that a find of this query has hits of, corrections apart: each once, in the order of their best passages. */
  rank(
    caller: Caller,
    memoryId: string,
    request: Pick<FindRequest, 'query' | 'mode'>,
  ): Promise<{ corrections: string[]; documents: string[]; warnings: Warning[] }>
}

export type CorrectionInput = {
  statement: string
  topics: readonly string[]
  boost: number
  /** Absent or `null`: it holds for ever. */
  expiresAt?: string | null
}

export type CorrectionsService = {
  /** All or nothing. */
  add(
    caller: Caller,
    memoryId: string,
    corrections: readonly CorrectionInput[],
    work: Work<CorrectionResource[]>,
  ): Promise<CorrectionResource[]>
  /** Newest first, expired ones too until they are swept; `outranks` as it is now, where that is asked for. */
  list(
    caller: Caller,
    memoryId: string,
    include: { outranks: boolean },
    page: PageRequest,
  ): Promise<Page<'corrections', CorrectionResource>>
}

export type ReembedService = {
  /**
   * Has all vectors of the memory made anew by a model that is named as an add names it; the job that does it. Rejects with `validation_failed` where that is
   * not configured, with `reembedding_in_progress`.
   */
  begin(caller: Caller, memoryId: string, embeddingModel: string, keep?: Keep<JobResource>): Promise<JobResource>
}

export type JobsService = {
  list(
    caller: Caller,
    filter: { status: JobStatus | null; memoryId: string | null },
    page: PageRequest,
  ): Promise<Page<'jobs', JobResource>>
  get(caller: Caller, jobId: string): Promise<JobResource>
  /** Resolves when the job has ended, `waitMs` have passed or `signal` fires. */
  wait(caller: Caller, jobId: string, waitMs: number, signal: AbortSignal): Promise<JobResource>
  /** Every change of the job, the present state first; ends after the state in which the job ended. */
  watch(caller: Caller, jobId: string, signal: AbortSignal): AsyncIterable<JobResource>
  cancel(caller: Caller, jobId: string): Promise<JobResource>
  retry(caller: Caller, jobId: string, keep?: Keep<JobResource>): Promise<JobResource>
}

export type HealthCheck = {
  status: 'up' | 'down'
  latencyMs?: number
  error?: string
  optional?: true
}

export type HealthService = {
  /** `database`, `objectStore` and the optional checks by name. */
  ready(): Promise<{ status: 'ready' | 'degraded'; checks: Record<string, HealthCheck> }>
}

/** An answer as it comes again. */
export type FirstAnswer = { status: number; headers: Record<string, string>; body: string }

/** What is known of a request that may come twice; `unwritten`: nothing, and a disk that is full or fails takes no claim, as `error` says. */
export type KnownRequest =
  | { state: 'claimed' | 'running' | 'reused' }
  | ({ state: 'done' } & FirstAnswer)
  | { state: 'unwritten'; error: unknown }

/** First answers kept for replay; see contract, "Rules for every endpoint", Idempotency-Key. */
export type IdempotencyService = {
  /** Claims the key for this request, or says what is known of it. `memoryId`: the memory in its path. */
  begin(
    keyId: string,
    idempotencyKey: string,
    asked: { fingerprint: string; memoryId: string | null },
  ): Promise<KnownRequest>
  /**
   * Keeps the answer for replay in the transaction that commits the work. Rejects with `idempotency_in_progress` when this process has the
   * claim no more.
   */
  keep(
    transaction: Parameters<Keep<unknown>>[0],
    claim: { keyId: string; idempotencyKey: string },
    answer: FirstAnswer,
  ): Promise<void>
  /** Keeps the answer of work that committed nothing; where one is kept already, that one stays. */
  finish(keyId: string, idempotencyKey: string, answer: FirstAnswer): Promise<void>
  /** Gives the key back, so that the request can be sent again (after a 5xx, a time-out), unless an answer is kept. */
  release(keyId: string, idempotencyKey: string): Promise<void>
}

/** What is asked; `model` is the name the caller gave, or the default one. */
export type AskRequest = { question: string; model: string; maxContextChunks: number; includeSources: boolean }

/** Nothing relevant is an answer too: `answered` false. All reject with `model_failed`, and the streams throw it. */
export type AskService = {
  /** Answers over a memory. Rejects with `memory_not_found`. */
  ask(caller: Caller, memoryId: string, request: AskRequest, signal: AbortSignal): Promise<AskAnswer>
  /** The same as it is written; resolves when the passages are retrieved. Leaving the loop ends what is under way. */
  streamAsk(
    caller: Caller,
    memoryId: string,
    request: AskRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<AskEvent<AskAnswer>>>
  /** Answers over a text; keeps nothing of it. */
  askOnce(request: AskRequest & { content: string }, signal: AbortSignal): Promise<AskOnceAnswer>
  streamAskOnce(
    request: AskRequest & { content: string },
    signal: AbortSignal,
  ): Promise<AsyncIterable<AskEvent<AskOnceAnswer>>>
}

/** What this process counts. */
export type MetricsService = {
  /** As Prometheus reads it, text format 0.0.4. */
  print(): Promise<string>
}

export type Services = {
  account: AccountService
  archive: ArchiveService
  ask: AskService
  corrections: CorrectionsService
  documents: DocumentsService
  evaluate: EvaluateService
  extract: ExtractService
  health: HealthService
  idempotency: IdempotencyService
  ingest: IngestService
  jobs: JobsService
  keys: KeysService
  memories: MemoriesService
  metrics: MetricsService
  pagePictures: PagePicturesService
  projects: ProjectsService
  reembed: ReembedService
  search: SearchService
  verify: VerifyService
  webhooks: WebhooksService
}

export type { Warning }
