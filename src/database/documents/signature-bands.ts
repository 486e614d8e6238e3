/**
 * The LSH bands of documents' signatures: documents of a memory that share one are compared. There are 16 a document in places that nothing orders,
 * so the smaller a row, the fewer pages a commit writes.
 */
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../schema.ts'
import { slices } from '../slices.ts'

/** Rows a statement, of two values each: written in a quarter less time than 200. */
const ROWS_A_STATEMENT = 500
/** Documents whose bands are put in order together, which takes some 8 ms. */
const DOCUMENTS_SORTED = 2000

/** Of a memory's identifier, the last of its random characters, so that equal documents of many memories are not all looked at for one. */
const MEMORY_CHARACTERS = 4

/** The bands of a document, by its number in the order of arrival. */
export type DocumentBands = { memoryId: string; documentSeq: number; bands: readonly string[] }

/** Notes the bands of documents that have none. */
export async function insertBands(
  transaction: Transaction<Tables>,
  documents: readonly DocumentBands[],
): Promise<void> {
  for (const some of slices(documents, DOCUMENTS_SORTED)) {
    const rows = some.flatMap(({ memoryId, documentSeq, bands }) =>
      bands.map((band) => ({ memoryId, band, documentSeq })),
    )
    for (const slice of slices(sortRows(rows), ROWS_A_STATEMENT)) {
      const packed = slice.map(({ memoryId, band, documentSeq }) => {
        return { band: packBand(memoryId, band), document_seq: documentSeq }
      })
      const insert = transaction.insertInto('signature_bands').values(packed)
      await insert.onConflict((conflict) => conflict.doNothing()).execute()
    }
  }
}

/** More than the rows that are sorted together, so that a place and 32 bits of a band are one number. */
const PLACES = 2 ** 21

/**
 * Neighbours of the index one after the other are written in a sixth less time. By the beginning of their bands, as numbers: 160,000 that were compared whole
 * held everybody up for .4 s.
 */
function sortRows<Row extends { band: string }>(rows: readonly Row[]): Row[] {
  const keys = Float64Array.from(rows, ({ band }, place) => Number.parseInt(band.slice(0, 8), 16) * PLACES + place)
  return Array.from(keys.sort(), (key) => rows[key % PLACES] as Row)
}

/** Forgets the bands of a document. */
export async function deleteBands(db: Kysely<Tables>, documentSeq: number): Promise<void> {
  await db.deleteFrom('signature_bands').where('document_seq', '=', documentSeq).execute()
}

/** A band (twelve hex digits) as the table has it, with a part of the memory's identifier; another memory may have the same part. */
export function packBand(memoryId: string, band: string): Buffer {
  return Buffer.concat([Buffer.from(memoryId.slice(-MEMORY_CHARACTERS)), Buffer.from(band, 'hex')])
}
