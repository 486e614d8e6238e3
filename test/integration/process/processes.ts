import { readdirSync, readFileSync } from 'node:fs'

/** The process and its living descendants, from Linux's /proc. */
export function listFamily(pid: number): number[] {
  const parents = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? parentOf(Number(name)) : []))
  const family = [pid]
  for (const member of family) {
    family.push(...parents.filter(({ parent }) => parent === member).map((child) => child.pid))
  }
  return family
}

/** False once the process is gone, or has ended and only waits for its parent to take note. */
export function isRunning(pid: number): boolean {
  return parentOf(pid).some(({ state }) => state !== 'Z')
}

function parentOf(pid: number): { pid: number; parent: number; state: string }[] {
  try {
    // The program name in brackets may contain anything; the rest has no brackets.
    const [state = '', parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return [{ pid, parent: Number(parent), state }]
  } catch {
    return []
  }
}
