/** Statistics of many timings, in milliseconds. */
export type Summary = { p50: number; p95: number; perSecond: number }

/** Runs `work` once for each item, `clients` at a time, and times every run. */
export async function timeEach<Item>(
  items: readonly Item[],
  clients: number,
  work: (item: Item) => Promise<unknown>,
): Promise<Summary> {
  return summarize(await runEach(items, clients, work))
}

/** Items of each work before the next work: enough to keep several clients busy. */
const ROUND_ITEMS = 40

/**
 * Times several works over the same items in turn, so all run under the same machine
 * conditions. The first `warmUp` runs of each do not count. Summaries follow the order of the
 * works.
 */
export async function timeInTurn<Item>(
  items: readonly Item[],
  { clients, warmUp = 0 }: { clients: number; warmUp?: number },
  works: readonly ((item: Item) => Promise<unknown>)[],
): Promise<Summary[]> {
  for (const work of works) await timeEach(items.slice(0, warmUp), 1, work)
  const timings = works.map((work) => ({ work, timesMs: [] as number[], elapsedMs: 0 }))
  for (let start = 0; start < items.length; start += ROUND_ITEMS) {
    for (const timing of timings) {
      const round = await runEach(items.slice(start, start + ROUND_ITEMS), clients, timing.work)
      timing.timesMs.push(...round.timesMs)
      timing.elapsedMs += round.elapsedMs
    }
  }
  return timings.map(summarize)
}

type Timed = { timesMs: number[]; elapsedMs: number }

async function runEach<Item>(
  items: readonly Item[],
  clients: number,
  work: (item: Item) => Promise<unknown>,
): Promise<Timed> {
  const timesMs: number[] = []
  const waiting = items.values()
  const started = performance.now()
  const client = async () => {
    for (const item of waiting) {
      const before = performance.now()
      await work(item)
      timesMs.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return { timesMs, elapsedMs: performance.now() - started }
}

function summarize({ timesMs, elapsedMs }: Timed): Summary {
  const perSecond = (1000 * timesMs.length) / elapsedMs
  return { p50: percentile(timesMs, 0.5), p95: percentile(timesMs, 0.95), perSecond }
}

/** The percentile of the values at this share; 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** Milliseconds in the format of tables. */
export function ms(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0)
}
