import { readdirSync, readFileSync } from 'node:fs'

/** Bytes of memory that the process holds; `null` where the system does not tell. */
export function readResidentBytes(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readOr('', () => readFileSync(`/proc/${pid}/status`, 'utf8')))?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

/** Files, sockets and the like that the process has open; `null` where the system does not tell. */
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
