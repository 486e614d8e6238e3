/**
 * Tables of the metadata database, equal on SQLite and PostgreSQL. Times are ISO 8601 UTC texts
 * with milliseconds (sortable), JSON is text, and booleans are 0 or 1. So both databases return the
 * same values. `first-migration.ts` creates the tables with the same columns, plus `checksum`,
 * written by triggers and compared by `row-checksums.ts`.
 */
import type { Generated, Insertable, Selectable } from 'kysely'
import type { UsageDayTable } from './account/usage-columns.ts'
import type {
  SourceItemTable,
  SourceTable,
  WebhookDeliveryTable,
  WebhookMessageTable,
  WebhookTable,
} from './outside-tables.ts'

export type Tables = {
  organizations: OrganizationTable
  keys: KeyTable
  usage: UsageTable
  usage_days: UsageDayTable
  projects: ProjectTable
  memories: MemoryTable
  memory_languages: MemoryLanguageTable
  documents: DocumentTable
  document_tags: DocumentTagTable
  stale_chunks: StaleChunksTable
  document_texts: DocumentTextTable
  signatures: SignatureTable
  signature_bands: SignatureBandTable
  jobs: JobTable
  job_runs: JobRunTable
  intents: IntentTable
  removals: RemovalTable
  erasures: ErasureTable
  idempotency: IdempotencyTable
  nodes: NodeTable
  leases: LeaseTable
  rate_windows: RateWindowTable
  installation: InstallationTable
  marks: MarkTable
  reembedding_changes: ReembeddingChangeTable
  webhooks: WebhookTable
  webhook_messages: WebhookMessageTable
  webhook_deliveries: WebhookDeliveryTable
  sources: SourceTable
  source_items: SourceItemTable
}

type OrganizationTable = { id: string; name: string; plan: string; created_at: string }

