import type { Migration } from './migration.ts'

/** What a correction last stood before, and when. */
export const outranked: Migration = {
  name: '0008-outranked',
  statements: (dialect) => {
    const text = dialect === 'sqlite' ? 'text' : 'text collate "C"'
    return [
      `alter table documents add column outranked ${text}`,
      `alter table documents add column outranked_at ${text}`,
    ]
  },
}
