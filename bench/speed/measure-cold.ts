import { startService } from '../service.ts'
import { percentile } from '../timings.ts'

const STARTS = 3

/**
 * The first questions to a service that has just started, in milliseconds: the medians of a few
 * starts.
 */
export type ColdFinds = { readyMs: number; firstMs: number; secondMs: number }

/**
 * Restarts the service on a data folder and queries a memory. The system may still cache its files.
 */
export async function measureCold(
  dataDir: string,
  { memoryId, queries }: { memoryId: string; queries: readonly string[] },
): Promise<ColdFinds> {
  const [ready, first, second]: [number[], number[], number[]] = [[], [], []]
  for (let start = 0; start < STARTS; start += 1) {
    const service = await startService(dataDir)
    ready.push(service.readyMs)
    for (const [index, times] of [first, second].entries()) {
      const query = queries[2 * start + index] ?? ''
      const before = performance.now()
      await service.send('POST', `/v1/memories/${memoryId}/find`, { query, options: { mode: 'hybrid' } })
      times.push(performance.now() - before)
    }
    await service.stop()
  }
  return { readyMs: percentile(ready, 0.5), firstMs: percentile(first, 0.5), secondMs: percentile(second, 0.5) }
}
