import type { Fragment, Manifest } from './manifest/read-manifest.ts'
import { TERMS_INDEX } from './open-tables.ts'

/** Lance joins fragments up to this. https://docs.rs/lance, CompactionOptions */
export const MOST_JOINED_ROWS = 1024 * 1024
/** Of a fragment's rows; where more are removed, it is written anew by itself. https://docs.rs/lance, CompactionOptions */
const REMOVED_SHARE = 0.1
/** An index of moved rows is written with their new places first, then with new rows. */
const INDEX_WRITES = 2
/** What an index takes of the bytes of the rows that it learns of. Seen: a quarter to a half. */
const INDEX_SHARE = 0.5

/** The bytes that an optimize writes before it removes anything, at most: neighbours that the same indexes know are joined, and indexes learn of it. */
export function measureOrder(manifest: Manifest): number {
  const { fragments, indexes } = manifest
  const moved = listBins(manifest).filter((bin) => bin.length > 1 || bin.some(isHoled))
  const movedBytes = sum(moved.flat().map(({ bytes, rows, removedRows }) => bytes * (1 - removedRows / rows)))
  const known = new Set(indexes.flatMap(({ name, fragmentIds }) => (name === TERMS_INDEX ? [...fragmentIds] : [])))
  const newBytes = sum(fragments.map(({ id, bytes }) => (known.has(id) ? 0 : bytes)))
  if (movedBytes === 0 && newBytes === 0) return 0
  return movedBytes + INDEX_WRITES * sum(indexes.map(({ bytes }) => bytes)) + INDEX_SHARE * newBytes
}

/** Fragments that stand side by side and would be joined. */
function listBins({ fragments, indexes }: Manifest): Fragment[][] {
  const bins: Fragment[][] = []
  let before: string | null = null
  for (const fragment of fragments) {
    const isJoined = fragment.rows < MOST_JOINED_ROWS || isHoled(fragment)
    const kind = isJoined ? indexes.map(({ fragmentIds }) => Number(fragmentIds.has(fragment.id))).join('') : null
    const bin = bins.at(-1)
    if (kind !== null && kind === before && bin !== undefined) bin.push(fragment)
    else if (kind !== null) bins.push([fragment])
    before = kind
  }
  return bins
}

function isHoled({ rows, removedRows }: Fragment): boolean {
  return removedRows > rows * REMOVED_SHARE
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
