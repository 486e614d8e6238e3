import type { Migration } from './migration.ts'

/** Rows of tags without the documents that they are of: they are written before these, and go after them (`database/documents/document-tags.ts`). */
export const looseTags: Migration = {
  name: '0011-loose-tags',
  statements: (dialect) =>
    dialect === 'postgres'
      ? ['alter table document_tags drop constraint document_tags_document_id_fkey']
      : [
          // SQLite takes no key away from a table.
          `create table loose_tags (
            document_id text not null, memory_id text not null, tag text not null, primary key (document_id, tag)) without rowid`,
          'insert into loose_tags select document_id, memory_id, tag from document_tags',
          'drop table document_tags',
          'alter table loose_tags rename to document_tags',
          'create index document_tags_by_tag on document_tags (memory_id, tag, document_id)',
        ],
}
