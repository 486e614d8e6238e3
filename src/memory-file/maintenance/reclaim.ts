import { open, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Table } from '@lancedb/lancedb'
import { ApiError } from '../../errors.ts'
import { type Fragment, type IndexPart, type Manifest, readManifest } from '../manifest.ts'
import { TERMS_INDEX, termsIndexConfig } from '../open-tables.ts'
import { isStorageFull, retryConflicts } from '../store-errors.ts'
import { manifestFile, openVersionFolder } from '../version-files.ts'

/**
 * Purges deleted rows from a memory file on a disk without room for {@link purgeDeletedRows}.
 * Deletes old versions immediately, and drops indexes that contain deleted words before writing
 * anything. Then moves the remaining rows fragment by fragment, smallest first; each frees space
 * for the next. Meanwhile lexical search reads all rows, which is slower. Maintenance rebuilds the
 * indexes.
 */
/** Dependencies of the reclaim. */
type ReclaimDeps = {
  readNewest(): Promise<Manifest>
  /** Rewrites the file with its indexes in the usual way, if there is room. */
  rewriteWithRoom(newest: Manifest): Promise<void>
  /** Deletes every version but the newest, and files that no version names. */
  deleteOldVersions(): Promise<void>
  freeBytes(): Promise<number>
  /** Changes the table in its write queue, and flushes the change. */
  change(work: (table: Table) => Promise<void>): Promise<void>
}

/** Limits of one commit: at most a second, during which adds to the memory wait. */
const MAX_MOVED = { bytes: 32 * 1024 * 1024, fragments: 200 } as const
/** Fewer rows compress less. Measured: up to a tenth more. */
const GROWTH_FACTOR = 1.2
/**
 * Reserved for the commit and for concurrent deletions: the database's log grows to 4 MB before it
 * is reused.
 */
const RESERVED_BYTES = 3 * 1024 * 1024

/**
 * Purges the rows that are deleted by now. Returns the oldest remaining version, which contains
 * nothing of these rows. Rejects with `insufficient_storage` if the remaining rows of a fragment do
 * not fit; the space freed so far stays free.
 */
export async function purgeWithinSpace(deps: ReclaimDeps): Promise<number> {
  const { readNewest, rewriteWithRoom, deleteOldVersions, freeBytes, change } = deps
  const newest = await readNewest()
  const toPurge = listFragmentsToPurge(newest)
  if (toPurge.size > 0) await rewriteWithRoom(newest)
  let maxBytes: number = MAX_MOVED.bytes
  for (;;) {
    await deleteOldVersions()
    const manifest = await readNewest()
    const holed = manifest.fragments.filter(({ id }) => toPurge.has(id))
    const stale = manifest.indexes.filter(({ fragmentIds }) => [...fragmentIds].some((id) => toPurge.has(id)))
    if (holed.length === 0 && stale.length === 0) return manifest.version
    const free = (await freeBytes()) - RESERVED_BYTES
    if (stale.length > 0 && fitSequentially(holed, free + sumBytes(stale))) {
      await change((table) => dropIndexes(table, stale))
      continue
    }
    const batch = takeBatch(holed, Math.min(free, maxBytes))
    if (batch.length === 0) throw new ApiError('insufficient_storage')
    try {
      await change((table) => moveRows(table, batch))
    } catch (error) {
      if (!isStorageFull(error) || batch.length === 1) throw error
      maxBytes = estimateBytes(batch) / 2
    }
  }
}

/** True if each fragment fits after the previous ones have freed their space. */
function fitSequentially(fragments: readonly Fragment[], freeBytes: number): boolean {
  let free = freeBytes
  for (const fragment of smallestFirst(fragments)) {
    const need = estimateBytes([fragment])
    if (need > free) return false
    free += fragment.bytes - need
  }
  return true
}

/** Fragments that fit together, smallest first; empty if not even the smallest fits. */
function takeBatch(fragments: readonly Fragment[], maxBytes: number): Fragment[] {
  const batch: Fragment[] = []
  for (const fragment of smallestFirst(fragments).slice(0, MAX_MOVED.fragments)) {
    if (estimateBytes([...batch, fragment]) > maxBytes) break
    batch.push(fragment)
  }
  return batch
}

function smallestFirst(fragments: readonly Fragment[]): Fragment[] {
  return [...fragments].sort((one, other) => estimateBytes([one]) - estimateBytes([other]))
}

function estimateBytes(fragments: readonly Fragment[]): number {
  return fragments.reduce(
    (sum, { rows, deletedRows, bytes }) => sum + GROWTH_FACTOR * bytes * (1 - deletedRows / rows),
    0,
  )
}

function sumBytes(indexes: readonly IndexPart[]): number {
  return indexes.reduce((sum, { bytes }) => sum + bytes, 0)
}

/**
 * Lexical search needs an index of words. So an empty index replaces it, which maintenance fills.
 */
async function dropIndexes(table: Table, indexes: readonly IndexPart[]): Promise<void> {
  for (const name of new Set(indexes.map(({ name }) => name))) {
    if (name === TERMS_INDEX)
      await table.createIndex('terms', { config: termsIndexConfig(), replace: true, train: false })
    else await table.dropIndex(name)
  }
}

