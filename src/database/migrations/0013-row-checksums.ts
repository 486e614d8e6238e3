import { checksumExpression } from '../row-checksum.ts'
import type { Migration } from './migration.ts'

/**
 * A checksum in every row that callers see, over what its statements write, so that a byte that was changed on the disk is found: a page of the database has
 * none. Left out is what is counted again from other rows, and what is noted at each use.
 *
 * Triggers write it with the row: no statement can forget it. One that changes a row which is damaged leaves the checksum as it was, so that the damage stays to be
 * found; `acceptRow` alone makes it count as written so.
 */
export const CHECKED_COLUMNS = {
  organizations: ['id', 'name', 'plan', 'created_at'],
  keys: [
    ...['id', 'organization_id', 'name', 'hash', 'preview', 'scope', 'memory_id', 'created_at', 'expires_at'],
    'revoked_at',
  ],
  projects: ['id', 'organization_id', 'name', 'name_key', 'created_at', 'updated_at'],
  memories: [
    ...['id', 'organization_id', 'project_id', 'name', 'description', 'embedding_model', 'file', 'next_file'],
    ...['closed_until', 'created_at', 'updated_at'],
  ],
  documents: [
    ...['seq', 'id', 'organization_id', 'memory_id', 'external_id', 'title', 'filename', 'mime_type', 'source_type'],
    ...['url', 'tags', 'metadata', 'status', 'size_bytes', 'storage_bytes', 'page_count', 'ocr_pages', 'chunk_count'],
    ...['character_count', 'content_hash', 'embedding_model', 'language', 'has_source', 'original_hash', 'job_id'],
    ...['error', 'pages', 'statement', 'topics', 'boost', 'created_by', 'expires_at', 'outranked', 'outranked_at'],
    ...['created_at', 'updated_at'],
  ],
  webhooks: [
    ...['id', 'organization_id', 'url', 'events', 'secret', 'status', 'disabled_reason', 'failures', 'failing_since'],
    'created_at',
  ],
} as const

/** Rows with checksums; those that are there get theirs as they are. */
export const rowChecksums: Migration = {
  name: '0013-row-checksums',
  rewrites: Object.keys(CHECKED_COLUMNS),
  statements: (dialect) =>
    Object.entries(CHECKED_COLUMNS).flatMap(([table, columns]) => [
      `alter table ${table} add column checksum ${dialect === 'sqlite' ? 'text' : 'text collate "C"'}`,
      `update ${table} set checksum = ${checksumExpression(dialect, columns)}`,
      ...(dialect === 'sqlite' ? sqliteTriggers(table, columns) : postgresTriggers(table, columns)),
    ]),
}

/** The row is written twice, in the same page of the same commit. */
function sqliteTriggers(table: string, columns: readonly string[]): string[] {
  const write = `begin
    update ${table} set checksum = ${checksumExpression('sqlite', columns, 'new.')} where rowid = new.rowid;
  end`
  return [
    `create trigger ${table}_inserted after insert on ${table} when new.checksum is null ${write}`,
    `create trigger ${table}_updated after update of ${columns.join(', ')} on ${table}
      when old.checksum = ${checksumExpression('sqlite', columns, 'old.')} ${write}`,
  ]
}

function postgresTriggers(table: string, columns: readonly string[]): string[] {
  const of = (prefix: string) => checksumExpression('postgres', columns, prefix)
  return [
    `create function ${table}_checksum() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          new.checksum := coalesce(new.checksum, ${of('new.')});
        elsif old.checksum = ${of('old.')} then
          new.checksum := ${of('new.')};
        end if;
        return new;
      end $$`,
    `create trigger ${table}_written before insert or update on ${table} for each row execute function ${table}_checksum()`,
  ]
}
