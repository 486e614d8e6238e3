import { readdirSync, readFileSync } from 'node:fs'

/** The resident memory of the process in bytes; `null` where the system does not report it. */
export function readResidentBytes(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readOr('', () => readFileSync(`/proc/${pid}/status`, 'utf8')))?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

/**
 * The number of open files and sockets of the process; `null` where the system does not report it.
 */
export function countDescriptors(pid: number): number | null {
  return readOr<number | null>(null, () => readdirSync(`/proc/${pid}/fd`).length)
}

function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}
