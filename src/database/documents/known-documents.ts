import type { Kysely } from 'kysely'
import type { Tables } from '../schema.ts'
import { slices } from '../slices.ts'
import { LIVE } from './documents.ts'

/** A document that someone named; `isLive` when searches show it. */
export type KnownDocument = { id: string; isLive: boolean }

/** Of these documents of a memory those that are there. Of several with one external id (one is about to replace the other) the one that shows. */
export async function listKnownDocuments(
  db: Kysely<Tables>,
  memoryId: string,
  { ids, externalIds }: { ids: readonly string[]; externalIds: readonly string[] },
): Promise<{ byId: Map<string, KnownDocument>; byExternalId: Map<string, KnownDocument> }> {
  const byId = new Map<string, KnownDocument>()
  const byExternalId = new Map<string, KnownDocument>()
  const named = (column: 'id' | 'external_id', slice: readonly string[]) =>
    db
      .selectFrom('documents')
      .select(['id', 'external_id', 'status'])
      .where('memory_id', '=', memoryId)
      .where(column, 'in', slice)
      .execute()
  for (const slice of slices(ids)) {
    for (const { id, status } of await named('id', slice)) byId.set(id, { id, isLive: LIVE.includes(status) })
  }
  for (const slice of slices(externalIds)) {
    for (const { id, external_id: name, status } of await named('external_id', slice)) {
      const isLive = LIVE.includes(status)
      if (name !== null && (isLive || !byExternalId.has(name))) byExternalId.set(name, { id, isLive })
    }
  }
  return { byId, byExternalId }
}
