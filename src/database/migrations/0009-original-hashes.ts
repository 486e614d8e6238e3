import type { Migration } from './migration.ts'

/** What stored originals are compared with; those of earlier versions have a size only. */
export const originalHashes: Migration = {
  name: '0009-original-hashes',
  statements: (dialect) => {
    const text = dialect === 'sqlite' ? 'text' : 'text collate "C"'
    return [`alter table documents add column original_hash ${text}`]
  },
}
