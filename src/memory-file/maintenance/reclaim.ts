import { open, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Table } from '@lancedb/lancedb'
import { ApiError } from '../../errors.ts'
import { type Fragment, type IndexPart, type Manifest, readManifest } from '../manifest.ts'
import { TERMS_INDEX, termsIndexConfig } from '../open-tables.ts'
import { isFull } from '../store-errors.ts'
import { manifestFile, openVersionFolder } from '../version-files.ts'

/**
 * Takes removed rows out of a memory file on a disk that has no room to write all of it anew, as `rewrite-removed.ts` does. Old versions go at once; indexes that know removed words
 * go before anything is written, and are made again by upkeep; then fragment after fragment moves its rows that are left, those first that need least.
 * What each of them frees makes room for the next. Words are found meanwhile by reading all rows, which takes longer.
 */
/** What reclaiming needs. */
type ReclaimDeps = {
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
export async function reclaim(reclaiming: ReclaimDeps): Promise<number> {
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
function fitOneByOne(fragments: readonly Fragment[], freeBytes: number): boolean {
  let free = freeBytes
  for (const fragment of leastFirst(fragments)) {
    const need = needOf([fragment])
    if (need > free) return false
    free += fragment.bytes - need
  }
  return true
}

/** Those that fit together, the smallest first; none where not one does. */
function takeBatch(fragments: readonly Fragment[], mostBytes: number): Fragment[] {
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
    if (name === TERMS_INDEX)
      await table.createIndex('terms', { config: termsIndexConfig(), replace: true, train: false })
    else await table.dropIndex(name)
  }
}

/** Writes what is left of these fragments into a new one, in one commit; they go with it. */
async function moveRows(table: Table, fragments: readonly Fragment[]): Promise<void> {
  const where = fragments.map(({ id }) => `(${rowIdRange(id)})`).join(' OR ')
  await table.update({ where, valuesSql: { kind: 'kind' } })
}

/**
 * Takes the old versions of a memory file off the disk. Lance does that at the end of an optimize, which writes all of a table anew before: on a full disk it never
 * comes so far. Here nothing is written.
 */
const DATA = 'data'
const DELETIONS = '_deletions'
const INDICES = '_indices'
const TRANSACTIONS = '_transactions'
const VERSIONS = '_versions'
/** A transaction's file is named after the version that it was begun at. */
const TRANSACTION = /^(\d+)-/

/**
 * Removes every version before `oldest`, and every file that no version from there on names. Nobody may be writing to the memory file meanwhile; `oldest` must be whole on the
 * disk; whoever reads an older version fails. Gives the number of files removed. Rejects, and removes nothing, where a version that stays cannot be read.
 */
export async function dropVersionsBefore(folder: string, name: string, oldest: number): Promise<number> {
  const versions = openVersionFolder(folder)
  const standing = await versions.list(name)
  const kept = new Set<string>()
  for (const version of standing.filter((version) => version >= oldest)) {
    const { files, indexes } = readManifest(await versions.read(name, version))
    for (const path of files.keys()) kept.add(path)
    for (const index of indexes) kept.add(index.folder)
  }
  const root = join(folder, `${name}.lance`)
  // The versions first: none is to stand whose files are gone.
  const old = standing.filter((version) => version < oldest).map((version) => join(VERSIONS, manifestFile(version)))
  await removeAll(root, old)
  const unnamed = [
    ...(await listUnnamed(root, DATA, kept)),
    ...(await listUnnamed(root, DELETIONS, kept)),
    ...(await listUnnamed(root, INDICES, kept)),
    ...(await listNames(root, TRANSACTIONS)).filter((name) => isBefore(name, oldest - 1)),
  ]
  await removeAll(root, unnamed)
  return old.length + unnamed.length
}

async function listUnnamed(root: string, folder: string, kept: ReadonlySet<string>): Promise<string[]> {
  return (await listNames(root, folder)).filter((path) => !kept.has(path))
}

async function listNames(root: string, folder: string): Promise<string[]> {
  try {
    return (await readdir(join(root, folder))).map((name) => `${folder}/${name}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Lance reads the transactions since the version that a commit was begun at. */
function isBefore(path: string, version: number): boolean {
  const begunAt = TRANSACTION.exec(basename(path))?.[1]
  return begunAt !== undefined && Number(begunAt) < version
}

async function removeAll(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(join(root, path), { recursive: true, force: true })
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    await using names = await open(join(root, folder), 'r')
    await names.sync()
  }
}

/** The fragments in which rows are removed and still stand, and those that are gone but not yet from the indexes. */
export function listDoomed({ fragments, indexes }: Manifest): Set<number> {
  const there = new Set(fragments.map(({ id }) => id))
  const marked = fragments.filter(({ removedRows }) => removedRows > 0).map(({ id }) => id)
  const gone = indexes.flatMap(({ fragmentIds }) => [...fragmentIds].filter((id) => !there.has(id)))
  return new Set([...marked, ...gone])
}

/** The condition that the rows of a fragment meet, by where Lance numbers them. */
export function rowIdRange(fragmentId: number): string {
  const first = BigInt(fragmentId) << 32n
  return `_rowid >= ${first} AND _rowid < ${first + (1n << 32n)}`
}
