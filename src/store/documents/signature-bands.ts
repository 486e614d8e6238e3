/**
 * The LSH bands of documents' signatures: documents of a memory that share one are compared. There are 16 a document in places that nothing orders,
 * so the smaller a row, the fewer pages a commit writes.
 */
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../schema.ts'
import { slices } from '../slices.ts'

/** Of a memory's identifier, the last of its random characters, so that equal documents of many memories are not all looked at for one. */
const MEMORY_CHARACTERS = 4

/** The bands of a document, by its number in the order of arrival. */
export type DocumentBands = { memoryId: string; documentSeq: number; bands: readonly string[] }

/** Notes the bands of documents that have none. */
export async function insertBands(
  transaction: Transaction<Tables>,
  documents: readonly DocumentBands[],
): Promise<void> {
  const rows = documents.flatMap(({ memoryId, documentSeq, bands }) =>
    packBands(memoryId, bands).map((band) => ({ band, document_seq: documentSeq })),
  )
  // Neighbours of the index one after the other are written in a sixth less time.
  rows.sort((one, other) => one.band.compare(other.band))
  for (const slice of slices(rows)) {
    const insert = transaction.insertInto('signature_bands').values(slice)
    await insert.onConflict((conflict) => conflict.doNothing()).execute()
  }
}

/** Forgets the bands of a document. */
export async function deleteBands(db: Kysely<Tables>, documentSeq: number): Promise<void> {
  await db.deleteFrom('signature_bands').where('document_seq', '=', documentSeq).execute()
}

/** Bands (twelve hex digits each) as the table has them, each with a part of the memory's identifier; another memory may have the same part. */
export function packBands(memoryId: string, bands: readonly string[]): Buffer[] {
  const memory = Buffer.from(memoryId.slice(-MEMORY_CHARACTERS)).toString('hex')
  return bands.map((band) => Buffer.from(memory + band, 'hex'))
}
