import type { Migration } from './migration.ts'

/** Memories whose vectors are made anew, in a file beside the one in use. */
export const reembedding: Migration = {
  name: '0007-reembedding',
  statements: (dialect) => {
    const text = dialect === 'sqlite' ? 'text' : 'text collate "C"'
    return [
      `alter table memories add column file ${text}`,
      `alter table memories add column next_file ${text}`,
      `alter table memories add column closed_until ${text}`,
      `create table reembedding_changes (
        file ${text} not null,
        document_id ${text} not null,
        times integer not null,
        primary key (file, document_id))`,
    ]
  },
}
