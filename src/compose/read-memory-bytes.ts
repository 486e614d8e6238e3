import { totalmem } from 'node:os'

/** What this process may take of the memory: by its container, or by its machine. */
export function readMemoryBytes(): number {
  const total = totalmem()
  // 0, or more than there is, where no container sets a bound.
  return Math.min(process.constrainedMemory() || total, total)
}
