import type { Dialect, Migration } from './migration.ts'

/**
 * The tables of `schema.ts`, column by column.
 *
 * There is no foreign key from documents, jobs, intents and removals to memories: a memory disappears at once, its
 * documents are removed in batches afterwards, and its jobs are kept.
 */
export const firstTables: Migration = {
  name: '0001-first-tables',
  statements: (dialect) => {
    const statements = [...tenants(), ...memories(dialect), ...documents(dialect), ...parts(dialect), ...work()]
    return dialect === 'sqlite' ? statements : statements.map(comparedByBytes)
  },
}

/**
 * Texts of PostgreSQL in the order of their bytes, which is SQLite's: identifiers and times sort the same everywhere, and
 * no index depends on the operating system's idea of an alphabet, which changes with its versions.
 */
function comparedByBytes(statement: string): string {
  return statement.replace(/(?<=\b[a-z_]+ )text\b/g, 'text collate "C"')
}

function tenants(): string[] {
  return [
    `create table organizations (
      id text not null primary key, name text not null, plan text not null, created_at text not null)`,
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
      revoked_at text)`,
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
      updated_at text not null)`,
    'create index memories_of_organization on memories (organization_id, id)',
    'create index memories_of_project on memories (project_id, id)',
    `create table memory_languages (
      memory_id text not null references memories (id) on delete cascade,
      language text not null,
      chunks integer not null,
      primary key (memory_id, language))${compact(dialect)}`,
  ]
}

function documents(dialect: Dialect): string[] {
  return [
    `create table documents (
      seq ${dialect === 'sqlite' ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key'},
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
      updated_at text not null)`,
    // One index a list, each with all its filter needs, so that counting 100,000 documents never reads their rows.
    `create index documents_plain on documents (memory_id, seq) where source_type <> 'correction'`,
    'create index documents_by_status on documents (memory_id, status, seq, source_type)',
    'create index documents_by_source_type on documents (memory_id, source_type, seq, status)',
    'create index documents_by_hash on documents (memory_id, content_hash) where content_hash is not null',
    'create index documents_of_job on documents (job_id) where job_id is not null',
    `create unique index documents_by_external_id on documents (memory_id, external_id)
      where external_id is not null and status in ('ready', 'partial')`,
  ]
}

/** What is removed with its document's row; the keys are checked at the end of the transaction, so order is free. */
function parts(dialect: Dialect): string[] {
  const documentId = 'text not null references documents (id) on delete cascade deferrable initially deferred'
  return [
    `create table document_tags (
      document_id ${documentId},
      memory_id text not null,
      tag text not null,
      primary key (document_id, tag))${compact(dialect)}`,
    'create index document_tags_by_tag on document_tags (memory_id, tag, document_id)',
    `create table document_texts (document_id ${documentId} primary key, content text not null)`,
    `create table near_duplicates (
      memory_id text not null,
      band text not null,
      document_id ${documentId},
      primary key (memory_id, band, document_id))${compact(dialect)}`,
    'create index near_duplicates_of_document on near_duplicates (document_id)',
    `create table signatures (document_id ${documentId} primary key, signature text not null)`,
  ]
}

function work(): string[] {
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
    // The lists of callers, then what claim-jobs.ts probes.
    'create index jobs_of_organization on jobs (organization_id, created_at, id)',
    'create index jobs_of_organization_by_status on jobs (organization_id, status, created_at, id)',
    'create index jobs_of_memory on jobs (memory_id, created_at, id)',
    'create index jobs_by_status on jobs (status, memory_id, run_after, id)',
    'create index jobs_served_of_organization on jobs (organization_id, started_at)',
    'create index jobs_served_of_memory on jobs (memory_id, started_at)',
    `create table intents (
      document_id text not null primary key, memory_id text not null, owner text not null, created_at text not null)`,
    `create table removals (
      id text not null primary key,
      kind text not null,
      memory_id text not null,
      document_id text,
      created_at text not null)`,
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
      primary key (key_id, idempotency_key))`,
    'create index idempotency_by_age on idempotency (created_at)',
  ]
}

/** A table that is only its primary key and little more: SQLite need not keep the key twice. */
function compact(dialect: Dialect): string {
  return dialect === 'sqlite' ? ' without rowid' : ''
}
