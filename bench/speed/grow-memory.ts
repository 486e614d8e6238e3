import { join } from 'node:path'
import { sizeOf, sizeOfData } from '../folder-size.ts'
import { makeMemory } from '../load.ts'
import { measureTidied, openMemoryFile } from '../raw-lance.ts'
import type { Sentences } from '../sentences.ts'
import { makeQueries } from '../texts.ts'
import { startWatchedService } from '../watched-service.ts'
import { fillMemory } from './fill-memory.ts'
import { FIND_QUERIES, type Finds, timeFinds } from './measure-finds.ts'
import { waitUntilSettled } from './wait-until-settled.ts'

/** Fills one memory to each size and measures the costs at each size. */
export async function* growMemory(dataDir: string, { sizes, sentences }: Growing): AsyncGenerator<Stage> {
  const service = await startWatchedService(dataDir)
  const memoryId = await makeMemory(service, 'growth')
  let chunks = 0
  // The same at each size, or the sizes could not be compared.
  let queries: string[] = []
  for (const size of sizes) {
    const filled = await fillMemory(service, { memoryId, sentences, chunks: size - chunks })
    chunks += filled.chunks
    if (queries.length === 0) queries = makeQueries(filled.documents, FIND_QUERIES.ofOne)
    const file = await openMemoryFile(dataDir, memoryId)
    const settled = await waitUntilSettled(service, file.table)
    const finds = await timeFinds(service, { memoryId, file: file.table, queries, clients: [1] })
    file.connection.close()
    const others = sizeOfData(dataDir) - sizeOf(join(dataDir, 'memories'))
    const bytes = (await measureTidied(dataDir, memoryId)) + others
    yield {
      chunks,
      perSecond: filled.perSecond,
      upkeepSeconds: settled.waitedMs / 1000,
      bytesAChunk: bytes / chunks,
      megabytes: { now: service.rss(), most: service.peakRss() },
      finds,
    }
  }
  await service.stop()
}

type Growing = { sizes: readonly number[]; sentences: Sentences }

/** One memory at one size. */
export type Stage = {
  chunks: number
  /** Chunks a second of the documents added for this size. */
  perSecond: number
  /** Seconds of upkeep after the last add. */
  upkeepSeconds: number
  /** The whole data folder without old versions. */
  bytesAChunk: number
  /** In memory after the finds, and the most until then; `null` where the system does not say. */
  megabytes: { now: number | null; most: number | null }
  finds: readonly Finds[]
}
