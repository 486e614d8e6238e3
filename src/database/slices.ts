/** Rows a statement: PostgreSQL and SQLite both take some 32,000 parameters, a document has about 30. */
const ROWS_A_STATEMENT = 200

/** The items in lists that one statement can take, each of `most` items at most; rows of any table where absent. */
export function* slices<Item>(items: readonly Item[], most = ROWS_A_STATEMENT): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += most) yield items.slice(start, start + most)
}
