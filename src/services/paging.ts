import { ApiError, invalid } from '../errors.ts'
import { LISTED_BYTES } from '../limits.ts'

/** No cursor of ours is longer; a longer one is not even decoded. */
const MAX_CHARACTERS = 300

/**
 * The cursor of the page after the row at `position`: opaque, and good only for the list it was made for, such as
 * `keys` or `documents mem_…`.
 */
export function encodeCursor(list: string, position: string): string {
  return Buffer.from(`${list}\n${position}`).toString('base64url')
}

/** The position in a cursor that {@link encodeCursor} made for this list; throws `invalid_cursor` for any other. */
export function decodeCursor(list: string, cursor: string, pattern: RegExp): string {
  const text = cursor.length > MAX_CHARACTERS ? '' : Buffer.from(cursor, 'base64url').toString()
  const position = text.slice(list.length + 1)
  // Encoding it again tells whether anything was dropped in decoding.
  if (!pattern.test(position) || encodeCursor(list, position) !== cursor) {
    throw new ApiError('invalid_cursor', invalid('cursor', 'is not one this list gave out').facts)
  }
  return position
}

/** How a list is cut into pages: its name, what a row's position looks like, and how to read rows, their resources and their number. */
type Paging<Name extends string, Row, Item> = {
  /** Plural noun of the answer. */
  name: Name
  /** Tells lists apart that must not share cursors. */
  list: string
  pattern: RegExp
  positionOf: (row: Row) => string
  /** At most `limit` rows after the position (`null`: from the beginning). */
  read: (after: string | null, limit: number) => Promise<Row[]>
  count: () => Promise<number>
  toResource: (row: Row) => Item
}

/**
 * One page of a list as the contract has it ("Paging"), shorter than `limit` where its items together would be larger than
 * what one answer may list (`LISTED_BYTES`); throws `invalid_cursor`.
 */
export async function readPage<Name extends string, Row, Item>(
  { limit, cursor }: PageRequest,
  paging: Paging<Name, Row, Item>,
): Promise<Page<Name, Item>> {
  const after = cursor === null ? null : decodeCursor(paging.list, cursor, paging.pattern)
  // One row more than the page has tells whether there is another page.
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

/** A page of a list under the list's own name; `total` counts all pages. */
export type Page<Name extends string, Item> = { [key in Name]: Item[] } & {
  nextCursor: string | null
  hasMore: boolean
  total: number
}

/** Which page is asked for: `limit` items at most, behind the `nextCursor` of the one before. */
export type PageRequest = { limit: number; cursor: string | null }

/** Counts what an answer lists, as it is sent. */
type AnswerRoom = {
  /** Counts the item and says whether it belongs into the answer; the first always does, so that no list stands still. */
  fits(item: unknown): boolean
}

/** The first items that have room in one answer together; at least one. */
export function takeFitting<Item>(items: Iterable<Item>): Item[] {
  const room = createAnswerRoom()
  const taken: Item[] = []
  for (const item of items) {
    if (!room.fits(item)) break
    taken.push(item)
  }
  return taken
}

/** Room for the items of one answer: {@link LISTED_BYTES}. */
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
