import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requirePrograms } from './installed-programs.ts'

/** A disk whose flushes fail, for processes started with these settings. */
export type FailingFsync = {
  settings: Readonly<Record<string, string>>
  /** From now on so many percent of the calls fail. */
  set(percent: number): void
}

const SOURCE = join(import.meta.dirname, 'failing-fsync.c')

/** The reason why this machine has no failing disk; `null` where possible. */
export function whyNoFailingFsync(): string | null {
  if (process.platform !== 'linux') return 'needs Linux, whose libraries can be put in front of others'
  return requirePrograms(['cc'], ['gcc', 'libc6-dev'])
}

/** Creates a disk in a folder; no failures yet. Throws with the compiler output. */
export function makeFailingFsync(folder: string): FailingFsync {
  const [library, percentage] = [join(folder, 'failing-fsync.so'), join(folder, 'failing-fsync')]
  const compiled = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE, '-ldl'])
  if (compiled.status !== 0) throw new Error(`cc: ${compiled.stderr}`)
  const set = (percent: number) => writeFileSync(percentage, String(percent))
  set(0)
  return { settings: { LD_PRELOAD: library, FAILING_FSYNC: percentage }, set }
}
