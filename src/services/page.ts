/** A page of a list under the list's own name; `total` counts all pages. */
export type Page<Name extends string, Item> = { [key in Name]: Item[] } & {
  nextCursor: string | null
  hasMore: boolean
  total: number
}

/** Which page is asked for: `limit` items at most, behind the `nextCursor` of the one before. */
export type PageRequest = { limit: number; cursor: string | null }
