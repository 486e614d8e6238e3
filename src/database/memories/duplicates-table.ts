/**
 * The LSH bands of documents' signatures: documents of a memory that share one are compared. There are 16 a document in places that nothing orders,
 * so the smaller a row, the fewer pages a commit writes.
 */
import type { Kysely, Transaction } from 'kysely'
import { LIVE, type Tables } from '../schema.ts'
import { slices } from '../statements.ts'

/** Rows a statement, of two values each: written in a quarter less time than 200. */
const ROWS_A_STATEMENT = 500
/** Documents whose bands are put in order together, which takes some 8 ms. */
const DOCUMENTS_SORTED = 2000

/** Of a memory's identifier, the last of its random characters, so that equal documents of many memories are not all looked at for one. */
const MEMORY_CHARACTERS = 4

/** The bands of a document, by its number in the order of arrival. */
type DocumentBands = { memoryId: string; documentSeq: number; bands: readonly string[] }

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
function packBand(memoryId: string, band: string): Buffer {
  return Buffer.concat([Buffer.from(memoryId.slice(-MEMORY_CHARACTERS)), Buffer.from(band, 'hex')])
}

/** Bands of one question, a parameter each. */
const BANDS_A_STATEMENT = 5000

/** The live documents of a memory, but for `except`, whose normalised texts have these hashes, by hash; of several with one the oldest. */
export async function listDocumentsByHash(
  db: Kysely<Tables>,
  memoryId: string,
  { hashes, except = [] }: { hashes: readonly string[]; except?: readonly string[] },
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const slice of slices(hashes)) {
    const oldest = db
      .selectFrom('documents')
      .select((select) => select.fn.min('seq').as('seq'))
      .where('memory_id', '=', memoryId)
      .where('content_hash', 'in', slice)
      .where('status', 'in', LIVE)
      .where('source_type', '!=', 'correction')
      .$if(except.length > 0, (documents) => documents.where('id', 'not in', except))
      .groupBy('content_hash')
    const rows = await db.selectFrom('documents').select(['id', 'content_hash']).where('seq', 'in', oldest).execute()
    for (const { id, content_hash: hash } of rows) if (hash !== null) found.set(hash, id)
  }
  return found
}

/** Those of these LSH bands that a document has, of the memory or, seldom, of another: only they are worth {@link listBandNeighbours}. */
export async function listKnownBands(
  db: Kysely<Tables>,
  memoryId: string,
  bands: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>()
  const packed = bands.map((band) => packBand(memoryId, band))
  const labels = new Map(packed.map((band, place) => [band.toString('hex'), bands[place] ?? '']))
  for (const slice of slices(packed, BANDS_A_STATEMENT)) {
    const rows = await db.selectFrom('signature_bands').select('band').distinct().where('band', 'in', slice).execute()
    for (const { band } of rows) known.add(labels.get(Buffer.from(band).toString('hex')) ?? '')
  }
  return known
}

/** Live documents, but for `except`, that share an LSH band, with their signatures, at most `limit`, oldest first. */
export function listBandNeighbours(
  db: Kysely<Tables>,
  {
    memoryId,
    bands,
    limit,
    except = [],
  }: { memoryId: string; bands: readonly string[]; limit: number; except?: readonly string[] },
): Promise<{ id: string; signature: string }[]> {
  if (bands.length === 0) return Promise.resolve([])
  const packed = bands.map((band) => packBand(memoryId, band))
  return db
    .selectFrom('documents')
    .innerJoin('signatures', 'signatures.document_id', 'documents.id')
    .select(['documents.id', 'signatures.signature'])
    .where('documents.seq', 'in', (select) =>
      select.selectFrom('signature_bands').select('document_seq').where('band', 'in', packed),
    )
    .where('documents.memory_id', '=', memoryId)
    .where('documents.status', 'in', LIVE)
    .$if(except.length > 0, (documents) => documents.where('documents.id', 'not in', except))
    .orderBy('documents.seq')
    .limit(limit)
    .execute()
}
