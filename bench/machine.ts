import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** The machine of the measurements, without identifying names. */
export function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const load = loadavg()[0]?.toFixed(1) ?? '?'
  const { version, platform, arch } = process
  return `Node ${version}, ${platform} ${arch}, ${availableParallelism()} of ${cpus().length} cores, ${gigabytes} GB, load ${load} at the start.`
}
