/**
 * LSH bands of document signatures: documents with a common band are compared. A document has 16
 * bands, scattered over the index, so smaller rows touch fewer pages per commit.
 */
import type { Kysely, Transaction } from 'kysely'
import { LIVE_STATUSES, type Tables } from '../schema.ts'
import { batches } from '../statements.ts'

/** Rows of two values per statement: takes a quarter less time than 200. */
const ROWS_PER_STATEMENT = 500
/** Documents whose bands are sorted together, in about 8 ms. */
const DOCUMENTS_PER_SORT = 2000

/**
 * Last random characters of the memory id in a packed band, to separate equal documents of
 * different memories.
 */
const MEMORY_ID_CHARACTERS = 4

/** Bands of a document by its sequence number. */
type DocumentBands = { memoryId: string; documentSeq: number; bands: readonly string[] }

/** Inserts the bands of new documents. */
export async function insertBands(
  transaction: Transaction<Tables>,
  documents: readonly DocumentBands[],
): Promise<void> {
  for (const some of batches(documents, DOCUMENTS_PER_SORT)) {
    const rows = some.flatMap(({ memoryId, documentSeq, bands }) =>
      bands.map((band) => ({ memoryId, band, documentSeq })),
    )
    for (const slice of batches(sortRows(rows), ROWS_PER_STATEMENT)) {
      const packed = slice.map(({ memoryId, band, documentSeq }) => {
        return { band: packBand(memoryId, band), document_seq: documentSeq }
      })
      const insert = transaction.insertInto('signature_bands').values(packed)
      await insert.onConflict((conflict) => conflict.doNothing()).execute()
    }
  }
}

/**
 * Exceeds the number of rows sorted together, so that a number can combine 32 bits of a band with a
 * position.
 */
const MAX_SORT_POSITIONS = 2 ** 21

/**
 * Sorts rows in index order, which writes them in a sixth less time. The sort keys are numbers made
 * of the bands' prefixes: comparing 160,000 bands as strings blocked the event loop for .4 s.
 */
function sortRows<Row extends { band: string }>(rows: readonly Row[]): Row[] {
  const keys = Float64Array.from(
    rows,
    ({ band }, place) => Number.parseInt(band.slice(0, 8), 16) * MAX_SORT_POSITIONS + place,
  )
  return Array.from(keys.sort(), (key) => rows[key % MAX_SORT_POSITIONS] as Row)
}

/** Deletes the bands of a document. */
export async function deleteBands(db: Kysely<Tables>, documentSeq: number): Promise<void> {
  await db.deleteFrom('signature_bands').where('document_seq', '=', documentSeq).execute()
}

/**
 * Packs a band (twelve hex digits) with a part of the memory id; different memories may share the
 * part.
 */
function packBand(memoryId: string, band: string): Buffer {
  return Buffer.concat([Buffer.from(memoryId.slice(-MEMORY_ID_CHARACTERS)), Buffer.from(band, 'hex')])
}

/** Bands per query, a parameter each. */
const BANDS_PER_STATEMENT = 5000

/**
 * Finds live documents of the memory that are not hidden, by hash of their normalised text,
 * excluding `except`; the oldest of equal documents.
 */
export async function listDocumentsByHash(
  db: Kysely<Tables>,
  memoryId: string,
  { hashes, except = [] }: { hashes: readonly string[]; except?: readonly string[] },
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const slice of batches(hashes)) {
    const oldest = db
      .selectFrom('documents')
      .select((select) => select.fn.min('seq').as('seq'))
      .where('memory_id', '=', memoryId)
      .where('content_hash', 'in', slice)
      .where('status', 'in', LIVE_STATUSES)
      .where('enabled', '=', 1)
      .where('source_type', '!=', 'correction')
      .$if(except.length > 0, (documents) => documents.where('id', 'not in', except))
      .groupBy('content_hash')
    const rows = await db.selectFrom('documents').select(['id', 'content_hash']).where('seq', 'in', oldest).execute()
    for (const { id, content_hash: hash } of rows) if (hash !== null) found.set(hash, id)
  }
  return found
}

/**
 * Returns the bands present in the index, rarely from other memories. Only these are worth passing
 * to {@link listDocumentsSharingBands}.
 */
export async function filterIndexedBands(
  db: Kysely<Tables>,
  memoryId: string,
  bands: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>()
  const packed = bands.map((band) => packBand(memoryId, band))
  const labels = new Map(packed.map((band, place) => [band.toString('hex'), bands[place] ?? '']))
  for (const slice of batches(packed, BANDS_PER_STATEMENT)) {
    const rows = await db.selectFrom('signature_bands').select('band').distinct().where('band', 'in', slice).execute()
    for (const { band } of rows) known.add(labels.get(Buffer.from(band).toString('hex')) ?? '')
  }
  return known
}

/**
 * Lists up to `limit` live documents with a common band and their signatures, oldest first,
 * excluding `except`.
 */
export function listDocumentsSharingBands(
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
    .where('documents.status', 'in', LIVE_STATUSES)
    .where('documents.enabled', '=', 1)
    .$if(except.length > 0, (documents) => documents.where('documents.id', 'not in', except))
    .orderBy('documents.seq')
    .limit(limit)
    .execute()
}
