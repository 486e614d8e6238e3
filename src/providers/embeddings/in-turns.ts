/**
 * The results of `work` for each item, in their order, so many at a time. Rejects with the first failure, once what was under way has ended; what
 * was not begun by then is not begun.
 */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const failures: unknown[] = []
  let next = 0
  const run = async () => {
    while (next < items.length && failures.length === 0) {
      const at = next++
      try {
        results[at] = await work(items[at] as Item)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, run))
  if (failures.length > 0) throw failures[0]
  return results
}
