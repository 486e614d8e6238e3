import { buildFilter } from './filter-program.ts'
import type { Kernel, Program } from './kernel.ts'
import { limitReading } from './limit-reading.ts'

/** What the system keeps a child from: `null` where it does, else a sentence that says why it does not. */
export type FenceReport = {
  /** Network, writing, programs, other processes. */
  calls: string | null
  /** Reading of what is no matter of a reader. */
  reading: string | null
}

/** linux/prctl.h: no program that is started gets further rights, without which no filter is accepted. */
const SET_NO_NEW_PRIVILEGES = 38
/** linux/seccomp.h: SECCOMP_FILTER_FLAG_TSYNC, for all threads of the process. */
const ALL_THREADS = 1

/**
 * Gives up, for this process and for good, what a reader of files has no use for: the network, writing, starting programs but `program`, other processes, and
 * reading anything but `readable` and the program's own files. Needs no rights. Where the system does not offer one of the two, the other holds all the same.
 */
export function raiseFence(
  kernel: Kernel,
  { readable, program }: { readable: readonly string[]; program: Program },
): FenceReport {
  const reason = reasonAgainst(() => kernel.prctl(SET_NO_NEW_PRIVILEGES, 1))
  if (reason !== null) return { calls: reason, reading: reason }
  // The filter comes last: it may refuse what the other one needs.
  const reading = reasonAgainst(() => limitReading(kernel, readable))
  const filter = buildFilter(kernel.processor, { pid: process.pid, programAt: program.address })
  const calls = reasonAgainst(() => kernel.setFilter(ALL_THREADS, filter))
  return { calls, reading }
}

function reasonAgainst(act: () => void): string | null {
  try {
    act()
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

/** The first line of what was thrown: the loader of packages lists who asked for them behind it. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}
