import { extname } from 'node:path'
import type { FenceReport } from '../fence/raise-fence.ts'
import { startChild } from './child.ts'

/** A process starts within a second; a machine may have more to do. */
const PATIENCE_MS = 30_000

/** What the system would keep the children of a service from that is started here; `null` where the one that is started to find out does not come up. */
export async function tryFence(temporaryDirectory: string): Promise<FenceReport | null> {
  const { promise, resolve } = Promise.withResolvers<FenceReport | null>()
  const fence = { isWanted: () => true, entered: resolve, ended: () => resolve(null) }
  const tasksModule = new URL(`./parse-tasks${extname(import.meta.url)}`, import.meta.url).href
  const child = startChild({ tasksModule, temporaryDirectory, environment: {}, maxHeapMb: 256, fence })
  const timer = setTimeout(() => resolve(null), PATIENCE_MS)
  void child.ended.then(() => resolve(null))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    child.kill({ kind: 'closed' })
    await child.ended
  }
}
