import type { Table } from '@lancedb/lancedb'
import { findByBoth, findByTerms, findByVector, prepareQueries } from './raw-lance.ts'
import { table } from './report.ts'
import type { Service } from './service.ts'
import { ms, type Summary, timeEach } from './timings.ts'

const CLIENTS = [1, 4] as const
const WARM_UP = 20
const MODES = [
  ['hybrid', findByBoth],
  ['lexical', findByTerms],
  ['semantic', findByVector],
] as const

/** Finds in each mode, the service and Lance in turn, so that both meet the machine in the same state. */
export async function measureFinds(
  service: Service,
  { memoryId, file, queries, title }: { memoryId: string; file: Table; queries: readonly string[]; title: string },
): Promise<string> {
  const prepared = await prepareQueries(queries)
  const rows: string[][] = []
  for (const [mode, raw] of MODES) {
    const find = (query: string) =>
      service.send('POST', `/v1/memories/${memoryId}/find`, { query, options: { mode, highlight: true } })
    await timeEach(queries.slice(0, WARM_UP), 1, find)
    await timeEach(prepared.slice(0, WARM_UP), 1, (query) => raw(file, query))
    const before = service.cpuMs()
    const cells: string[] = []
    for (const clients of CLIENTS) {
      cells.push(cell(await timeEach(queries, clients, find)))
      cells.push(cell(await timeEach(prepared, clients, (query) => raw(file, query))))
    }
    const cpuMs = ((service.cpuMs() ?? 0) - (before ?? 0)) / (queries.length * CLIENTS.length)
    rows.push([mode, ...cells, `${ms(cpuMs)} ms`])
  }
  const columns = CLIENTS.flatMap((n) => [`Recollect, clients: ${n}`, `Lance alone, callers: ${n}`])
  return table(title, ['', ...columns, "Recollect's processor time a find"], rows)
}

function cell({ p50, p95, perSecond }: Summary): string {
  return `${ms(p50)} / ${ms(p95)}, ${perSecond.toFixed(0)}/s`
}
