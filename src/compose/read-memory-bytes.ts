import { totalmem } from 'node:os'

/** Memory that this process may use: the limit of its container, or the machine's memory. */
export function readMemoryBytes(): number {
  const total = totalmem()
  // Without a container limit, the value is 0 or larger than the machine's memory.
  return Math.min(process.constrainedMemory() || total, total)
}
