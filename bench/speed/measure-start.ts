import { setTimeout as pause } from 'node:timers/promises'
import { table } from '../report.ts'
import { startService } from '../service.ts'
import { ms, percentile } from '../timings.ts'

const STARTS = 5
const IDLE_PAUSE_MS = 5000

/**
 * Starts the service a few times over an empty folder: time to ready, and memory with nothing to
 * do.
 */
export async function measureStart(dataDir: string): Promise<string> {
  const readyMs: number[] = []
  let first: number | null = null
  let idle: number | null = null
  for (let start = 0; start < STARTS; start += 1) {
    const service = await startService(dataDir)
    readyMs.push(service.readyMs)
    first = service.rss()
    if (start === STARTS - 1) {
      await pause(IDLE_PAUSE_MS)
      idle = service.rss()
    }
    await service.stop()
  }
  return table(
    'Start',
    ['', 'figure'],
    [
      ['ready (first 200 of /health/ready), median', `${ms(percentile(readyMs, 0.5))} ms`],
      ['ready, slowest', `${ms(percentile(readyMs, 1))} ms`],
      ['memory right after', `${first} MB`],
      [`memory after ${IDLE_PAUSE_MS / 1000} s with nothing to do`, `${idle} MB`],
    ],
  )
}
