import type { Kysely } from 'kysely'
import type { Document, Tables } from '../schema.ts'
import { slices } from '../slices.ts'
import { LIVE } from './documents.ts'

/** Of a document, what its vectors are made with beside its chunks. */
export type CarriedDocument = Pick<Document, 'id' | 'seq' | 'title' | 'topics' | 'chunk_count'>

const CARRIED = ['id', 'seq', 'title', 'topics', 'chunk_count'] as const

/** The number in the order of arrival of the memory's youngest document; 0 when there is none. */
export async function getLastArrival(db: Kysely<Tables>, memoryId: string): Promise<number> {
  const last = await db
    .selectFrom('documents')
    .select('seq')
    .where('memory_id', '=', memoryId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.seq ?? 0
}

/** At most `limit` documents of the memory that show, in order of arrival, after the one with this number and up to another. */
export function listCarried(
  db: Kysely<Tables>,
  { memoryId, after, upTo, limit }: { memoryId: string; after: number; upTo: number; limit: number },
): Promise<CarriedDocument[]> {
  return db
    .selectFrom('documents')
    .select(CARRIED)
    .where('memory_id', '=', memoryId)
    .where('status', 'in', LIVE)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** Of these documents those that show. */
export async function listLive(db: Kysely<Tables>, documentIds: readonly string[]): Promise<CarriedDocument[]> {
  const found: CarriedDocument[] = []
  for (const slice of slices(documentIds)) {
    const rows = await db
      .selectFrom('documents')
      .select(CARRIED)
      .where('id', 'in', slice)
      .where('status', 'in', LIVE)
      .execute()
    found.push(...rows)
  }
  return found
}
