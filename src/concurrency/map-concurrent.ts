/**
 * Maps items with at most `atOnce` calls in parallel; results keep the order. After a failure,
 * starts no further call, waits for the running ones, and then rejects with the first failure.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  maxParallel: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const failures: unknown[] = []
  const waiting = items.entries()
  async function work(): Promise<void> {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return
      try {
        results[index] = await run(item)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxParallel, items.length) }, work))
  if (failures.length > 0) throw failures[0]
  return results
}
