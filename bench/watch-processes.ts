import { listChildren, readMemory, readProcessorTime } from './processes.ts'
import type { Service } from './service.ts'

/** Measurements of a service and its children; `null` where the system does not report them. */
export type Seen = {
  /** The most megabytes the service's own process had at a look. */
  serviceMb: number | null
  /** The most megabytes any child ever had. */
  childMb: number | null
  /** Processor time of the children in milliseconds. */
  childCpuMs: number | null
}

const LOOK_EVERY_MS = 50

/** Samples a service process and its children twenty times a second until stopped. */
export function watchProcesses(service: Service): { stop(): Seen } {
  const seen: Seen = { serviceMb: null, childMb: null, childCpuMs: null }
  const before = new Map<number, number>()
  const spent = new Map<number, number>()
  const look = (isFirst: boolean) => {
    const pid = service.pid()
    seen.serviceMb = larger(seen.serviceMb, readMemory(pid, 'VmRSS'))
    for (const child of pid === null ? [] : listChildren(pid)) {
      seen.childMb = larger(seen.childMb, readMemory(child, isFirst ? 'VmRSS' : 'VmHWM'))
      const cpuMs = readProcessorTime(child)
      if (cpuMs === null) continue
      if (isFirst) before.set(child, cpuMs)
      spent.set(child, cpuMs - (before.get(child) ?? 0))
    }
  }
  look(true)
  const timer = setInterval(() => look(false), LOOK_EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      look(false)
      const childCpuMs = spent.size === 0 ? null : [...spent.values()].reduce((sum, ms) => sum + ms, 0)
      return { ...seen, childCpuMs }
    },
  }
}

function larger(a: number | null, b: number | null): number | null {
  return a === null || (b !== null && b > a) ? b : a
}
