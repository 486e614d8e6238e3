import type { Kysely } from 'kysely'
import { readStock } from '../../database/inventory-counts.ts'
import type { Tables } from '../../database/schema.ts'

/** What the whole installation holds at a moment. */
export type Stock = {
  /** Unfinished jobs by state, with the time since the oldest of them was made; a state without jobs is absent. */
  jobs: readonly { state: string; count: number; oldestSeconds: number }[]
  memories: number
  documents: number
  chunks: number
  storedBytes: number
  /** Not yet delivered or given up. */
  webhookMessages: number
  /** What deletions left, by how far they have come, with the time since the oldest of them; 0 without any. */
  removals: readonly { stage: string; count: number; oldestSeconds: number }[]
}

/** Puts what the installation holds beside what the process counts; `print` makes the text of both. */
export function createMetricsService({
  db,
  now,
  print,
}: {
  db: Kysely<Tables>
  now: () => Date
  print: (stock: Stock) => Promise<string>
}): MetricsService {
  return {
    async print() {
      const { jobs, removals, ...sums } = await readStock(db)
      const sinceSeconds = (at: string) => Math.max(0, (now().getTime() - Date.parse(at)) / 1000)
      const aged = jobs.map(({ state, count, oldestAt }) => ({ state, count, oldestSeconds: sinceSeconds(oldestAt) }))
      const left = removals.map(({ stage, count, oldestAt }) => {
        return { stage, count, oldestSeconds: oldestAt === null ? 0 : sinceSeconds(oldestAt) }
      })
      return print({ jobs: aged, removals: left, ...sums })
    },
  }
}

/** What this process counts. */
export type MetricsService = {
  /** As Prometheus reads it, text format 0.0.4. */
  print(): Promise<string>
}
