/** What many timings say, in milliseconds. */
export type Summary = { p50: number; p95: number; perSecond: number }

/** Runs `work` once for each item, `clients` at a time, and times every run. */
export async function timeEach<Item>(
  items: readonly Item[],
  clients: number,
  work: (item: Item) => Promise<unknown>,
): Promise<Summary> {
  const timesMs: number[] = []
  const waiting = [...items]
  const started = performance.now()
  const client = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const before = performance.now()
      await work(item)
      timesMs.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const perSecond = (1000 * items.length) / (performance.now() - started)
  return { p50: percentile(timesMs, 0.5), p95: percentile(timesMs, 0.95), perSecond }
}

/** The value that the given share of the values does not exceed; 0 when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** Milliseconds as they stand in a table. */
export function ms(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0)
}
