/** Rows a statement: PostgreSQL and SQLite both take some 32,000 parameters, a document has about 30. */
const ROWS_A_STATEMENT = 200

/** The items in lists that one statement can take. */
export function* slices<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += ROWS_A_STATEMENT)
    yield items.slice(start, start + ROWS_A_STATEMENT)
}
