import type { Kysely } from 'kysely'
import type { Tables } from '../schema.ts'
import { slices } from '../slices.ts'
import { LIVE } from './documents.ts'
import { packBand } from './signature-bands.ts'

/** Bands of one question, a parameter each. */
const BANDS_A_STATEMENT = 5000

/** The live documents of a memory, but for `except`, whose normalised texts have these hashes, by hash; of several with one the oldest. */
export async function listDocumentsByHash(
  db: Kysely<Tables>,
  memoryId: string,
  hashes: readonly string[],
  except: readonly string[] = [],
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
