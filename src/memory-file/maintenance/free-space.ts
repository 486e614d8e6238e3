import type { Table } from '@lancedb/lancedb'
import { ApiError, isOutOfRoom } from '../../errors.ts'
import { DISK_RESERVE_BYTES } from '../../limits.ts'
import type { DiskSync } from '../durability.ts'
import type { Fragment, Manifest } from '../manifest.ts'
import { type OpenTables, TERMS_INDEX } from '../open-tables.ts'
import { isStorageFull } from '../store-errors.ts'
import { readNewestManifest, type VersionFiles } from '../version-files.ts'
import type { Compaction } from './compaction.ts'
import { deleteVersionsBefore, MAX_JOINED_ROWS, purgeWithinSpace } from './reclaim.ts'

/** Searches take seconds at most; a longer reader starts again. */
const READERS_TIMEOUT_MS = 10_000
const MEGABYTE = 1024 * 1024

/** The log message, which states how much space to free. */
function describeMissingSpace(missingBytes: number): string {
  const missing = Math.ceil(missingBytes / MEGABYTE).toLocaleString('en')
  return (
    'The disk has too little space to compact a memory file, which is rewritten before the old files are deleted. ' +
    `Free ${missing} MB. Until then searches in the memory are slower, since new rows are not indexed.`
  )
}

/** Disk space of memory files. */
type DiskSpace = {
  /**
   * Rejects with `insufficient_storage` if an optimize of this version would write more than the
   * free space.
   */
  requireForCompaction(newest: Manifest): Promise<void>
  /**
   * If there is too little space for an optimize, deletes old versions early. Must not be called
   * while a table of the file is in use: it waits for its users.
   */
  freeForCompaction(memoryId: string): Promise<void>
  /** See `MemoryFile.reclaimSpace`. */
  reclaimSpace(memoryId: string): Promise<number | null>
  /** Call when files may exist that no version names, or when the memory file is dropped. */
  forget(memoryId: string): void
}

/** Dependencies of the disk space management. */
export type DiskSpaceDeps = {
  tables: OpenTables
  versions: VersionFiles
  compaction: Compaction
  disk: DiskSync
  /**
   * Directory of memory files on disk, which no other process writes to, so that files that no
   * version names are garbage. `null` for a bucket.
   */
  folder: string | null
  freeBytes(): Promise<number>
  /** Runs work in the write queue of the memory. */
  inTurn(memoryId: string, work: () => Promise<void>): Promise<void>
  /** Runs work on the table and flushes its writes; returns `absent` if there is no table. */
  useAndFlush<Value>(memoryId: string, absent: Value, work: (table: Table) => Promise<Value>): Promise<Value>
  /** Rewrites files with deleted rows as maintenance does, which keeps the indexes. */
  purgeDeletedRows(memoryId: string): Promise<unknown>
  /** Called after a failed commit. */
  recordOrphans(memoryId: string): void
}

/** Version at which a state was reached, by memory file. */
type VersionByFile = Map<string, number>

/** Creates the disk space management. */
export function createDiskSpace(deps: DiskSpaceDeps): DiskSpace {
  const { tables, versions, freeBytes } = deps
  /** Versions of files that have no old versions and no orphans. */
  const singleVersionAt: VersionByFile = new Map()
  /**
   * Versions of files that have nothing to reclaim, and whose maintenance state was loaded again.
   */
  const reclaimedAt: VersionByFile = new Map()
  const deleteOldVersions = createOldVersionDeletion(deps, singleVersionAt)

  async function missingForCompaction(newest: Manifest): Promise<number> {
    return estimateOptimizeBytes(newest) + DISK_RESERVE_BYTES - (await freeBytes())
  }

  async function hasSpaceForCompaction(newest: Manifest): Promise<boolean> {
    return (await missingForCompaction(newest)) <= 0
  }

  return {
    async requireForCompaction(newest) {
      const missing = await missingForCompaction(newest)
      if (missing > 0) throw new ApiError('insufficient_storage', { message: describeMissingSpace(missing) })
    },
    async freeForCompaction(memoryId) {
      const newest = await tables.use(memoryId, () => readNewestManifest(versions, memoryId))
      if (newest !== null && !(await hasSpaceForCompaction(newest))) await deleteOldVersions(memoryId)
    },
    reclaimSpace: createReclaim(deps, {
      tidyAt: singleVersionAt,
      reclaimedAt,
      hasRoomToOrder: hasSpaceForCompaction,
      deleteOldVersions,
    }),
    forget(memoryId) {
      singleVersionAt.delete(memoryId)
      reclaimedAt.delete(memoryId)
    },
  }
}

type ReclaimSteps = {
  tidyAt: VersionByFile
  reclaimedAt: VersionByFile
  hasRoomToOrder(newest: Manifest): Promise<boolean>
  deleteOldVersions(memoryId: string): Promise<void>
}

