/** Items of a list, and where it goes on; `null` at its end. */
export type ListPart<Item> = { items: readonly Item[]; nextCursor: string | null }

/** Every item of a list, page by page as the loop goes on. */
export async function* eachOf<Item>(
  read: (cursor: { cursor?: string }) => Promise<ListPart<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | null = null
  do {
    const page: ListPart<Item> = await read(cursor === null ? {} : { cursor })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== null)
}
