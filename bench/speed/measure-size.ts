import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sizeOf, sizeOfData } from '../folder-size.ts'
import { makeMemory } from '../load.ts'
import { measureTidied, openMemoryFile, type RawIngest, writeAgain } from '../raw-lance.ts'
import { table } from '../report.ts'
import type { Sentences } from '../sentences.ts'
import { CHUNKS_A_DOCUMENT, makeQueries } from '../texts.ts'
import { ms, type Summary } from '../timings.ts'
import { type EventLoopBlock, formatBlock, startWatchedService } from '../watched-service.ts'
import { atLeast, atMost, type Bound, type Measured } from './bounds.ts'
import { type Filled, fillMemory } from './fill-memory.ts'
import { type ColdFinds, measureCold } from './measure-cold.ts'
import { measureDeletes } from './measure-deletes.ts'
import { FIND_QUERIES, measureFinds } from './measure-finds.ts'
import { type Settled, waitUntilSettled } from './wait-until-settled.ts'

const IDLE_PAUSE_MS = 10_000
const KILOBYTE = 1000

type Size = { folder: string; size: number; sentences: Sentences }

/** The measurements of one memory beside its finds. */
type Seen = {
  filled: Filled
  block: EventLoopBlock
  cpuMs: number
  settled: Settled
  raw: RawIngest
  deletes: Summary
  megabytes: { loaded: number | null; idle: number | null; peak: number | null }
  cold: ColdFinds
  bytes: { file: number; tidied: number; folder: number }
}

/**
 * One memory of about so many chunks: adding, finding, deleting, starting again, with Lance alone
 * over the same chunks.
 */
export async function measureSize({ folder, size, sentences }: Size): Promise<Measured> {
  mkdirSync(folder, { recursive: true })
  const dataDir = join(folder, 'data')
  const service = await startWatchedService(dataDir)
  const memoryId = await makeMemory(service, `bench ${size}`)
  await service.takeBlock()
  const cpuBefore = service.cpuMs() ?? 0
  const filled = await fillMemory(service, { memoryId, sentences, chunks: size })
  const block = await service.takeBlock()
  const file = await openMemoryFile(dataDir, memoryId)
  const settled = await waitUntilSettled(service, file.table)
  const cpuMs = ((service.cpuMs() ?? 0) - cpuBefore) / filled.chunks
  const loaded = service.rss()
  const queries = makeQueries(filled.documents, FIND_QUERIES.all)
  const finds = await measureFinds(service, { memoryId, file: file.table, queries })
  const raw = await writeAgain(file.table, join(folder, 'raw'))
  const deletes = await measureDeletes(service, memoryId)
  await pause(IDLE_PAUSE_MS)
  const megabytes = { loaded, idle: service.rss(), peak: service.peakRss() }
  file.connection.close()
  await service.stop()
  const cold = await measureCold(dataDir, { memoryId, queries })
  const bytes = {
    file: sizeOf(join(dataDir, 'memories')),
    tidied: await measureTidied(dataDir, memoryId),
    folder: sizeOfData(dataDir),
  }
  rmSync(folder, { recursive: true, force: true })
  const seen = { filled, block, cpuMs, settled, raw, deletes, megabytes, cold, bytes }
  return { report: [report(seen), finds.report].join('\n\n'), bounds: [...boundsOf(seen), ...finds.bounds] }
}

function report({ filled, block, cpuMs, settled, raw, deletes, megabytes, cold, bytes }: Seen): string {
  const { loaded, idle, peak } = megabytes
  return table(
    `${filled.chunks} chunks`,
    ['', 'Recollect over HTTP', 'Lance alone'],
    [
      [
        'added in large batches, chunks/s',
        filled.perSecond.toFixed(0),
        `${raw.appendPerSecond.toFixed(0)}; with its indexes ${raw.withIndexesPerSecond.toFixed(0)}`,
      ],
      ['processor time a chunk, upkeep and all', `${cpuMs.toFixed(2)} ms`, ''],
      ['event loop blocked meanwhile, at most', formatBlock(block), ''],
      [
        'upkeep still running after the last add',
        `${(settled.waitedMs / 1000).toFixed(1)} s; ${settled.unindexed} rows left unindexed`,
        '',
      ],
      [
        `deleting a document of ${CHUNKS_A_DOCUMENT} chunks, p50 / p95`,
        `${ms(deletes.p50)} / ${ms(deletes.p95)} ms`,
        '',
      ],
      ['first, second hybrid find of a new process', `${ms(cold.firstMs)}, ${ms(cold.secondMs)} ms`, ''],
      ['ready again over this data', `${ms(cold.readyMs)} ms`, ''],
      ['memory: loaded / after the finds and a pause / most', `${loaded} / ${idle} / ${peak} MB`, ''],
      [
        'memory file, bytes a chunk: now / without old versions',
        `${perChunk(bytes.file, filled)} / ${perChunk(bytes.tidied, filled)}`,
        '',
      ],
      ['whole data folder without old versions, bytes a chunk', perChunk(wholeOf(bytes), filled), ''],
    ],
  )
}

function boundsOf({ filled, block, deletes, cold, bytes }: Seen): Bound[] {
  const where = `of ${filled.chunks} chunks`
  const kilobytes = wholeOf(bytes) / filled.chunks / KILOBYTE
  return [
    atLeast(`ingest ${where}, chunks/s`, { seen: filled.perSecond, limit: 4000, unit: '' }),
    atMost(`event loop blocked by an ingest ${where}`, { seen: block.longestMs, limit: 100, unit: ' ms' }),
    atMost(`deleting 20 chunks ${where}, p50`, { seen: deletes.p50, limit: 60, unit: ' ms' }),
    atMost(`first find of a cold memory ${where}`, { seen: cold.firstMs, limit: 300, unit: ' ms' }),
    atMost(`a chunk on disk, all that is kept of it, ${where}`, { seen: kilobytes, limit: 3.2, unit: ' KB' }),
  ]
}

function wholeOf({ file, tidied, folder }: Seen['bytes']): number {
  return folder - file + tidied
}

function perChunk(bytes: number, { chunks }: Filled): string {
  return (bytes / chunks).toFixed(0)
}
