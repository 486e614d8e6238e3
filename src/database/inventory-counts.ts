import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** Inventory of the database for metrics. */
export type InventoryCounts = {
  /** Unfinished jobs by state; states without jobs are absent. `oldestAt` is ISO 8601. */
  jobs: { state: 'pending' | 'processing'; count: number; oldestAt: string }[]
  memories: number
  documents: number
  chunks: number
  storedBytes: number
  webhookMessages: number
  /**
   * Pending deletions: objects, rows and chunks (`data`, by document or memory), and deleted chunks
   * still in files (`bytes`, by memory).
   */
  removals: { stage: 'data' | 'bytes'; count: number; oldestAt: string | null }[]
}

/** Counts unfinished jobs and sums the counters of memories, without scanning documents. */
export async function readInventoryCounts(db: Kysely<Tables>): Promise<InventoryCounts> {
  const jobs = await db
    .selectFrom('jobs')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('oldest_at')])
    .where('status', 'in', ['pending', 'processing'])
    .groupBy('status')
    .execute()
  const sums = await db
    .selectFrom('memories')
    .select(({ fn }) => [
      fn.countAll<number>().as('memories'),
      fn.sum<number | null>('document_count').as('documents'),
      fn.sum<number | null>('chunk_count').as('chunks'),
      fn.sum<number | null>('storage_bytes').as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  const waiting = await db
    .selectFrom('webhook_messages')
    .select((eb) => eb.fn.countAll<number>().as('messages'))
    .executeTakeFirstOrThrow()
  return {
    removals: await readPendingDeletions(db),
    jobs: jobs.map(({ status, count, oldest_at }) => ({
      state: status as 'pending' | 'processing',
      count: Number(count),
      oldestAt: oldest_at,
    })),
    // PostgreSQL returns sums as strings, and null without rows.
    memories: Number(sums.memories),
    documents: Number(sums.documents),
    chunks: Number(sums.chunks),
    storedBytes: Number(sums.bytes),
    webhookMessages: Number(waiting.messages),
  }
}

async function readPendingDeletions(db: Kysely<Tables>): Promise<InventoryCounts['removals']> {
  const data = await db
    .selectFrom('removals')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min<string | null>('created_at').as('oldest_at')])
    .executeTakeFirstOrThrow()
  const bytes = await db
    .selectFrom('erasures')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min<string | null>('first_at').as('oldest_at')])
    .where('erased_at', 'is', null)
    .executeTakeFirstOrThrow()
  return [
    { stage: 'data', count: Number(data.count), oldestAt: data.oldest_at },
    { stage: 'bytes', count: Number(bytes.count), oldestAt: bytes.oldest_at },
  ]
}

/** Reads the state of a job in any organization; `null` if unknown. */
export async function getJobState(db: Kysely<Tables>, jobId: string): Promise<string | null> {
  const row = await db.selectFrom('jobs').select('status').where('id', '=', jobId).executeTakeFirst()
  return row?.status ?? null
}