/**
 * Moves the remaining rows of these fragments into a new one, in one commit that deletes the old
 * fragments.
 */
async function moveRows(table: Table, fragments: readonly Fragment[]): Promise<void> {
  const where = fragments.map(({ id }) => `(${rowIdRange(id)})`).join(' OR ')
  await table.update({ where, valuesSql: { kind: 'kind' } })
}

/**
 * Deletes old versions of a memory file from disk. Lance does so at the end of an optimize, which
 * rewrites the table first: on a full disk it fails before that. This code writes nothing.
 */
const DATA = 'data'
const DELETIONS = '_deletions'
const INDICES = '_indices'
const TRANSACTIONS = '_transactions'
const VERSIONS = '_versions'
/** The name of a transaction file starts with the version at which the transaction began. */
const TRANSACTION = /^(\d+)-/

/**
 * Deletes every version before `oldest`, and every file that no remaining version names. There must
 * be no concurrent writer, and `oldest` must be flushed. Readers of older versions fail. Returns
 * the number of deleted files. If a remaining version is unreadable, rejects and deletes nothing.
 */
export async function deleteVersionsBefore(folder: string, name: string, oldest: number): Promise<number> {
  const versions = openVersionFolder(folder)
  const standing = await versions.list(name)
  const kept = new Set<string>()
  for (const version of standing.filter((version) => version >= oldest)) {
    const { files, indexes } = readManifest(await versions.read(name, version))
    for (const path of files.keys()) kept.add(path)
    for (const index of indexes) kept.add(index.folder)
  }
  const root = join(folder, `${name}.lance`)
  // Versions first: a version must never exist without its files.
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

/** Lance reads the transactions since the version at which a commit began. */
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

/** Fragments with deleted rows, and deleted fragments that indexes still contain. */
function listFragmentsToPurge({ fragments, indexes }: Manifest): Set<number> {
  const there = new Set(fragments.map(({ id }) => id))
  const marked = fragments.filter(({ deletedRows }) => deletedRows > 0).map(({ id }) => id)
  const gone = indexes.flatMap(({ fragmentIds }) => [...fragmentIds].filter((id) => !there.has(id)))
  return new Set([...marked, ...gone])
}

/** The condition that selects the rows of a fragment, by Lance's numbering. */
export function rowIdRange(fragmentId: number): string {
  const first = BigInt(fragmentId) << 32n
  return `_rowid >= ${first} AND _rowid < ${first + (1n << 32n)}`
}

/**
 * Lance only marks rows as deleted: the bytes stay until the file is rewritten. An optimize
 * rewrites a file with a tenth of its rows deleted, or joins files. For other files, deps a
 * single row creates a fragment to join. An index keeps the words of a deleted fragment until it is
 * rebuilt.
 */
/** Dependencies of the rewrite beside the table. */
type RewriteDeps = {
  readNewest(): Promise<Manifest>
  /** Compacts the table; false if other writes came in between. */
  compact(): Promise<boolean>
  /** Runs work that excludes other writes of this process. */
  inTurn(work: () => Promise<void>): Promise<void>
  /** Rebuilds an index, or drops it if the table is too small. */
  rebuildIndex(name: string): Promise<void>
}

/** Lance joins fragments up to this size. https://docs.rs/lance, CompactionOptions */
export const MAX_JOINED_ROWS = 1024 * 1024

/**
 * Only fragments of the same indexes are joined, and a vector index contains new rows two rounds
 * later than a full-text index.
 */
const ROUNDS = { touch: 1, move: 5, last: 8 } as const

/**
 * Rewrites the files and indexes that contain deleted rows, without these rows. Returns the first
 * version that contains nothing of these rows; `null` if other writes came in between each time.
 */
export async function purgeDeletedRows(table: Table, deps: RewriteDeps): Promise<number | null> {
  const { readNewest, compact, inTurn, rebuildIndex } = deps
  let manifest = await readNewest()
  const toPurge = listFragmentsToPurge(manifest)
  let isUndisturbed = true
  const compactAgain = async () => {
    isUndisturbed = await compact()
  }
  for (let round = 0; round < ROUNDS.last; round += 1) {
    const holed = manifest.fragments.filter(({ id }) => toPurge.has(id))
    const stale = manifest.indexes.filter(({ fragmentIds }) => [...fragmentIds].some((id) => toPurge.has(id)))
    if (holed.length === 0 && stale.length === 0) return manifest.version
    if (holed.length === 0) for (const name of new Set(stale.map(({ name }) => name))) await rebuildIndex(name)
    else {
      if (round === ROUNDS.touch || round === ROUNDS.move)
        await inTurn(() => rewriteRows(table, holed, round === ROUNDS.move))
      await (isUndisturbed ? compactAgain() : inTurn(compactAgain))
    }
    manifest = await readNewest()
  }
  return null
}

/** Rewrites one row of each fragment, or all rows, into new fragments. */
async function rewriteRows(table: Table, fragments: readonly Fragment[], areAll: boolean): Promise<void> {
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
