import { CHECKED_COLUMNS, checksumTriggers } from './row-checksums.ts'
import type { Dialect } from './store.ts'

/** A forward migration; there are no down migrations. */
export type Migration = {
  name: string
  /** DDL statements, run in order in the transaction of all pending migrations. */
  statements(dialect: Dialect): readonly string[]
}

/**
 * Creates the tables of `schema.ts` with indexes and triggers. Documents, jobs, intents and
 * removals have no foreign key to memories. A memory row is deleted first, its documents afterwards
 * in batches, and its jobs are kept.
 */
export const firstMigration: Migration = {
  name: '0001-tables',
  statements: (dialect) => {
    const tables = [
      ...[...tenants(), ...memories(dialect), ...documents(dialect), ...documentRelations(dialect)],
      ...[...jobs(), ...deletions(), ...idempotency(), ...webhooks(), ...processes(dialect)],
    ]
    const statements = dialect === 'sqlite' ? tables : tables.map(withByteCollation)
    return [...statements, ...Object.keys(CHECKED_COLUMNS).flatMap((table) => checksumTriggers(dialect, table))]
  },
}

/**
 * Byte collation on PostgreSQL, as on SQLite: ids and times sort the same everywhere. Indexes do
 * not depend on the operating system's locale, which changes between versions.
 */
function withByteCollation(statement: string): string {
  return statement.replace(/(?<=\b[a-z_]+ )text\b/g, 'text collate "C"')
}

function tenants(): string[] {
  return [
    `create table organizations (
      id text not null primary key,
      name text not null,
      plan text not null,
      created_at text not null,
      checksum text)`,
    `create table keys (
      id text not null primary key,
      organization_id text not null references organizations (id),
      name text not null,
      hash text not null unique,
      preview text not null,
      scope text not null,
      memory_id text,
      created_at text not null,
      last_used_at text,
      expires_at text,
      revoked_at text,
      checksum text)`,
    'create index keys_of_organization on keys (organization_id, id)',
    'create index keys_of_memory on keys (memory_id) where memory_id is not null',
    `create table usage (
      organization_id text not null references organizations (id),
      month text not null,
      queries integer not null,
      primary key (organization_id, month))`,
    `create table projects (
      id text not null primary key,
      organization_id text not null references organizations (id),
      name text not null,
      name_key text not null,
      created_at text not null,
      updated_at text not null,
      checksum text,
      unique (organization_id, name_key))`,
    'create index projects_of_organization on projects (organization_id, id)',
  ]
}

function memories(dialect: Dialect): string[] {
  return [
    `create table memories (
      id text not null primary key,
      organization_id text not null references organizations (id),
      project_id text references projects (id) on delete set null,
      name text not null,
      description text,
      embedding_model text,
      document_count integer not null,
      chunk_count integer not null,
      correction_count integer not null,
      storage_bytes bigint not null,
      created_at text not null,
      updated_at text not null,
      file text,
      next_file text,
      closed_until text,
      checksum text)`,
    'create index memories_of_organization on memories (organization_id, id)',
    'create index memories_of_project on memories (project_id, id)',
    `create table memory_languages (
      memory_id text not null references memories (id) on delete cascade,
      language text not null,
      chunks integer not null,
      primary key (memory_id, language))${withoutRowid(dialect)}`,
    `create table reembedding_changes (
      file text not null,
      document_id text not null,
      times integer not null,
      primary key (file, document_id))`,
  ]
}

function documents(dialect: Dialect): string[] {
  const seqType =
    dialect === 'sqlite' ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key'
  return [
    `create table documents (
      seq ${seqType},
      id text not null unique,
      organization_id text not null,
      memory_id text not null,
      external_id text,
      title text not null,
      filename text,
      mime_type text not null,
      source_type text not null,
      url text,
      tags text not null,
      metadata text not null,
      status text not null,
      size_bytes bigint not null,
      storage_bytes bigint not null,
      page_count integer,
      ocr_pages integer not null,
      chunk_count integer not null,
      character_count integer not null,
      content_hash text,
      embedding_model text,
      language text,
      has_source integer not null,
      job_id text,
      error text,
      pages text not null,
      statement text,
      topics text,
      boost double precision,
      created_at text not null,
      updated_at text not null,
      created_by text,
      expires_at text,
      outranked text,
      outranked_at text,
      original_hash text,
      checksum text)`,
    // Each list has a covering index for its filter: counting 100,000 documents reads no row.
    `create index documents_plain on documents (memory_id, seq) where source_type <> 'correction'`,
    'create index documents_by_status on documents (memory_id, status, seq, source_type)',
    'create index documents_by_source_type on documents (memory_id, source_type, seq, status)',
    'create index documents_by_hash on documents (memory_id, content_hash) where content_hash is not null',
    'create index documents_of_job on documents (job_id) where job_id is not null',
    `create unique index documents_by_external_id on documents (memory_id, external_id)
      where external_id is not null and status in ('ready', 'partial')`,
    // Few documents expire.
    'create index documents_expiring on documents (expires_at) where expires_at is not null',
  ]
}

/**
 * Dependent rows of documents. Most are deleted by cascade; the keys are checked at commit, so that
 * the order of statements is free. Tag rows have no foreign key: they are written before the
 * document and deleted after it (`documents/document-tags-table.ts`).
 */
