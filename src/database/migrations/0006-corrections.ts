import type { Migration } from './migration.ts'

/** Who made a correction, and until when it holds. */
export const corrections: Migration = {
  name: '0006-corrections',
  statements: (dialect) => {
    const text = dialect === 'sqlite' ? 'text' : 'text collate "C"'
    return [
      `alter table documents add column created_by ${text}`,
      `alter table documents add column expires_at ${text}`,
      // What is swept: few documents, if any, expire.
      'create index documents_expiring on documents (expires_at) where expires_at is not null',
    ]
  },
}
