/**
 * Preloaded into the service (`--import=…/event-loop-probe.ts?report=<file>`): watches the event
 * loop. On each SIGUSR2, writes the measurements since the previous signal to the file as an
 * `EventLoopBlock` (watched-service.ts).
 */
import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import type { EventLoopBlock } from './watched-service.ts'

/** The resolution of both timers, the largest excess of their reports. */
const RESOLUTION_MS = 2

// Threads and children inherit this option; only the requested process uses the file.
const file = new URL(import.meta.url).searchParams.get('report')
if (isMainThread && file !== null) watch(file)

function watch(report: string): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  let mostRunning = 0
  let before = process.threadCpuUsage()
  const turn = () => {
    const now = process.threadCpuUsage()
    mostRunning = Math.max(mostRunning, now.user + now.system - before.user - before.system)
    before = now
  }
  setInterval(turn, RESOLUTION_MS).unref()
  process.on('SIGUSR2', () => {
    const block = { longestMs: delays.max / 1e6, longestRunningMs: mostRunning / 1e3 }
    delays.reset()
    mostRunning = 0
    // The delay histogram starts with its first sample after a reset and misses an earlier block.
    setTimeout(() => tell(report, block), 3 * RESOLUTION_MS).unref()
  })
}

function tell(report: string, block: EventLoopBlock): void {
  writeFileSync(`${report}.part`, JSON.stringify(block))
  renameSync(`${report}.part`, report)
}
