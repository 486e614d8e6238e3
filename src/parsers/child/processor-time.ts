import { readFile } from 'node:fs/promises'

/** Ticks a second in /proc, on every Linux that runs Node. proc(5): sysconf(_SC_CLK_TCK). */
const TICKS_A_SECOND = 100
/** Where the ticks in user and in system mode stand, after the name of the program. proc(5): fields 14 and 15. */
const USER_TICKS = 11
const SYSTEM_TICKS = 12

/** The milliseconds that processors have given to all threads of a process, in steps of 10; `null` when it is gone or the system does not say. */
export async function getProcessorMs(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  // The name stands in brackets and may hold anything; what follows has no brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[USER_TICKS] ?? Number.NaN) + Number(fields[SYSTEM_TICKS] ?? Number.NaN)
  return Number.isNaN(ticks) ? null : (1000 * ticks) / TICKS_A_SECOND
}
