/**
 * What Lance removes is only marked: the rows stand in their files until those are written anew. An optimize does that where a tenth of a file's rows
 * is marked, or where it joins files; else one row that is written anew by itself gives it something to join. An index keeps the words of rows whose
 * whole fragment went, until it is made anew.
 */
import type { Table } from '@lancedb/lancedb'
import type { Fragment, Manifest } from '../manifest.ts'
import { retryConflicts } from '../store-errors.ts'
import { MAX_JOINED_ROWS } from './disk-room.ts'
import { listDoomed, rowIdRange } from './reclaim.ts'

/** What writing anew needs beside the table. */
export type RewriteDeps = {
  readNewest(): Promise<Manifest>
  /** An optimize; false where other writes came between. */
  tend(): Promise<boolean>
  /** Does work in which no other write of this process comes. */
  inTurn(work: () => Promise<void>): Promise<void>
  /** Makes an index anew, or takes it away where there is nothing to index. */
  renewIndex(name: string): Promise<void>
}

/** Fragments are joined that the same indexes know, and an index of vectors learns of new rows two rounds later than one of words. */
const ROUNDS = { touch: 1, move: 5, last: 8 } as const

/**
 * Writes anew the files and indexes that hold rows removed by now, without these. The version from which on nothing of them is anywhere; `null` where writes of others
 * came between each time.
 */
export async function rewriteRemoved(table: Table, rewriting: RewriteDeps): Promise<number | null> {
  const { readNewest, tend, inTurn, renewIndex } = rewriting
  let manifest = await readNewest()
  const doomed = listDoomed(manifest)
  let isUndisturbed = true
  const tendAgain = async () => {
    isUndisturbed = await tend()
  }
  for (let round = 0; round < ROUNDS.last; round += 1) {
    const holed = manifest.fragments.filter(({ id }) => doomed.has(id))
    const stale = manifest.indexes.filter(({ fragmentIds }) => [...fragmentIds].some((id) => doomed.has(id)))
    if (holed.length === 0 && stale.length === 0) return manifest.version
    if (holed.length === 0) for (const name of new Set(stale.map(({ name }) => name))) await renewIndex(name)
    else {
      if (round === ROUNDS.touch || round === ROUNDS.move)
        await inTurn(() => moveRows(table, holed, round === ROUNDS.move))
      await (isUndisturbed ? tendAgain() : inTurn(tendAgain))
    }
    manifest = await readNewest()
  }
  return null
}

/** Writes one row of each of these fragments anew as it is, or all of them, into fragments of their own. */
async function moveRows(table: Table, fragments: readonly Fragment[], areAll: boolean): Promise<void> {
  for (const { id, rows } of fragments) {
    const ofFragment = rowIdRange(id)
    const oneRow = async () => {
      const [row] = await table.query().where(ofFragment).withRowId().select(['kind']).limit(1).toArray()
      return row === undefined ? ofFragment : `_rowid = ${row['_rowid']}`
    }
    await retryConflicts(async () => {
      const where = areAll || rows >= MAX_JOINED_ROWS ? ofFragment : await oneRow()
      await table.update({ where, valuesSql: { kind: 'kind' } })
    })
  }
}
