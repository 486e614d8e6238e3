import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Service, startService } from './service.ts'
import { ms } from './timings.ts'

/** The longest time in which the service's event loop did nothing else, in milliseconds. */
export type EventLoopBlock = {
  /** By the clock (`perf_hooks`): what a caller feels, with the time in which others had the core. */
  longestMs: number
  /** Processor time of the main thread between two turns: the part that is the service's own. */
  longestRunningMs: number
}

/** A service whose event loop is watched from within. */
export type WatchedService = Service & {
  /** The longest block since the last call, or since the start. */
  takeBlock(): Promise<EventLoopBlock>
}

const PROBE = pathToFileURL(join(import.meta.dirname, 'event-loop-probe.ts')).href
const ANSWER_TIMEOUT_MS = 30_000

/** Starts the service with the probe in it. What the probe reports goes through a file beside the data folder. */
export async function startWatchedService(
  dataDir: string,
  nodeOptions: readonly string[] = [],
): Promise<WatchedService> {
  const report = `${dataDir}.event-loop.json`
  rmSync(report, { force: true })
  const service = await startService(dataDir, [
    `--import=${PROBE}?report=${encodeURIComponent(report)}`,
    ...nodeOptions,
  ])
  return { ...service, takeBlock: () => takeBlock(service.pid(), report) }
}

async function takeBlock(pid: number | null, report: string): Promise<EventLoopBlock> {
  if (pid === null) throw new Error('the service is gone, or the system does not tell its process')
  process.kill(pid, 'SIGUSR2')
  const limit = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  while (!existsSync(report)) {
    if (limit.aborted) throw new Error('the service does not report its event loop')
    await pause(10)
  }
  const block = JSON.parse(readFileSync(report, 'utf8')) as EventLoopBlock
  rmSync(report)
  return block
}

/** As it stands in a table. */
export function formatBlock({ longestMs, longestRunningMs }: EventLoopBlock): string {
  return `${ms(longestMs)} ms, ${ms(longestRunningMs)} running`
}
