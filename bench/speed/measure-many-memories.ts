import { addInBatches, makeMemory } from '../load.ts'
import { createRandom, pick } from '../random.ts'
import { table } from '../report.ts'
import type { Sentences } from '../sentences.ts'
import type { Service } from '../service.ts'
import { CHUNKS_A_DOCUMENT, makeDocuments, makeQueries } from '../texts.ts'
import { ms, timeEach } from '../timings.ts'
import { startWatchedService } from '../watched-service.ts'
import { atMost, type Measured } from './bounds.ts'

const MAKERS = 4
const CLIENTS = 8
const FINDS_A_MEMORY = 3
const LOOK_EVERY_MS = 50
const SEED = 1000
/** A quarter of the default limit of open files. */
const MAX_FILES = 256

/**
 * Many memories of one document each, searched concurrently: open files, memory and latency of the
 * service.
 */
export async function measureManyMemories({
  dataDir,
  memories,
  sentences,
}: {
  dataDir: string
  memories: number
  sentences: Sentences
}): Promise<Measured> {
  const documents = makeDocuments(sentences, memories)
  const service = await startWatchedService(dataDir)
  const before = { files: service.openFiles() ?? 0, rss: service.rss() ?? 0 }
  const most = watchOpenFiles(service)
  const ids: string[] = []
  const made = await timeEach(documents, MAKERS, async (document) => {
    const memoryId = await makeMemory(service, document.title)
    await addInBatches(service, memoryId, [document])
    ids.push(memoryId)
  })
  const random = createRandom(SEED)
  const finds = makeQueries(documents, memories * FINDS_A_MEMORY).map((query) => ({ query, id: pick(random, ids) }))
  const found = await timeEach(finds, CLIENTS, ({ query, id }) =>
    service.send('POST', `/v1/memories/${id}/find`, { query, options: { mode: 'hybrid', highlight: true } }),
  )
  const [files, rss, peak] = [most.stop(), service.rss() ?? 0, service.peakRss() ?? 0]
  await service.stop()
  return {
    report: table(
      `${memories} memories of ${CHUNKS_A_DOCUMENT} chunks in concurrent use`,
      ['', 'figure'],
      [
        ['a memory made and filled, p50 / p95', `${ms(made.p50)} / ${ms(made.p95)} ms`],
        [
          `${finds.length} hybrid finds over all of them, ${CLIENTS} clients, p50 / p95`,
          `${ms(found.p50)} / ${ms(found.p95)} ms, ${found.perSecond.toFixed(0)}/s`,
        ],
        ['files open: before, most', `${before.files}, ${files}`],
        ['memory: before, after, most', `${before.rss}, ${rss}, ${peak} MB`],
      ],
    ),
    bounds: [
      atMost(`memory with ${memories} memories in use`, { seen: peak, limit: 1024, unit: ' MB' }),
      atMost(`files open with ${memories} memories in use`, { seen: files, limit: MAX_FILES, unit: '' }),
    ],
  }
}

function watchOpenFiles(service: Service): { stop(): number } {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, service.openFiles() ?? 0)
  }, LOOK_EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}
