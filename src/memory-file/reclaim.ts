/**
 * Takes removed rows out of a memory file on a disk that has no room to write all of it anew, as `rewrite-removed.ts` does. Old versions go at once; indexes that know removed words
 * go before anything is written, and are made again by upkeep; then fragment after fragment moves its rows that are left, those first that need least.
 * What each of them frees makes room for the next. Words are found meanwhile by reading all rows, which takes longer.
 */
import type { Table } from '@lancedb/lancedb'
import { ApiError } from '../errors.ts'
import type { Fragment, IndexPart, Manifest } from './manifest/read-manifest.ts'
import { TERMS_INDEX, termsIndex } from './open-tables.ts'
import { listDoomed, rowsOf } from './removed-rows.ts'
import { isFull } from './store-errors.ts'

/** What reclaiming needs. */
export type Reclaiming = {
  readNewest(): Promise<Manifest>
  /** Writes the file anew in the usual way, with its indexes, where there is room for all of that. */
  rewriteWithRoom(newest: Manifest): Promise<void>
  /** Takes away every version but the newest, and what no version names. */
  dropOldVersions(): Promise<void>
  freeBytes(): Promise<number>
  /** Changes the table in the turn of its writes, and forces to the disk what that wrote. */
  change(work: (table: Table) => Promise<void>): Promise<void>
}

/** Of one commit: a second or less, in which the memory's adds wait. */
const MOST_MOVED = { bytes: 32 * 1024 * 1024, fragments: 200 } as const
/** Fewer rows are not packed as tightly. Seen: up to a tenth more. */
const GROWTH = 1.2
/** Left for the commit itself and for deletions that come meanwhile: the log of the database grows to 4 MB before it is used again. */
const LEFT_FREE_BYTES = 3 * 1024 * 1024

/**
 * Takes out the rows that are removed by now. The version from which on nothing of them is anywhere, which is the oldest that is left. Rejects with `insufficient_storage` where rows that are
 * left in a fragment have no room beside it; what could be freed is free then.
 */
export async function reclaim(reclaiming: Reclaiming): Promise<number> {
  const { readNewest, rewriteWithRoom, dropOldVersions, freeBytes, change } = reclaiming
  const newest = await readNewest()
  const doomed = listDoomed(newest)
  if (doomed.size > 0) await rewriteWithRoom(newest)
  let mostBytes: number = MOST_MOVED.bytes
  for (;;) {
    await dropOldVersions()
    const manifest = await readNewest()
    const holed = manifest.fragments.filter(({ id }) => doomed.has(id))
    const stale = manifest.indexes.filter(({ fragmentIds }) => [...fragmentIds].some((id) => doomed.has(id)))
    if (holed.length === 0 && stale.length === 0) return manifest.version
    const free = (await freeBytes()) - LEFT_FREE_BYTES
    if (stale.length > 0 && fitOneByOne(holed, free + sumBytes(stale))) {
      await change((table) => shedIndexes(table, stale))
      continue
    }
    const batch = takeBatch(holed, Math.min(free, mostBytes))
    if (batch.length === 0) throw new ApiError('insufficient_storage')
    try {
      await change((table) => moveRows(table, batch))
    } catch (error) {
      if (!isFull(error) || batch.length === 1) throw error
      mostBytes = needOf(batch) / 2
    }
  }
}

/** Whether each of them finds room, when those before have given theirs back. */
export function fitOneByOne(fragments: readonly Fragment[], freeBytes: number): boolean {
  let free = freeBytes
  for (const fragment of leastFirst(fragments)) {
    const need = needOf([fragment])
    if (need > free) return false
    free += fragment.bytes - need
  }
  return true
}

/** Those that fit together, the smallest first; none where not one does. */
export function takeBatch(fragments: readonly Fragment[], mostBytes: number): Fragment[] {
  const batch: Fragment[] = []
  for (const fragment of leastFirst(fragments).slice(0, MOST_MOVED.fragments)) {
    if (needOf([...batch, fragment]) > mostBytes) break
    batch.push(fragment)
  }
  return batch
}

function leastFirst(fragments: readonly Fragment[]): Fragment[] {
  return [...fragments].sort((one, other) => needOf([one]) - needOf([other]))
}

function needOf(fragments: readonly Fragment[]): number {
  return fragments.reduce((sum, { rows, removedRows, bytes }) => sum + GROWTH * bytes * (1 - removedRows / rows), 0)
}

function sumBytes(indexes: readonly IndexPart[]): number {
  return indexes.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Without an index of words nothing finds any: an empty one is made in its place, and takes in every row when upkeep comes by. */
async function shedIndexes(table: Table, indexes: readonly IndexPart[]): Promise<void> {
  for (const name of new Set(indexes.map(({ name }) => name))) {
    if (name === TERMS_INDEX) await table.createIndex('terms', { config: termsIndex(), replace: true, train: false })
    else await table.dropIndex(name)
  }
}

/** Writes what is left of these fragments into a new one, in one commit; they go with it. */
async function moveRows(table: Table, fragments: readonly Fragment[]): Promise<void> {
  const where = fragments.map(({ id }) => `(${rowsOf(id)})`).join(' OR ')
  await table.update({ where, valuesSql: { kind: 'kind' } })
}
