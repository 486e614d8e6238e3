import type { Manifest } from './manifest/read-manifest.ts'

/** The fragments in which rows are removed and still stand, and those that are gone but not yet from the indexes. */
export function listDoomed({ fragments, indexes }: Manifest): Set<number> {
  const there = new Set(fragments.map(({ id }) => id))
  const marked = fragments.filter(({ removedRows }) => removedRows > 0).map(({ id }) => id)
  const gone = indexes.flatMap(({ fragmentIds }) => [...fragmentIds].filter((id) => !there.has(id)))
  return new Set([...marked, ...gone])
}

/** The condition that the rows of a fragment meet, by where Lance numbers them. */
export function rowsOf(fragmentId: number): string {
  const first = BigInt(fragmentId) << 32n
  return `_rowid >= ${first} AND _rowid < ${first + (1n << 32n)}`
}
