import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addInBatches, addOneByOne, makeMemory } from './load.ts'
import {
  findByBoth,
  findByTerms,
  findByVector,
  openMemoryFile,
  prepareQueries,
  waitUntilQuiet,
  writeAgain,
} from './raw-lance.ts'
import { table } from './report.ts'
import type { Sentences } from './sentences.ts'
import { type Service, startService } from './service.ts'
import { makeDocuments, makeQueries } from './texts.ts'
import { ms, type Summary, timeEach } from './timings.ts'

/** Of the documents that are made; the chunks that came of them are counted. */
const CHUNKS_A_DOCUMENT = 13.6
const QUERIES = 200
const CLIENTS = [1, 4] as const
const IDLE_PAUSE_MS = 10_000

type Size = { folder: string; size: number; sentences: Sentences }

/** One memory of about so many chunks: adding, finding and memory, with Lance alone over the same chunks. */
export async function measureSize({ folder, size, sentences }: Size): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const dataDir = join(folder, 'data')
  const documents = makeDocuments(sentences, Math.ceil(size / CHUNKS_A_DOCUMENT))
  const queries = makeQueries(documents, QUERIES)
  const service = await startService(dataDir)
  const memoryId = await makeMemory(service, `bench ${size}`)
  const added = await addInBatches(service, memoryId, documents)
  const file = await openMemoryFile(dataDir, memoryId)
  const upkeepMs = await waitUntilQuiet(file.table)
  const loaded = service.rss()
  const raw = await writeAgain(file.table, join(folder, 'raw'))
  const finds = await measureFinds(service, memoryId, queries, file.table)
  const single = await addOneByOne(service, memoryId, documents)
  await pause(IDLE_PAUSE_MS)
  const idle = service.rss()
  const peak = service.peakRss()
  file.connection.close()
  await service.stop()
  const again = await startService(dataDir)
  await again.stop()
  rmSync(folder, { recursive: true, force: true })
  return [
    table(
      `${added.chunks} chunks`,
      ['', 'Recollect over HTTP', 'Lance alone'],
      [
        [
          'added, chunks/s',
          added.perSecond.toFixed(0),
          `${raw.appendPerSecond.toFixed(0)}; with its indexes ${raw.withIndexesPerSecond.toFixed(0)}`,
        ],
        ['upkeep still running after the last add', `${(upkeepMs / 1000).toFixed(1)} s`, ''],
        ['one add answered, p50 / p95', `${ms(single.answered.p50)} / ${ms(single.answered.p95)} ms`, ''],
        ['one add until found, p50 / p95', `${ms(single.searchable.p50)} / ${ms(single.searchable.p95)} ms`, ''],
        ['memory: loaded / after a pause / most', `${loaded} / ${idle} / ${peak} MB`, ''],
        ['ready again over this data', `${ms(again.readyMs)} ms`, ''],
      ],
    ),
    table(
      `Finding in ${added.chunks} chunks (p50 / p95 in ms, finds/s)`,
      ['', ...CLIENTS.flatMap((n) => [`Recollect, ${n} clients`, `Lance alone, ${n}`])],
      finds,
    ),
  ].join('\n\n')
}

/** Recollect and Lance in turn for each mode, so that both meet the machine in the same state. */
async function measureFinds(
  service: Service,
  memoryId: string,
  queries: readonly string[],
  file: Parameters<typeof findByBoth>[0],
): Promise<string[][]> {
  const prepared = await prepareQueries(queries)
  const rows: string[][] = []
  for (const [mode, raw] of [
    ['hybrid', findByBoth],
    ['lexical', findByTerms],
    ['semantic', findByVector],
  ] as const) {
    const find = (query: string) =>
      service.send('POST', `/v1/memories/${memoryId}/find`, { query, options: { mode, highlight: true } })
    await timeEach(queries.slice(0, 20), 1, find)
    await timeEach(prepared.slice(0, 20), 1, (query) => raw(file, query))
    const row: string[] = [mode]
    for (const clients of CLIENTS) {
      row.push(cell(await timeEach(queries, clients, find)))
      row.push(cell(await timeEach(prepared, clients, (query) => raw(file, query))))
    }
    rows.push(row)
  }
  return rows
}

function cell({ p50, p95, perSecond }: Summary): string {
  return `${ms(p50)} / ${ms(p95)}, ${perSecond.toFixed(0)}/s`
}
