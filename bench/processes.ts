/** Process data from Linux's `/proc`; nothing on other systems. */
import { readdirSync, readFileSync } from 'node:fs'

/** Process ids of the children of a process; empty where the system does not report them. */
export function listChildren(pid: number): number[] {
  const listed = readProcessFile(pid, `task/${pid}/children`).trim()
  return listed === '' ? [] : listed.split(/\s+/).map(Number)
}

/**
 * Megabytes in memory: now (`VmRSS`), or the most there ever were (`VmHWM`). `null` where the
 * system does not say.
 */
export function readMemory(pid: number | null, field: 'VmRSS' | 'VmHWM'): number | null {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(readProcessFile(pid, 'status'))?.[1]
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
}

/**
 * Milliseconds of processor time, in hundredths of a second; the fields 14 and 15 of `stat` are
 * those of user and system (man 5 proc).
 */
export function readProcessorTime(pid: number | null): number | null {
  const fields = readProcessFile(pid, 'stat')
    .replace(/^.*\) /, '')
    .split(' ')
  const [user, system] = [fields[11], fields[12]]
  return user === undefined || system === undefined ? null : 10 * (Number(user) + Number(system))
}

/** Files, sockets and the like that a process has open; `null` where the system does not say. */
export function countOpenFiles(pid: number | null): number | null {
  try {
    return pid === null ? null : readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return null
  }
}

function readProcessFile(pid: number | null, name: string): string {
  if (pid === null) return ''
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
