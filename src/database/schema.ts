/**
 * The tables of the metadata database, the same on SQLite and PostgreSQL. Times are ISO 8601 UTC texts with
 * milliseconds (they sort as they read), JSON is text, booleans are 0 or 1, so that both databases give the same values.
 * `first-migration.ts` makes the tables; a column stands here exactly as it stands there, but
 * `checksum`, which triggers write and `row-checksums.ts` compares.
 */
import type { Generated, Insertable, Selectable } from 'kysely'

export type Tables = {
  organizations: OrganizationTable
  keys: KeyTable
  usage: UsageTable
  projects: ProjectTable
  memories: MemoryTable
  memory_languages: MemoryLanguageTable
  documents: DocumentTable
  document_tags: DocumentTagTable
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
}

type OrganizationTable = { id: string; name: string; plan: string; created_at: string }

type KeyTable = {
  id: string
  organization_id: string
  name: string
  /** SHA-256 of the key, lower-case hex; the key itself is never stored. */
  hash: string
  /** First 8 and last 4 characters, `rcl_ab12…wxyz`. */
  preview: string
  scope: 'organization' | 'memory'
  memory_id: string | null
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

/** Queries counted per organization and calendar month, `month` as `2026-11`. */
type UsageTable = { organization_id: string; month: string; queries: number }

type ProjectTable = {
  id: string
  organization_id: string
  name: string
  /** Lower-cased name; unique within the organization. */
  name_key: string
  created_at: string
  updated_at: string
}

/**
 * The counters are kept by the transaction that makes documents show and the one that removes them.
 * `storage_bytes` is what counts against the plan: stored originals plus UTF-8 bytes of extracted text.
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
  /** The name of the memory file; `null`: the memory's identifier, as that of the first. */
  file: string | null
  /** The one that a re-embedding makes to take its place. */
  next_file: string | null
  /** Nothing new shows until then, so that the new file can take its place. */
  closed_until: string | null
  created_at: string
  updated_at: string
}

/** Chunks of a memory by the language (ISO 639-1) their document was analysed in: a query is analysed in each. */
type MemoryLanguageTable = { memory_id: string; language: string; chunks: number }

type DocumentTable = {
  id: string
  organization_id: string
  memory_id: string
  /** Order of arrival; rises with every document of the installation. */
  seq: Generated<number>
  external_id: string | null
  title: string
  filename: string | null
  mime_type: string
  source_type: 'file' | 'text' | 'url' | 'ocr' | 'correction'
  url: string | null
  /** JSON array of strings. */
  tags: string
  /** JSON object, flat. */
  metadata: string
  status: 'pending' | 'processing' | 'ready' | 'partial' | 'failed'
  /** Bytes of the original as it came. */
  size_bytes: number
  /** What this document counts against the plan. */
  storage_bytes: number
  page_count: number | null
  ocr_pages: number
  chunk_count: number
  character_count: number
  /** SHA-256 of the normalised text, lower-case hex; `null` until it is known. */
  content_hash: string | null
  embedding_model: string | null
  language: string | null
  has_source: number
  /** SHA-256 of the stored original, lower-case hex; `null` where none was kept, or it was kept by a version that noted its size only. */
  original_hash: string | null
  job_id: string | null
  error: string | null
  /** JSON array: the receipt, what became of every page. */
  pages: string
  /** A correction's statement, topics (JSON array) and boost; `null` for all others. */
  statement: string | null
  topics: string | null
  boost: number | null
  /** JSON object of the key that made a correction (`keyId`, `name`); `null` where there was none, and for all others. */
  created_by: string | null
  /** From when on a correction holds no more; `null` for ever. */
  expires_at: string | null
  /** JSON array of `StoredOutranked` (`database/memories/corrections-table.ts`): what a correction last stood before, and when; `null` for all others. */
  outranked: string | null
  outranked_at: string | null
  created_at: string
  updated_at: string
}

/** A tag of a document; the document may not show yet, or no more (`database/memories/document-tags-table.ts`). */
type DocumentTagTable = { document_id: string; memory_id: string; tag: string }

/**
 * Extracted texts of small documents, so that adding a chat turn needs no object of its own; texts over
 * `INLINE_TEXT_CHARACTERS` (service/ingest) are objects `…/text`. `content` is what `packText` makes of one. Removed with the document's row.
 */
type DocumentTextTable = { document_id: string; content: string | Uint8Array }

/** A document's MinHash signature, base64. Removed with the document's row. */
type SignatureTable = { document_id: string; signature: string }

/** One row for each LSH band of a document's signature, as `packBand` makes it. Removed with the document's row. */
type SignatureBandTable = { band: Uint8Array; document_seq: number }

