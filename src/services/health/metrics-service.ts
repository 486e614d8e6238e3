import type { Kysely } from 'kysely'
import { readInventoryCounts } from '../../database/inventory-counts.ts'
import type { Tables } from '../../database/schema.ts'

/** Inventory of the installation at a point in time. */
export type Inventory = {
  /** Unfinished jobs by state, with the age of the oldest; states without jobs are absent. */
  jobs: readonly { state: string; count: number; oldestSeconds: number }[]
  memories: number
  documents: number
  chunks: number
  storedBytes: number
  /** Messages neither delivered nor given up. */
  webhookMessages: number
  /** Pending deletions by stage, with the age of the oldest; 0 if there are none. */
  removals: readonly { stage: string; count: number; oldestSeconds: number }[]
}

/**
 * Combines the inventory of the installation with the metrics of the process; `print` formats both.
 */
export function createMetricsService({
  db,
  now,
  print,
}: {
  db: Kysely<Tables>
  now: () => Date
  print: (stock: Inventory) => Promise<string>
}): MetricsService {
  return {
    async print() {
      const { jobs, removals, ...sums } = await readInventoryCounts(db)
      const sinceSeconds = (at: string) => Math.max(0, (now().getTime() - Date.parse(at)) / 1000)
      const aged = jobs.map(({ state, count, oldestAt }) => ({ state, count, oldestSeconds: sinceSeconds(oldestAt) }))
      const left = removals.map(({ stage, count, oldestAt }) => {
        return { stage, count, oldestSeconds: oldestAt === null ? 0 : sinceSeconds(oldestAt) }
      })
      return print({ jobs: aged, removals: left, ...sums })
    },
  }
}

/** Exports metrics. */
export type MetricsService = {
  /** Prometheus text format 0.0.4. */
  print(): Promise<string>
}
