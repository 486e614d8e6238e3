/**
 * Columns of `usage_days`. Latencies are histograms with fixed edges, a column per bucket, so that
 * rows of nodes, keys, memories and days can be added.
 */

/** Upper edges of the buckets in milliseconds; a last bucket has everything above. */
export const LATENCY_EDGES_MS = [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000] as const

type Edge = (typeof LATENCY_EDGES_MS)[number] | 'over'
type LatencyColumn = `${'find' | 'ask'}_ms_${Edge}`

const EDGES: readonly Edge[] = [...LATENCY_EDGES_MS, 'over']

/** Buckets of the finds and of the asks, fastest first. Their sum is the number of requests. */
export const LATENCY_COLUMNS = {
  find: EDGES.map((edge): LatencyColumn => `find_ms_${edge}`),
  ask: EDGES.map((edge): LatencyColumn => `ask_ms_${edge}`),
} as const

const COUNTS = [
  'asks_declined',
  'extractions',
  'failed_requests',
  'documents_added',
  'pages_recognized',
  'pages_with_text',
] as const

/** A column that requests and jobs increase. */
export type UsageCounter = (typeof COUNTS)[number] | LatencyColumn

/** All columns that requests and jobs increase. */
export const USAGE_COUNTERS: readonly UsageCounter[] = [...COUNTS, ...LATENCY_COLUMNS.find, ...LATENCY_COLUMNS.ask]

/** Sizes of a memory at the end of the day, in the row without a key; otherwise `null`. */
export const USAGE_SIZES = ['storage_bytes', 'documents', 'chunks'] as const

/** The day (`2026-11-28`, UTC), memory and key of a row; `''` without a memory or a key. */
export type UsageRowKey = { organization_id: string; day: string; memory_id: string; key_id: string }

/** Figures of a day. */
export type UsageDayTable = UsageRowKey &
  Record<UsageCounter, number> &
  Record<(typeof USAGE_SIZES)[number], number | null>

/** The bucket of a find or an ask that took `ms`. */
export function latencyColumn(kind: 'find' | 'ask', ms: number): LatencyColumn {
  const place = LATENCY_EDGES_MS.findIndex((edge) => ms <= edge)
  return `${kind}_ms_${LATENCY_EDGES_MS[place] ?? 'over'}`
}
