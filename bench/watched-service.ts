import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Service, startService } from './service.ts'
import { ms } from './timings.ts'

/** The longest block of the service's event loop, in milliseconds. */
export type EventLoopBlock = {
  /**
   * By wall clock (`perf_hooks`): the delay for a client, including time of other processes on the
   * core.
   */
  longestMs: number
  /** Processor time of the main thread between two turns: the part that is the service's own. */
  longestRunningMs: number
}

/** A service with a watched event loop. */
export type WatchedService = Service & {
  /** The longest block since the last call, or since the start. */
  takeBlock(): Promise<EventLoopBlock>
}

const PROBE = pathToFileURL(join(import.meta.dirname, 'event-loop-probe.ts')).href
const ANSWER_TIMEOUT_MS = 30_000

/** Starts the service with the probe. The probe reports through a file beside the data folder. */
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

/** A block in the format of tables. */
export function formatBlock({ longestMs, longestRunningMs }: EventLoopBlock): string {
  return `${ms(longestMs)} ms, ${ms(longestRunningMs)} running`
}
