import { mkdirSync } from 'node:fs'
import { addFile, makeMemory } from './load.ts'
import { table } from './report.ts'
import type { Sentences } from './sentences.ts'
import { startService } from './service.ts'
import { makeText } from './texts.ts'
import { ms } from './timings.ts'

/** One large text file through a job: its speed, what other callers feel of it, and its memory. */
export async function measureFile({
  folder,
  megabytes,
  sentences,
}: {
  folder: string
  megabytes: number
  sentences: Sentences
}): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const text = makeText(sentences, megabytes * 2 ** 20)
  const service = await startService(folder)
  const job = await addFile(service, await makeMemory(service, 'file'), text)
  const peak = service.peakRss()
  await service.stop()
  return table(
    `A file of ${megabytes} MB`,
    ['', 'figure'],
    [
      ['chunks', String(job.chunks)],
      ['chunks/s', job.perSecond.toFixed(0)],
      [
        'GET /health meanwhile, p50 / p95 / slowest',
        `${ms(job.health.p50)} / ${ms(job.health.p95)} / ${ms(job.health.max)} ms`,
      ],
      ['most memory', `${peak ?? job.peakRss} MB`],
    ],
  )
}