type JobTable = {
  id: string
  organization_id: string
  memory_id: string
  job_type: string
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'partial'
  progress: number
  message: string
  /** JSON object of the job type's own making. */
  payload: string
  /** JSON object of JobResult, `null` until the job ended with one. */
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

/** An attempt at a job of a memory by the process `owner` that may still write documents of the job. */
type JobRunTable = { id: string; job_id: string; memory_id: string; owner: string }

/**
 * Written before anything of a document reaches the memory file or the object store, removed in the transaction that
 * makes the document show. What is left after a crash names exactly what has to be cleared. A whole memory that is being imported has one whose
 * `document_id` is the memory's identifier.
 */
type IntentTable = { document_id: string; memory_id: string; owner: string; created_at: string }

/** Work that a committed deletion left: rows of the memory file and objects that no longer belong to anything. */
type RemovalTable = {
  id: string
  /**
   * `upload`: the staged original of a document that needs it no longer. `file`: a memory file that was replaced, `unfinished`: one that never came into
   * use; their names are the rows' identifiers.
   */
  kind: 'document' | 'memory' | 'upload' | 'file' | 'unfinished'
  memory_id: string
  document_id: string | null
  /** The job that made the document: the row stays while an attempt at it may still write. */
  job_id: string | null
  created_at: string
}

/**
 * A memory whose file holds chunks of deleted documents: with `version` 0 it has to be written anew, else it was, and the versions before that one have
 * to go. `first_at`: when the first of the documents was deleted; `last_at`: when it came to this; `erased_at`: when the versions went, after which other
 * processes look at what they keep of the file.
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
  /** JSON object of the headers worth replaying. */
  headers: string | null
  body: string | null
  /** The memory in the path. */
  memory_id: string | null
  /** 1: the answer was kept by the transaction that did the work; 0: nothing was committed; 2, while it runs: nothing yet, and something of the memory was deleted. */
  commits: Generated<0 | 1 | 2>
  created_at: string
}

/** The processes on this database, and when each of them last said that it lives. */
type NodeTable = { id: string; seen_at: string }

/** Work that one process at a time does, and until when that one has it. */
type LeaseTable = { name: string; owner: string; expires_at: string }

/** Requests counted by a name (a key's id) in a window that began with the first of them. */
type RateWindowTable = { name: string; ends_at: string; requests: number }

/** One row: what the object store that belongs to this database calls itself. */
type InstallationTable = { one: 1; objects_id: string }

/** How far work has come that is done once for all there is; `reached`: the identifier of the last row, `null` at the end. */
type MarkTable = { name: string; version: number; reached: string | null }

/** Where events go. `failures` are the attempts in a row that failed, `failing_since` the first of them. */
type WebhookTable = {
  id: string
  organization_id: string
  url: string
  /** JSON array of the events' names. */
  events: string
  /** `whsec_` and base64, as it is: it has to sign. */
  secret: string
  status: 'enabled' | 'disabled'
  disabled_reason: string | null
  failures: number
  failing_since: string | null
  created_at: string
}

/**
 * What is to be sent, written by the transaction that ends the job, removed when it was delivered or given up. In the hands of a process while it has a
 * lease.
 */
type WebhookMessageTable = {
  id: string
  webhook_id: string
  organization_id: string
  event: string
  job_id: string
  /** JSON object: the job's row as it ended, without its payload. */
  job: string
  attempts: number
  next_attempt_at: string
  lease_token: string | null
  lease_expires_at: string | null
  created_at: string
}

/** An attempt to send a message. */
type WebhookDeliveryTable = {
  id: string
  webhook_id: string
  message_id: string
  event: string
  /** `null` for a test. */
  job_id: string | null
  attempt: number
  outcome: 'delivered' | 'failed'
  status_code: number | null
  duration_ms: number
  /** What the receiver answered, shortened. */
  response: string | null
  error: string | null
  attempted_at: string
  next_attempt_at: string | null
}

/** A document that a memory file which is being made has to be told of, and how many times it changed. */
type ReembeddingChangeTable = { file: string; document_id: string; times: number }

export type Organization = Selectable<OrganizationTable>
export type Key = Selectable<KeyTable>
export type Project = Selectable<ProjectTable>
export type Memory = Selectable<MemoryTable>
export type Document = Selectable<DocumentTable>
/** In these states a document shows in searches, and only then counters and plan count it. */
export const LIVE: readonly Document['status'][] = ['ready', 'partial']
export type NewDocument = Insertable<DocumentTable>
export type Job = Selectable<JobTable>
export type JobRun = Selectable<JobRunTable>
export type Intent = Selectable<IntentTable>
export type Removal = Selectable<RemovalTable>
export type Erasure = Selectable<ErasureTable>
export type IdempotencyRow = Selectable<IdempotencyTable>
export type Webhook = Selectable<WebhookTable>
export type WebhookMessage = Selectable<WebhookMessageTable>
export type WebhookDelivery = Selectable<WebhookDeliveryTable>
