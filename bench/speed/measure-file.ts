import { addFile, makeMemory } from '../load.ts'
import { table } from '../report.ts'
import type { Sentences } from '../sentences.ts'
import { makeText } from '../texts.ts'
import { ms } from '../timings.ts'
import { formatBlock, startWatchedService } from '../watched-service.ts'
import { atMost, type Measured } from './bounds.ts'

/** One large text file through a job: speed, latency of other requests, and memory. */
export async function measureFile({
  dataDir,
  megabytes,
  sentences,
}: {
  dataDir: string
  megabytes: number
  sentences: Sentences
}): Promise<Measured> {
  const text = makeText(sentences, megabytes * 2 ** 20)
  const service = await startWatchedService(dataDir)
  const memoryId = await makeMemory(service, 'file')
  await service.takeBlock()
  const job = await addFile(service, memoryId, text)
  const block = await service.takeBlock()
  const peak = service.peakRss()
  await service.stop()
  return {
    report: table(
      `A file of ${megabytes} MB`,
      ['', 'figure'],
      [
        ['chunks', String(job.chunks)],
        ['chunks/s', job.perSecond.toFixed(0)],
        [
          'GET /health meanwhile, p50 / p95 / slowest',
          `${ms(job.health.p50)} / ${ms(job.health.p95)} / ${ms(job.health.max)} ms`,
        ],
        ['event loop blocked, at most', formatBlock(block)],
        ['most memory', `${peak ?? job.peakRss} MB`],
      ],
    ),
    bounds: [atMost('event loop blocked by a large file', { seen: block.longestMs, limit: 100, unit: ' ms' })],
  }
}
