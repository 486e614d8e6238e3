import type { Kysely } from 'kysely'
import { LIVE } from '../../../database/documents/documents.ts'
import { listByExternalIds } from '../../../database/documents/ingest.ts'
import type { Document, Tables } from '../../../database/schema.ts'

/** Documents that are being added to a memory. */
export type Adding = {
  memoryId: string
  documents: readonly { id: string; externalId: string | null }[]
  /** True when the documents' rows are there already and waited for their job. */
  waited: boolean
}

/**
 * What they replace: of the rows with the same external ids those that came before. A document of a job may have younger ones beside it; where its own
 * row is gone, one of them has replaced it, and it replaces none.
 */
export async function listReplaced(db: Kysely<Tables>, { memoryId, documents, waited }: Adding): Promise<Document[]> {
  const externalIds = documents.flatMap(({ externalId }) => externalId ?? [])
  const rows = await listByExternalIds(db, memoryId, externalIds)
  const own = new Set(documents.map(({ id }) => id))
  const arrival = new Map(rows.filter(({ id }) => own.has(id)).map((row) => [row.external_id, row.seq]))
  const absent = waited ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return rows.filter(({ id, external_id, seq }) => !own.has(id) && seq < (arrival.get(external_id) ?? absent))
}

/** Bytes that documents take of the plan's storage when they show. */
export function sumBytes(documents: readonly Pick<Document, 'storage_bytes'>[]): number {
  return documents.reduce((total, { storage_bytes }) => total + storage_bytes, 0)
}

/** Bytes that the plan gets back when these are replaced: what never showed was not counted. */
export function sumLiveBytes(replaced: readonly Document[]): number {
  return sumBytes(replaced.filter(({ status }) => LIVE.includes(status)))
}