function documentRelations(dialect: Dialect): string[] {
  const documentId = 'text not null references documents (id) on delete cascade deferrable initially deferred'
  return [
    `create table document_tags (
      document_id text not null,
      memory_id text not null,
      tag text not null,
      primary key (document_id, tag))${withoutRowid(dialect)}`,
    'create index document_tags_by_tag on document_tags (memory_id, tag, document_id)',
    `create table document_texts (document_id ${documentId} primary key, content text not null)`,
    `create table signatures (document_id ${documentId} primary key, signature text not null)`,
    // Ten bytes and a number, encoded by `documents/duplicates-table.ts`.
    `create table signature_bands (
      band ${dialect === 'sqlite' ? 'blob' : 'bytea'} not null,
      document_seq bigint not null references documents (seq) on delete cascade deferrable initially deferred,
      primary key (band, document_seq))${withoutRowid(dialect)}`,
    'create index signature_bands_of_document on signature_bands (document_seq)',
  ]
}

function jobs(): string[] {
  return [
    `create table jobs (
      id text not null primary key,
      organization_id text not null,
      memory_id text not null,
      job_type text not null,
      status text not null,
      progress integer not null,
      message text not null,
      payload text not null,
      result text,
      error text,
      error_code text,
      is_partial integer not null,
      cancel_requested integer not null,
      attempts integer not null,
      max_attempts integer not null,
      lease_token text,
      lease_expires_at text,
      run_after text not null,
      created_at text not null,
      started_at text,
      completed_at text)`,
    // Indexes for lists, then the probes of claim-jobs.ts.
    'create index jobs_of_organization on jobs (organization_id, created_at, id)',
    'create index jobs_of_organization_by_status on jobs (organization_id, status, created_at, id)',
    'create index jobs_of_memory on jobs (memory_id, created_at, id)',
    'create index jobs_by_status on jobs (status, memory_id, run_after, id)',
    'create index jobs_served_of_organization on jobs (organization_id, started_at)',
    'create index jobs_served_of_memory on jobs (memory_id, started_at)',
    // Running attempts of jobs.
    `create table job_runs (
      id text not null primary key,
      job_id text not null,
      memory_id text not null,
      owner text not null)`,
    'create index job_runs_by_job on job_runs (job_id)',
  ]
}

function deletions(): string[] {
  return [
    `create table intents (
      document_id text not null primary key,
      memory_id text not null,
      owner text not null,
      created_at text not null)`,
    // `job_id`: job to wait for before the deletion.
    `create table removals (
      id text not null primary key,
      kind text not null,
      memory_id text not null,
      document_id text,
      created_at text not null,
      job_id text)`,
    'create index removals_by_job on removals (job_id) where job_id is not null',
    // Memory files with deleted chunks.
    `create table erasures (
      memory_id text not null,
      version bigint not null,
      first_at text not null,
      last_at text not null,
      erased_at text,
      primary key (memory_id, version))`,
  ]
}

function idempotency(): string[] {
  return [
    `create table idempotency (
      key_id text not null,
      idempotency_key text not null,
      fingerprint text not null,
      state text not null,
      owner text not null,
      status integer,
      headers text,
      body text,
      created_at text not null,
      memory_id text,
      commits integer not null default 0,
      primary key (key_id, idempotency_key))`,
    'create index idempotency_by_age on idempotency (created_at)',
    `create index idempotency_running on idempotency (owner) where state = 'running'`,
    `create index idempotency_of_memory on idempotency (memory_id, commits, key_id, idempotency_key)
      where memory_id is not null`,
  ]
}

/**
 * Webhooks, their messages and delivery attempts. Messages and deliveries have no foreign key: the
 * end of a job must not fail when a webhook is deleted concurrently. Rows without a webhook are
 * never sent, and are purged.
 */
function webhooks(): string[] {
  return [
    `create table webhooks (
      id text not null primary key,
      organization_id text not null references organizations (id),
      url text not null,
      events text not null,
      secret text not null,
      status text not null,
      disabled_reason text,
      failures integer not null,
      failing_since text,
      created_at text not null,
      checksum text)`,
    'create index webhooks_of_organization on webhooks (organization_id, id)',
    `create table webhook_messages (
      id text not null primary key,
      webhook_id text not null,
      organization_id text not null,
      event text not null,
      job_id text not null,
      job text not null,
      attempts integer not null,
      next_attempt_at text not null,
      lease_token text,
      lease_expires_at text,
      created_at text not null)`,
    `create index webhook_messages_waiting on webhook_messages (webhook_id, next_attempt_at, id)
      where lease_token is null`,
    `create index webhook_messages_sending on webhook_messages (organization_id, webhook_id)
      where lease_token is not null`,
    `create table webhook_deliveries (
      id text not null primary key,
      webhook_id text not null,
      message_id text not null,
      event text not null,
      job_id text,
      attempt integer not null,
      outcome text not null,
      status_code integer,
      duration_ms integer not null,
      response text,
      error text,
      attempted_at text not null,
      next_attempt_at text)`,
    'create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, attempted_at, id)',
    'create index webhook_deliveries_by_age on webhook_deliveries (attempted_at)',
  ]
}

/** Coordination of processes on one database. */
function processes(dialect: Dialect): string[] {
  // Counts of one minute may be lost in a crash of the server, so they need no durability.
  const passing = dialect === 'sqlite' ? 'table' : 'unlogged table'
  return [
    'create table nodes (id text not null primary key, seen_at text not null)',
    'create table leases (name text not null primary key, owner text not null, expires_at text not null)',
    `create ${passing} rate_windows (
      name text not null primary key,
      ends_at text not null,
      requests integer not null)`,
    'create table installation (one integer not null primary key check (one = 1), objects_id text not null)',
    'create table marks (name text not null primary key, version integer not null, reached text)',
  ]
}

/** SQLite need not store the key twice if a table is little more than its primary key. */
function withoutRowid(dialect: Dialect): string {
  return dialect === 'sqlite' ? ' without rowid' : ''
}
