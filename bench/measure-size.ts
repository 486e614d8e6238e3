import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addInBatches, addOneByOne, makeMemory } from './load.ts'
import { measureFinds } from './measure-finds.ts'
import { openMemoryFile, waitUntilSettled, writeAgain } from './raw-lance.ts'
import { table } from './report.ts'
import type { Sentences } from './sentences.ts'
import { startService } from './service.ts'
import { makeDocuments, makeQueries } from './texts.ts'
import { ms } from './timings.ts'

/** Of the documents that are made; the chunks that came of them are counted. */
const CHUNKS_A_DOCUMENT = 13.6
const QUERIES = 200
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
  const cpuBefore = service.cpuMs() ?? 0
  const added = await addInBatches(service, memoryId, documents)
  const file = await openMemoryFile(dataDir, memoryId)
  const settled = await waitUntilSettled(file.table)
  const cpuMs = ((service.cpuMs() ?? 0) - cpuBefore) / added.chunks
  const loaded = service.rss()
  const raw = await writeAgain(file.table, join(folder, 'raw'))
  const title = `Finding in ${added.chunks} chunks (p50 / p95 in ms, finds/s)`
  const finds = await measureFinds(service, { memoryId, file: file.table, queries, title })
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
        ['processor time a chunk, upkeep and all', `${cpuMs.toFixed(2)} ms`, ''],
        [
          'upkeep still running after the last add',
          `${(settled.waitedMs / 1000).toFixed(1)} s; ${settled.unindexed} rows left unindexed`,
          '',
        ],
        ['one add answered, p50 / p95', `${ms(single.answered.p50)} / ${ms(single.answered.p95)} ms`, ''],
        ['one add until found, p50 / p95', `${ms(single.searchable.p50)} / ${ms(single.searchable.p95)} ms`, ''],
        ['memory: loaded / after a pause / most', `${loaded} / ${idle} / ${peak} MB`, ''],
        ['ready again over this data', `${ms(again.readyMs)} ms`, ''],
      ],
    ),
    finds,
  ].join('\n\n')
}
