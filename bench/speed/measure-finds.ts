import type { Table } from '@lancedb/lancedb'
import { createRawFinder, prepareQueries } from '../raw-lance.ts'
import { table } from '../report.ts'
import { ms, type Summary, timeInTurn } from '../timings.ts'
import { formatBlock, type WatchedService } from '../watched-service.ts'
import { atLeast, atMost, type Bound, type Measured } from './bounds.ts'

const WARM_UP = 20
const MODES = ['hybrid', 'lexical', 'semantic'] as const
const CLIENTS = [1, 4, 8] as const
const QUERIES_A_RUN = 200

/**
 * Disjoint query ranges for {@link measureFinds} and {@link timeFinds} with one client. No run
 * repeats a query on the same chunks, since its passages would be cached.
 */
export const FIND_QUERIES = {
  all: QUERIES_A_RUN * MODES.length * CLIENTS.length,
  ofOne: QUERIES_A_RUN * MODES.length,
} as const

/** Finds in one mode with a number of concurrent clients, beside Lance alone. */
export type Finds = {
  mode: (typeof MODES)[number]
  clients: number
  ours: Summary
  raw: Summary
  /** Processor time of the service a find, in milliseconds. */
  cpuMs: number
}

/** The memory and queries; `file` is the table of the memory. */
export type Searched = { memoryId: string; file: Table; queries: readonly string[] }

/**
 * Searches in each mode and by each number of clients, the service and Lance in turn, each run with
 * its share of the queries.
 */
export async function timeFinds(
  service: WatchedService,
  { memoryId, file, queries, clients }: Searched & { clients: readonly number[] },
): Promise<Finds[]> {
  const prepared = await prepareQueries(queries)
  const raw = await createRawFinder(file)
  const items = prepared.map((query, index) => ({ query, text: queries[index] ?? '' }))
  const share = Math.floor(items.length / (MODES.length * clients.length))
  const finds: Finds[] = []
  for (const mode of MODES) {
    const works = [
      ({ text }: Prepared) =>
        service.send('POST', `/v1/memories/${memoryId}/find`, { query: text, options: { mode, highlight: true } }),
      ({ query }: Prepared) => raw[mode](query),
    ]
    for (const count of clients) {
      const own = items.splice(0, share)
      const before = service.cpuMs() ?? 0
      const [ours = NOTHING, alone = NOTHING] = await timeInTurn(own, { clients: count, warmUp: WARM_UP }, works)
      const cpuMs = ((service.cpuMs() ?? 0) - before) / (own.length + WARM_UP)
      finds.push({ mode, clients: count, ours, raw: alone, cpuMs })
    }
  }
  return finds
}

type Prepared = { text: string; query: Awaited<ReturnType<typeof prepareQueries>>[number] }
const NOTHING: Summary = { p50: 0, p95: 0, perSecond: 0 }

/**
 * Searches by 1, 4 and 8 clients: times, ratios and the longest block of the event loop meanwhile.
 */
export async function measureFinds(service: WatchedService, searched: Searched): Promise<Measured> {
  const rows = await searched.file.countRows()
  await service.takeBlock()
  const finds = await timeFinds(service, { ...searched, clients: CLIENTS })
  const block = await service.takeBlock()
  const gain = gainOf(finds)
  const head = ['', 'clients', 'Recollect, p50 / p95 ms', 'Lance alone', 'ratio of p50', 'p95 / p50', 'finds/s']
  const lines = finds.map((found) => [
    found.mode,
    String(found.clients),
    `${ms(found.ours.p50)} / ${ms(found.ours.p95)}`,
    `${ms(found.raw.p50)} / ${ms(found.raw.p95)}`,
    `${(found.ours.p50 / found.raw.p50).toFixed(2)}`,
    `${(found.ours.p95 / found.ours.p50).toFixed(2)}`,
    `${found.ours.perSecond.toFixed(0)} (Lance ${found.raw.perSecond.toFixed(0)})`,
    `${ms(found.cpuMs)} ms`,
  ])
  return {
    report: [
      table(`Finding in ${rows} chunks`, [...head, 'processor time a find'], lines),
      `8 clients make ${gain.toFixed(2)} times the hybrid finds/s of one. Event loop blocked meanwhile, at most: ${formatBlock(block)}.`,
    ].join('\n\n'),
    bounds: [
      ...boundsOfFinds(finds, rows),
      atLeast(`finds/s of 8 clients over one in ${rows} chunks`, { seen: gain, limit: 1.6, unit: '' }),
      atMost(`event loop blocked by finds in ${rows} chunks`, { seen: block.longestMs, limit: 50, unit: ' ms' }),
    ],
  }
}

/** The requirements for hybrid finds by one client at this number of chunks. */
export function boundsOfFinds(finds: readonly Finds[], rows: number): Bound[] {
  const hybrid = finds.find(({ mode, clients }) => mode === 'hybrid' && clients === 1)
  if (hybrid === undefined) return []
  const { ours, raw } = hybrid
  const what = `hybrid find in ${rows} chunks, p`
  return [
    atMost(`${what}50 over Lance's own`, { seen: ours.p50 / raw.p50, limit: 2.5, unit: '' }),
    atMost(`${what}50`, { seen: ours.p50, limit: 60, unit: ' ms' }),
    atMost(`${what}95 over its p50`, { seen: ours.p95 / ours.p50, limit: 3, unit: '' }),
  ]
}

function gainOf(finds: readonly Finds[]): number {
  const of = (count: number) =>
    finds.find(({ mode, clients }) => mode === 'hybrid' && clients === count)?.ours.perSecond ?? 0
  return of(8) / of(1)
}
