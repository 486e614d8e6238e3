import type { Kysely } from 'kysely'
import type { Tables } from '../schema.ts'
import { LIVE } from './documents.ts'
import { packBands } from './signature-bands.ts'

/** The live document of a memory whose normalised text has this hash; `null` when there is none. */
export async function findDocumentByHash(
  db: Kysely<Tables>,
  memoryId: string,
  contentHash: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('documents')
    .select('id')
    .where('memory_id', '=', memoryId)
    .where('content_hash', '=', contentHash)
    .where('status', 'in', LIVE)
    .where('source_type', '!=', 'correction')
    .orderBy('seq')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Live documents that share an LSH band, with their signatures, at most `limit`, oldest first. */
export function listBandNeighbours(
  db: Kysely<Tables>,
  { memoryId, bands, limit }: { memoryId: string; bands: readonly string[]; limit: number },
): Promise<{ id: string; signature: string }[]> {
  if (bands.length === 0) return Promise.resolve([])
  return db
    .selectFrom('documents')
    .innerJoin('signatures', 'signatures.document_id', 'documents.id')
    .select(['documents.id', 'signatures.signature'])
    .where('documents.seq', 'in', (select) =>
      select.selectFrom('signature_bands').select('document_seq').where('band', 'in', packBands(memoryId, bands)),
    )
    .where('documents.memory_id', '=', memoryId)
    .where('documents.status', 'in', LIVE)
    .orderBy('documents.seq')
    .limit(limit)
    .execute()
}
