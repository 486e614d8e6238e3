import type { Table } from '@lancedb/lancedb'
import { ApiError, isOutOfRoom } from '../../errors.ts'
import { DISK_RESERVE_BYTES } from '../../limits.ts'
import type { DiskSync } from '../durability.ts'
import type { Fragment, Manifest } from '../manifest.ts'
import { type OpenTables, TERMS_INDEX } from '../open-tables.ts'
import { isFull } from '../store-errors.ts'
import { readNewestManifest, type VersionFiles } from '../version-files.ts'
import type { Compaction } from './compaction.ts'
import { dropVersionsBefore, reclaim } from './reclaim.ts'

/** Searches take seconds at most; whoever reads for longer begins anew. */
const READERS_PATIENCE_MS = 10_000
const MEGABYTE = 1024 * 1024

/** What the log says of it: whoever runs the service sees how much to make free. */
function noRoomToOrder(missingBytes: number): string {
  const missing = Math.ceil(missingBytes / MEGABYTE).toLocaleString('en')
  return `The disk has too little room to put a memory file in order, since it is written anew beside itself. Until ${missing} MB more are free, searches in it read rows that no index knows, which takes longer.`
}

/** The room that memory files take of a disk. */
type DiskRoom = {
  /** Rejects with `insufficient_storage` where an optimize of this version would write more than there is room for. */
  requireToOrder(newest: Manifest): Promise<void>
  /** Where there is too little for that, old versions go before their time. Not to be called where a table of it is in use, which would be waited for. */
  make(memoryId: string): Promise<void>
  /** See `MemoryFile.reclaim`. */
  reclaim(memoryId: string): Promise<number | null>
  /** Files may stand that no version names, or the memory file is gone. */
  forget(memoryId: string): void
}

/** What it works with. */
export type DiskRoomDeps = {
  tables: OpenTables
  versions: VersionFiles
  compaction: Compaction
  disk: DiskSync
  /** Where memory files lie on a disk, and no other process writes to them, so that what no version names there is of nobody; `null`: in a bucket. */
  folder: string | null
  freeBytes(): Promise<number>
  /** Does work in the turn of the memory's writes. */
  inTurn(memoryId: string, work: () => Promise<void>): Promise<void>
  /** Does work on the table and forces to the disk what it wrote; `absent` where there is no table. */
  take<Value>(memoryId: string, absent: Value, work: (table: Table) => Promise<Value>): Promise<Value>
  /** Writes anew what holds removed rows as upkeep does, which keeps its indexes. */
  rewriteRemoved(memoryId: string): Promise<unknown>
  /** Told of a commit that came to nothing. */
  noteOrphans(memoryId: string): void
}