type KeyTable = {
  id: string
  organization_id: string
  name: string
  /** Lower-case hex SHA-256 of the key; the key itself is never stored. */
  hash: string
  /** First 8 and last 4 characters: `rcl_ab12…wxyz`. */
  preview: string
  scope: 'organization' | 'memory'
  /** The memory of a key of one memory. */
  memory_id: string | null
  /** JSON list of the memories of a key of several memories. */
  memory_ids: string | null
  role: 'admin' | 'writer' | 'reader'
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

/** Queries per organization and calendar month (`2026-11`). */
type UsageTable = { organization_id: string; month: string; queries: number }

type ProjectTable = {
  id: string
  organization_id: string
  name: string
  /** Normalised name; unique within the organization. */
  name_key: string
  created_at: string
  updated_at: string
}

/**
 * The transactions that publish and delete documents maintain the counters. `storage_bytes` counts
 * against the plan: stored originals plus UTF-8 bytes of extracted text.
 */
type MemoryTable = {
  id: string
  organization_id: string
  project_id: string | null
  name: string
  description: string | null
  embedding_model: string | null
  document_count: number
  chunk_count: number
  correction_count: number
  storage_bytes: number
  /** Sizes of the chunks as JSON ({@link chunkSizesOf}); `null`: the default. */
  chunking: string | null
  /** Name of the memory file; `null` means the memory's id, used for the first file. */
  file: string | null
  /** File built by a re-embedding, to replace the current one. */
  next_file: string | null
  /** No document becomes visible until then, so that the new file can be switched in. */
  closed_until: string | null
  /** Number of changes of documents, see {@link DocumentTable.revision}. */
  revision: Generated<number>
  created_at: string
  updated_at: string
}

/**
 * Chunks of a memory by language (ISO 639-1) of their document; queries are analysed in each
 * language.
 */
type MemoryLanguageTable = { memory_id: string; language: string; chunks: number }

type DocumentTable = {
  id: string
  organization_id: string
  memory_id: string
  /** Order of arrival, increasing over the whole installation. */
  seq: Generated<number>
  /**
   * The memory's number of changes when the row was added, published or changed. Each transaction
   * that changes or deletes visible documents takes the `nextRevision`.
   */
  revision: Generated<number>
  external_id: string | null
  title: string
  /** 1: given by the caller. 0: found by reading, which may be repeated. */
  title_given: Generated<number>
  filename: string | null
  mime_type: string
  source_type: 'file' | 'text' | 'url' | 'ocr' | 'correction'
  url: string | null
  /** JSON array of strings. */
  tags: string
  /** Flat JSON object. */
  metadata: string
  status: 'pending' | 'processing' | 'ready' | 'partial' | 'failed'
  /** Bytes of the uploaded original. */
  size_bytes: number
  /** Bytes that count against the plan. */
  storage_bytes: number
  page_count: number | null
  ocr_pages: number
  chunk_count: number
  character_count: number
  /** Lower-case hex SHA-256 of the normalised text; `null` until known. */
  content_hash: string | null
  embedding_model: string | null
  language: string | null
  has_source: number
  /**
   * Lower-case hex SHA-256 of the stored original; `null` if not stored, or stored by a version
   * without hashes.
   */
  original_hash: string | null
  job_id: string | null
  error: string | null
  /** JSON array of page reports: the result of every page. */
  pages: string
  /** Statement, topics (JSON array) and boost of a correction; otherwise `null`. */
  statement: string | null
  topics: string | null
  boost: number | null
  /**
   * JSON object of the key that created a correction (`keyId`, `name`); `null` if keys are
   * disabled, and for documents.
   */
  created_by: string | null
  /** Expiry of a correction; `null` never expires. */
  expires_at: string | null
  /**
   * JSON array of `StoredOutranked` (`database/memories/corrections-table.ts`): passages last
   * outranked by a correction, and when; `null` for documents.
   */
  outranked: string | null
  outranked_at: string | null
  /** 0: hidden from searches by the caller. */
  enabled: Generated<number>
  created_at: string
  updated_at: string
}

/** A tag of a document, which may be hidden (`database/memories/document-tags-table.ts`). */
type DocumentTagTable = { document_id: string; memory_id: string; tag: string }

/** Documents with chunks to rewrite after a change (`memories/document-changes.ts`). */
type StaleChunksTable = { document_id: string; memory_id: string; created_at: string }

/**
 * Extracted texts of small documents, so that adding a chat turn needs no object. Texts over
 * `INLINE_TEXT_CHARACTERS` (services/ingest) are objects `…/text`. `content` is the output of
 * `packText`. Deleted with the document.
 */
type DocumentTextTable = { document_id: string; content: string | Uint8Array }

/** MinHash signature of a document, in base64. Deleted with the document. */
type SignatureTable = { document_id: string; signature: string }

/** A row per LSH band of a signature, encoded by `packBand`. Deleted with the document. */
type SignatureBandTable = { band: Uint8Array; document_seq: number }

type JobTable = {
  id: string
  organization_id: string
  memory_id: string
  job_type: string
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'partial'
  progress: number
  message: string
  /** JSON object of the job type. */
  payload: string
  /** JSON object of JobResult; `null` until the job ends with a result. */
  result: string | null
  error: string | null
  error_code: string | null
  is_partial: number
  cancel_requested: number
  attempts: number
  max_attempts: number
  lease_token: string | null
  lease_expires_at: string | null
  run_after: string
  created_at: string
  started_at: string | null
  completed_at: string | null
}

/** A running attempt by the process `owner`, which may still write documents of the job. */
type JobRunTable = { id: string; job_id: string; memory_id: string; owner: string }

/**
 * Written before any data of a document, and deleted in the transaction that publishes the
 * document. Intents left by a crash name exactly the data to delete. An import has a single intent,
 * with the memory's id as `document_id`.
 */
type IntentTable = { document_id: string; memory_id: string; owner: string; created_at: string }

/** Outbox of committed deletions: chunks and objects that still have to be deleted. */
type RemovalTable = {
  id: string
  /**
   * `upload`: staged original of a processed document. `file`: replaced memory file. `unfinished`:
   * memory file that was never used. Files are identified by `id`.
   */
  kind: 'document' | 'memory' | 'upload' | 'file' | 'unfinished'
  memory_id: string
  document_id: string | null
  /** Job that created the document: the row stays while an attempt may still write. */
  job_id: string | null
  created_at: string
}

/**
 * A memory whose file still has chunks of deleted documents. `version` 0: the file must be
 * compacted; otherwise the versions before `version` must be purged. `first_at`: time of the first
 * deletion; `last_at`: time of the last state change. `erased_at`: time of the purge, after which
 * other processes refresh their caches of the file.
 */
type ErasureTable = {
  memory_id: string
  version: number
  first_at: string
  last_at: string
  erased_at: string | null
}

type IdempotencyTable = {
  key_id: string
  idempotency_key: string
  /** SHA-256 of method, path and body. */
  fingerprint: string
  state: 'running' | 'done'
  owner: string
  status: number | null
  /** JSON object of the headers to replay. */
  headers: string | null
  body: string | null
  /** Memory in the path. */
  memory_id: string | null
  /**
   * 1: stored by the transaction of the work. 0: the work committed nothing. 2: running, and data
   * of the memory was deleted.
   */
  commits: Generated<0 | 1 | 2>
  created_at: string
}

/** Processes on this database and their last heartbeats. */
type NodeTable = { id: string; seen_at: string }

/** Leases of exclusive work. */
type LeaseTable = { name: string; owner: string; expires_at: string }

/** Requests counted by name (a key's id) in the current window. */
type RateWindowTable = { name: string; ends_at: string; requests: number }

/** A single row: the id of the object store of this database. */
type InstallationTable = { one: 1; objects_id: string }

/** Progress of one-time tasks; `reached` is the id of the last row, `null` when complete. */
type MarkTable = { name: string; version: number; reached: string | null }

/**
 * A changed document to replay into a memory file that is being built, with its number of changes.
 */
type ReembeddingChangeTable = { file: string; document_id: string; times: number }

export type Organization = Selectable<OrganizationTable>
export type Key = Selectable<KeyTable>
export type Project = Selectable<ProjectTable>
export type Memory = Selectable<MemoryTable>
export type Document = Selectable<DocumentTable>
/** States of documents that are visible in searches and counted. */
export const LIVE_STATUSES: readonly Document['status'][] = ['ready', 'partial']
export type NewDocument = Insertable<DocumentTable>
export type Job = Selectable<JobTable>
export type JobRun = Selectable<JobRunTable>
export type Intent = Selectable<IntentTable>
export type PendingDeletion = Selectable<RemovalTable>
export type PurgeTask = Selectable<ErasureTable>
export type IdempotencyRow = Selectable<IdempotencyTable>
export type Webhook = Selectable<WebhookTable>
export type WebhookMessage = Selectable<WebhookMessageTable>
export type WebhookDelivery = Selectable<WebhookDeliveryTable>
export type Source = Selectable<SourceTable>
export type SourceItem = Selectable<SourceItemTable>
