import type { Migration } from './migration.ts'

/**
 * The bands of documents' signatures in ten bytes and a number each, where they took two identifiers and 18 characters, twice: of a document of one chunk
 * they were half of all that was stored, and as much of the time in which its rows were written. As `store/documents/signature-bands.ts` packs them.
 */
export const packedBands: Migration = {
  name: '0010-packed-bands',
  statements: (dialect) => {
    const isSqlite = dialect === 'sqlite'
    const packed = isSqlite
      ? 'unhex(hex(substr(bands.memory_id, -4)) || substr(bands.band, 3, 12))'
      : `decode(encode(convert_to(right(bands.memory_id, 4), 'UTF8'), 'hex') || substr(bands.band, 3, 12), 'hex')`
    return [
      `create table signature_bands (
        band ${isSqlite ? 'blob' : 'bytea'} not null,
        document_seq bigint not null references documents (seq) on delete cascade deferrable initially deferred,
        primary key (band, document_seq))${isSqlite ? ' without rowid' : ''}`,
      // Before the rows: PostgreSQL makes none while their keys wait to be checked.
      'create index signature_bands_of_document on signature_bands (document_seq)',
      `insert into signature_bands (band, document_seq)
        select distinct ${packed}, documents.seq
        from near_duplicates as bands join documents on documents.id = bands.document_id
        order by 1, 2`,
      'drop table near_duplicates',
    ]
  },
}