/** See `MemoryFile.reclaimSpace`. */
function createReclaim(deps: DiskSpaceDeps, steps: ReclaimSteps): DiskSpace['reclaimSpace'] {
  const { tables, versions, compaction, folder, freeBytes } = deps
  const { tidyAt, reclaimedAt, hasRoomToOrder, deleteOldVersions } = steps

  /** If the rewrite still runs out of space, smaller steps follow. */
  async function rewriteIfSpace(memoryId: string, newest: Manifest): Promise<void> {
    if (!(await hasRoomToOrder(newest))) return
    try {
      await deps.purgeDeletedRows(memoryId)
    } catch (error) {
      if (!isOutOfRoom(error) && !isStorageFull(error)) throw error
    }
  }

  /** Reloads the maintenance state from the table. False on failure. */
  async function reloadState(memoryId: string): Promise<boolean> {
    compaction.forget(memoryId)
    try {
      await tables.use(memoryId, (table) => compaction.loadPending(memoryId, table))
      return true
    } catch {
      // This error would hide the failure of the reclaim itself. The next round retries.
      return false
    }
  }

  async function change(memoryId: string, work: (table: Table) => Promise<void>): Promise<void> {
    try {
      await deps.inTurn(memoryId, () => deps.useAndFlush(memoryId, undefined, work))
    } catch (error) {
      deps.recordOrphans(memoryId)
      throw error
    }
  }

  return async (memoryId) => {
    if (folder === null) return null
    const before = reclaimedAt.get(memoryId)
    // Avoids opening the table: there may be thousands, and this runs every few seconds.
    if (before !== undefined && (await readNewestManifest(versions, memoryId))?.version === before) return before
    if ((await tables.use(memoryId, async () => true)) === null) return 0
    let version: number | null = null
    try {
      version = await purgeWithinSpace({
        readNewest: () => readNewest(versions, memoryId),
        rewriteWithRoom: (newest) => rewriteIfSpace(memoryId, newest),
        deleteOldVersions: () => deleteOldVersions(memoryId),
        freeBytes,
        change: (work) => change(memoryId, work),
      })
      return version
    } finally {
      const isLookedInto = await reloadState(memoryId)
      if (version !== null && isLookedInto && tidyAt.get(memoryId) === version) reclaimedAt.set(memoryId, version)
    }
  }
}

/**
 * Deletes all versions but the newest once no reader uses them, and all files that no version
 * names.
 */
function createOldVersionDeletion(deps: DiskSpaceDeps, tidyAt: VersionByFile): (memoryId: string) => Promise<void> {
  const { tables, folder } = deps
  return async (memoryId) => {
    if (folder === null) return
    const { version, indexes } = await flushNewest(deps, memoryId)
    if (tidyAt.get(memoryId) === version) return
    // Opening a table without this index creates it, and no version names its files yet.
    if (!indexes.some(({ name }) => name === TERMS_INDEX)) return
    await tables.forgetAndDrain(memoryId, READERS_TIMEOUT_MS)
    await deps.inTurn(memoryId, async () => {
      await deleteVersionsBefore(folder, memoryId, version)
      tidyAt.set(memoryId, version)
    })
  }
}

/**
 * Flushes and returns the newest version: the state after a power failure until a newer one is
 * flushed.
 */
export async function flushNewest(
  { versions, disk }: Pick<DiskSpaceDeps, 'versions' | 'disk'>,
  memoryId: string,
): Promise<Manifest> {
  const newest = await readNewest(versions, memoryId)
  await disk.all(memoryId, newest.version)
  return newest
}

/** The manifest of the newest version. Rejects if the memory file is missing. */
export async function readNewest(versions: VersionFiles, memoryId: string): Promise<Manifest> {
  const manifest = await readNewestManifest(versions, memoryId)
  // Worded as Lance does, so that the handle is forgotten as for Lance's own error.
  if (manifest === null) throw new Error(`the table of ${memoryId} was not found`)
  return manifest
}

/**
 * A fragment with a larger share of deleted rows is rewritten. https://docs.rs/lance,
 * CompactionOptions
 */
const REMOVED_SHARE = 0.1
/** An index is written twice: first with the new row ids of moved rows, then with new rows. */
const INDEX_WRITES = 2
/** Bytes of an index relative to the rows added to it. Measured: a quarter to a half. */
const INDEX_SHARE = 0.5

/**
 * Maximum bytes that an optimize writes before it deletes anything. An optimize joins neighbouring
 * fragments of the same indexes, then updates the indexes.
 */
export function estimateOptimizeBytes(manifest: Manifest): number {
  const { fragments, indexes } = manifest
  const moved = listJoinGroups(manifest).filter((bin) => bin.length > 1 || bin.some(needsRewrite))
  const movedBytes = sum(moved.flat().map(({ bytes, rows, deletedRows }) => bytes * (1 - deletedRows / rows)))
  const known = new Set(indexes.flatMap(({ name, fragmentIds }) => (name === TERMS_INDEX ? [...fragmentIds] : [])))
  const newBytes = sum(fragments.map(({ id, bytes }) => (known.has(id) ? 0 : bytes)))
  if (movedBytes === 0 && newBytes === 0) return 0
  return movedBytes + INDEX_WRITES * sum(indexes.map(({ bytes }) => bytes)) + INDEX_SHARE * newBytes
}

/** Neighbouring fragments that an optimize would join. */
function listJoinGroups({ fragments, indexes }: Manifest): Fragment[][] {
  const bins: Fragment[][] = []
  let before: string | null = null
  for (const fragment of fragments) {
    const isJoined = fragment.rows < MAX_JOINED_ROWS || needsRewrite(fragment)
    const kind = isJoined ? indexes.map(({ fragmentIds }) => Number(fragmentIds.has(fragment.id))).join('') : null
    const bin = bins.at(-1)
    if (kind !== null && kind === before && bin !== undefined) bin.push(fragment)
    else if (kind !== null) bins.push([fragment])
    before = kind
  }
  return bins
}

function needsRewrite({ rows, deletedRows }: Fragment): boolean {
  return deletedRows > rows * REMOVED_SHARE
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
