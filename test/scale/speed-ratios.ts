/**
 * The cost of the service relative to Lance alone, as ratios measured in the same minute on the
 * same machine.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from '@lancedb/lancedb'
import { addInBatches, makeMemory } from '../../bench/load.ts'
import { createRawFinder, openMemoryFile, prepareQueries, writeAgain } from '../../bench/raw-lance.ts'
import type { Service } from '../../bench/service.ts'
import { waitUntilSettled } from '../../bench/speed/wait-until-settled.ts'
import type { TextDocument } from '../../bench/texts.ts'
import { percentile } from '../../bench/timings.ts'

/** Not counted: the first are slower for both. */
const WARM_UP = 10

/** The time of the service divided by Lance's time; `raw` is Lance's time in milliseconds. */
export type Ratio = { ratio: number; raw: number }

/** A hybrid find over HTTP beside Lance's own, query by query in turn: the ratio of the medians. */
export async function ratioOfFinds(
  service: Service,
  { memoryId, file, queries }: { memoryId: string; file: Table; queries: readonly string[] },
): Promise<Ratio> {
  const raw = await createRawFinder(file)
  const [ourMs, rawMs]: [number[], number[]] = [[], []]
  for (const [index, prepared] of (await prepareQueries(queries)).entries()) {
    const body = { query: queries[index], options: { mode: 'hybrid', highlight: true } }
    const started = performance.now()
    await service.send('POST', `/v1/memories/${memoryId}/find`, body)
    const between = performance.now()
    await raw.hybrid(prepared)
    if (index < WARM_UP) continue
    ourMs.push(between - started)
    rawMs.push(performance.now() - between)
  }
  const median = percentile(rawMs, 0.5)
  return { ratio: percentile(ourMs, 0.5) / median, raw: median }
}

/** A memory filled over HTTP, and the cost relative to Lance. */
export type Ingested = Ratio & { memoryId: string }

/**
 * Processor time of adding documents over HTTP until compaction ends, relative to writing the same
 * rows and indexes with Lance, one chunk each. Other processes hardly affect this ratio.
 */
export async function ratioOfIngest(
  service: Service,
  { dataDir, documents }: { dataDir: string; documents: readonly TextDocument[] },
): Promise<Ingested> {
  const before = service.cpuMs() ?? 0
  const memoryId = await makeMemory(service, 'speed')
  const { chunks } = await addInBatches(service, memoryId, documents)
  const { connection, table } = await openMemoryFile(dataDir, memoryId)
  await waitUntilSettled(service, table)
  const ours = ((service.cpuMs() ?? 0) - before) / chunks
  const copy = join(dataDir, '..', 'copy')
  const started = process.cpuUsage()
  await writeAgain(table, copy)
  const { user, system } = process.cpuUsage(started)
  rmSync(copy, { recursive: true })
  connection.close()
  const raw = (user + system) / 1000 / chunks
  return { memoryId, ratio: ours / raw, raw }
}
