import { readFileSync } from 'node:fs'

/**
 * The kernel counts in hundredths of a second, independent of its clock (proc(5), `_SC_CLK_TCK` on
 * Linux).
 */
const TICK_MS = 10

/**
 * The processor time of the process so far, all threads together; 0 on systems other than Linux.
 */
export function readProcessorMs(pid: number): number {
  const stat = readOrNothing(`/proc/${pid}/stat`)
  // The name of the program, in parentheses, may hold spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user ?? 0) + Number(system ?? 0)) * TICK_MS
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
