import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The memory a process occupies, in bytes; `null` when it is gone or the system does not say. */
export async function getResidentBytes(pid: number): Promise<number | null> {
  if (process.platform === 'win32') return null
  return process.platform === 'linux' ? readStatus(pid) : askPs(pid)
}

async function readStatus(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

async function askPs(pid: number): Promise<number | null> {
  const answer = await run('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => null)
  const kilobytes = Number(answer?.stdout.trim() || 'none')
  return Number.isNaN(kilobytes) ? null : kilobytes * 1024
}
