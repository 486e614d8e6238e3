/** The results of a function for all items, in their order, with at most `atOnce` calls at a time. Rejects as the first call that does. */
export async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  async function work(): Promise<void> {
    for (const [index, item] of waiting) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
  return results
}
