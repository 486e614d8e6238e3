import type { Migration } from './migration.ts'

/**
 * The bands of documents' signatures in ten bytes and a number each, where they took two identifiers and 18 characters, twice: of a document of one chunk
 * they were half of all that was stored, and as much of the time in which its rows were written. As `database/documents/signature-bands.ts` packs them.
 */
export const packedBands: Migration = {
  name: '0010-packed-bands',
  rewrites: ['near_duplicates'],
  statements: (dialect) => {
    const isSqlite = dialect === 'sqlite'
    const packed = isSqlite
      ? 'unhex(hex(substr(bands.memory_id, -4)) || substr(bands.band, 3, 12))'
      : `decode(encode(convert_to(right(bands.memory_id, 4), 'UTF8'), 'hex') || substr(bands.band, 3, 12), 'hex')`
    const reference = 'references documents (seq) on delete cascade deferrable initially deferred'
    return [
      `create table signature_bands (
        band ${isSqlite ? 'blob' : 'bytea'} not null,
        document_seq bigint not null ${isSqlite ? reference : ''},
        primary key (band, document_seq))${isSqlite ? ' without rowid' : ''}`,
      `insert into signature_bands (band, document_seq)
        select distinct ${packed}, documents.seq
        from near_duplicates as bands join documents on documents.id = bands.document_id
        order by 1, 2`,
      // After the rows, which takes a third of the time: PostgreSQL would check the key of each by itself, and makes no index meanwhile.
      'create index signature_bands_of_document on signature_bands (document_seq)',
      ...(isSqlite ? [] : [`alter table signature_bands add foreign key (document_seq) ${reference}`]),
      'drop table near_duplicates',
    ]
  },
}
