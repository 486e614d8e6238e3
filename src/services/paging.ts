import type { Warning } from '../api/values.ts'
import { ApiError, invalid } from '../errors.ts'
import { LISTED_BYTES } from '../limits.ts'

/** Maximum length of a cursor, with the name of a memory; longer ones are not decoded. */
const MAX_CHARACTERS = 6000

/**
 * Returns an opaque cursor of the page after `position`. It is valid only for its list, such as
 * `keys` or `documents mem_…`.
 */
export function encodeCursor(list: string, position: string): string {
  return Buffer.from(`${list}\n${position}`).toString('base64url')
}

/** Returns the position in a cursor of this list; throws `invalid_cursor` for any other cursor. */
export function decodeCursor(list: string, cursor: string, pattern: RegExp): string {
  const text = cursor.length > MAX_CHARACTERS ? '' : Buffer.from(cursor, 'base64url').toString()
  const position = text.slice(list.length + 1)
  // Decoding ignores invalid characters; encoding again detects them.
  if (!pattern.test(position) || encodeCursor(list, position) !== cursor) {
    throw new ApiError('invalid_cursor', invalid('cursor', 'is not one this list gave out').facts)
  }
  return position
}

/** A paginated list: its name, its positions, and functions to read, count and convert rows. */
type Paging<Name extends string, Row, Item> = {
  /** The plural noun in the response. */
  name: Name
  /** Distinguishes lists that must not share cursors. */
  list: string
  pattern: RegExp
  positionOf: (row: Row) => string
  /** Reads up to `limit` rows after the position; `null` starts at the beginning. */
  read: (after: string | null, limit: number) => Promise<Row[]>
  count: () => Promise<number>
  toResource: (row: Row) => Item
}

/**
 * Reads one page of a list (contract, "Paging"). The page has fewer than `limit` items if they
 * would exceed `LISTED_BYTES`. Throws `invalid_cursor`.
 */
export async function readPage<Name extends string, Row, Item>(
  { limit, cursor }: PageRequest,
  paging: Paging<Name, Row, Item>,
): Promise<Page<Name, Item>> {
  const after = cursor === null ? null : decodeCursor(paging.list, cursor, paging.pattern)
  // One extra row shows whether there is another page.
  const rows = await paging.read(after, limit + 1)
  const shown = takeFitting(rows.slice(0, limit).map(paging.toResource))
  const last = rows.length > shown.length ? rows[shown.length - 1] : undefined
  const items = { [paging.name]: shown } as { [key in Name]: Item[] }
  return {
    ...items,
    nextCursor: last === undefined ? null : encodeCursor(paging.list, paging.positionOf(last)),
    hasMore: last !== undefined,
    total: await paging.count(),
  }
}

/** A page under the name of its list; `total` counts all pages. */
export type Page<Name extends string, Item> = { [key in Name]: Item[] } & {
  nextCursor: string | null
  hasMore: boolean
  total: number
}

/** Requests up to `limit` items after `cursor`, the `nextCursor` of the previous page. */
export type PageRequest = { limit: number; cursor: string | null }

/** Counts the listed bytes of a response. */
type AnswerRoom = {
  /** Counts an item and returns whether it fits. The first always fits, so that lists progress. */
  fits(item: unknown): boolean
}

/** Returns the first items that fit into one response, at least one. */
export function takeFitting<Item>(items: Iterable<Item>): Item[] {
  const room = createAnswerRoom()
  const taken: Item[] = []
  for (const item of items) {
    if (!room.fits(item)) break
    taken.push(item)
  }
  return taken
}

/** Creates a counter for {@link LISTED_BYTES}. */
export function createAnswerRoom(): AnswerRoom {
  let bytes = 0
  return {
    fits(item) {
      const isFirst = bytes === 0
      bytes += Buffer.byteLength(JSON.stringify(item)) + 1
      return isFirst || bytes <= LISTED_BYTES
    },
  }
}

/** Maximum warnings of one response; ten thousand texts mostly cause the same warnings. */
const MAX_WARNINGS = 50

/** Returns the first warnings, and a last one with the number of the others. */
export function limitWarnings(warnings: readonly Warning[]): Warning[] {
  if (warnings.length <= MAX_WARNINGS) return [...warnings]
  const message = `${warnings.length - MAX_WARNINGS} more warnings are not shown.`
  return [...warnings.slice(0, MAX_WARNINGS), { code: 'warnings_left_out', message, param: null }]
}