/** The room over these parts. */
export function createDiskRoom(parts: DiskRoomDeps): DiskRoom {
  const { tables, versions, compaction, folder, freeBytes } = parts
  /** The versions of files beside which nothing else stands. */
  const tidyAt = new Map<string, number>()
  /** The versions of files that hold nothing to reclaim, and in which upkeep has looked for what is left to do. */
  const reclaimedAt = new Map<string, number>()

  async function missingToOrder(newest: Manifest): Promise<number> {
    return measureOptimize(newest) + DISK_RESERVE_BYTES - (await freeBytes())
  }

  async function hasRoomToOrder(newest: Manifest): Promise<boolean> {
    return (await missingToOrder(newest)) <= 0
  }

  /** What finds no room after all is left to whoever takes less of it at a time. */
  async function rewriteWithRoom(memoryId: string, newest: Manifest): Promise<void> {
    if (!(await hasRoomToOrder(newest))) return
    try {
      await parts.rewriteRemoved(memoryId)
    } catch (error) {
      if (!isOutOfRoom(error) && !isFull(error)) throw error
    }
  }

  /** Has upkeep read from the table what is left to do; false where it could not. */
  async function lookAnew(memoryId: string): Promise<boolean> {
    compaction.forget(memoryId)
    try {
      await tables.use(memoryId, (table) => compaction.loadPending(memoryId, table))
      return true
    } catch {
      // It would take the place of what reclaiming failed of, by which more room is given up; the next round looks again.
      return false
    }
  }

  /** Takes all versions away but the newest, when nobody reads them any more, and what no version names. */
  async function dropOldVersions(memoryId: string): Promise<void> {
    if (folder === null) return
    const { version, indexes } = await flushNewest(parts, memoryId)
    if (tidyAt.get(memoryId) === version) return
    // Whoever opens a table that lacks it makes it, and its files are named by no version yet.
    if (!indexes.some(({ name }) => name === TERMS_INDEX)) return
    await tables.outlive(memoryId, READERS_PATIENCE_MS)
    await parts.inTurn(memoryId, async () => {
      await dropVersionsBefore(folder, memoryId, version)
      tidyAt.set(memoryId, version)
    })
  }

  async function change(memoryId: string, work: (table: Table) => Promise<void>): Promise<void> {
    try {
      await parts.inTurn(memoryId, () => parts.take(memoryId, undefined, work))
    } catch (error) {
      parts.noteOrphans(memoryId)
      throw error
    }
  }

  return {
    async requireToOrder(newest) {
      const missing = await missingToOrder(newest)
      if (missing > 0) throw new ApiError('insufficient_storage', { message: noRoomToOrder(missing) })
    },
    async make(memoryId) {
      const newest = await tables.use(memoryId, () => readNewestManifest(versions, memoryId))
      if (newest !== null && !(await hasRoomToOrder(newest))) await dropOldVersions(memoryId)
    },
    async reclaim(memoryId) {
      if (folder === null) return null
      const before = reclaimedAt.get(memoryId)
      // Without the table: there may be thousands, and this comes every few seconds.
      if (before !== undefined && (await readNewestManifest(versions, memoryId))?.version === before) return before
      if ((await tables.use(memoryId, async () => true)) === null) return 0
      let version: number | null = null
      try {
        version = await reclaim({
          readNewest: () => readNewest(versions, memoryId),
          rewriteWithRoom: (newest) => rewriteWithRoom(memoryId, newest),
          dropOldVersions: () => dropOldVersions(memoryId),
          freeBytes,
          change: (work) => change(memoryId, work),
        })
        return version
      } finally {
        const isLookedInto = await lookAnew(memoryId)
        if (version !== null && isLookedInto && tidyAt.get(memoryId) === version) reclaimedAt.set(memoryId, version)
      }
    },
    forget(memoryId) {
      tidyAt.delete(memoryId)
      reclaimedAt.delete(memoryId)
    },
  }
}

/** The newest version, forced to the disk: what a loss of power leaves while nothing newer is there. */
export async function flushNewest(
  { versions, disk }: Pick<DiskRoomDeps, 'versions' | 'disk'>,
  memoryId: string,
): Promise<Manifest> {
  const newest = await readNewest(versions, memoryId)
  await disk.all(memoryId, newest.version)
  return newest
}

/** The manifest of the newest version. Rejects where there is no such memory file. */
export async function readNewest(versions: VersionFiles, memoryId: string): Promise<Manifest> {
  const manifest = await readNewestManifest(versions, memoryId)
  // In Lance's words, so that the handle is forgotten as where Lance finds nothing.
  if (manifest === null) throw new Error(`the table of ${memoryId} was not found`)
  return manifest
}

/** Lance joins fragments up to this. https://docs.rs/lance, CompactionOptions */
export const MAX_JOINED_ROWS = 1024 * 1024
/** Of a fragment's rows; where more are removed, it is written anew by itself. https://docs.rs/lance, CompactionOptions */
const REMOVED_SHARE = 0.1
/** An index of moved rows is written with their new places first, then with new rows. */
const INDEX_WRITES = 2
/** What an index takes of the bytes of the rows that it learns of. Seen: a quarter to a half. */
const INDEX_SHARE = 0.5

/** The bytes that an optimize writes before it removes anything, at most: neighbours that the same indexes know are joined, and indexes learn of it. */
export function measureOptimize(manifest: Manifest): number {
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
    const isJoined = fragment.rows < MAX_JOINED_ROWS || isHoled(fragment)
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
