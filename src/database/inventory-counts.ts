import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** What is in the whole database, for whoever runs it. */
export type StoredStock = {
  /** Of the states in which there are some; the time of the oldest is ISO 8601. */
  jobs: { state: 'pending' | 'processing'; count: number; oldestAt: string }[]
  memories: number
  documents: number
  chunks: number
  storedBytes: number
  webhookMessages: number
  /** What deletions left that is still there: objects, rows and chunks (`data`, by document or memory), and chunks that stand in files though removed (`bytes`, by memory). */
  removals: { stage: 'data' | 'bytes'; count: number; oldestAt: string | null }[]
}

/** Counts unfinished jobs, and sums up what the memories count themselves: no table is read that grows with documents. */
export async function readStock(db: Kysely<Tables>): Promise<StoredStock> {
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
    removals: await readRemovals(db),
    jobs: jobs.map(({ status, count, oldest_at }) => ({
      state: status as 'pending' | 'processing',
      count: Number(count),
      oldestAt: oldest_at,
    })),
    // PostgreSQL gives sums as texts, and of no rows null.
    memories: Number(sums.memories),
    documents: Number(sums.documents),
    chunks: Number(sums.chunks),
    storedBytes: Number(sums.bytes),
    webhookMessages: Number(waiting.messages),
  }
}

async function readRemovals(db: Kysely<Tables>): Promise<StoredStock['removals']> {
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

/** The state of a job, whoever it belongs to; `null` where it is gone. */
export async function getJobState(db: Kysely<Tables>, jobId: string): Promise<string | null> {
  const row = await db.selectFrom('jobs').select('status').where('id', '=', jobId).executeTakeFirst()
  return row?.status ?? null
}
