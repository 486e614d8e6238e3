import type { Connection, Table } from '@lancedb/lancedb'
import type { Inspection } from '../memory-file.ts'
import { TERMS_INDEX } from '../open-tables.ts'
import { readNewestManifest } from '../version-files.ts'
import { type MaintenanceOptions, renewIndex, VERSION_GRACE_MS } from './compaction.ts'
import { createDiskRoom, type DiskRoomDeps, flushNewest, readNewest } from './disk-room.ts'
import { rewriteRemoved } from './reclaim.ts'

/** Maintenance of memory files beside their writes, one operation at a time per file. */
export type TableMaintenance = {
  /** See `MemoryFile.maintain`. */
  maintain(memoryId: string, signal?: AbortSignal): Promise<void>
  /** See `MemoryFile.rewriteRemoved`. */
  rewriteRemoved(memoryId: string): Promise<number | null>
  /** See `MemoryFile.dropVersionsBefore`. */
  dropVersionsBefore(memoryId: string, version: number): Promise<boolean>
  /** See `MemoryFile.reclaim`. */
  reclaim(memoryId: string): Promise<number | null>
  /** See `MemoryFile.inspect`. */
  inspect(memoryId: string): Promise<Inspection | null>
  /** See `MemoryFile.renewIndexes`. */
  renewIndexes(memoryId: string): Promise<void>
  /** Records a failed commit, after a conflict or on a full disk, whose files no version names. */
  noteOrphans(memoryId: string): void
  forget(memoryId: string): void
}

/** Dependencies of the maintenance. */
export type TableMaintenanceDeps = Omit<DiskRoomDeps, 'take' | 'noteOrphans' | 'rewriteRemoved'> & {
  connection: Connection
  vectorIndexRows: number
  now: () => Date
}

/** Creates the maintenance. */
export function createTableMaintenance(parts: TableMaintenanceDeps): TableMaintenance {
  const { versions, compaction, vectorIndexRows, folder } = parts
  const take = createTake(parts)
  const orphans = createOrphanTracker(parts.now)
  const noteOrphans = (memoryId: string) => {
    room.forget(memoryId)
    orphans.note(memoryId)
  }
  const forget = (memoryId: string) => {
    room.forget(memoryId)
    orphans.forget(memoryId)
  }
  const rewriteFile = (memoryId: string) => take<number | null>(memoryId, 0, (table) => rewriteTable(memoryId, table))
  const room = createDiskRoom({ ...parts, take, noteOrphans, rewriteRemoved: rewriteFile })

  const maintainTable = createTableCompaction(parts, { requireToOrder: room.requireToOrder, noteOrphans })

  function rewriteTable(memoryId: string, table: Table): Promise<number | null> {
    return rewriteRemoved(table, {
      readNewest: () => readNewest(versions, memoryId),
      tend: () => maintainTable(memoryId, table),
      inTurn: (work) => parts.inTurn(memoryId, work),
      renewIndex: (name) => renewIndex(table, name, vectorIndexRows),
    })
  }

  async function clean(memoryId: string, table: Table): Promise<void> {
    await maintainTable(memoryId, table)
    if (folder === null || !orphans.areDue(memoryId)) return
    await parts.inTurn(memoryId, async () => {
      // Compacts the writes made since, so that the cleanup creates no newer version.
      await maintainTable(memoryId, table)
      await maintainTable(memoryId, table, { isAlone: true })
    })
    orphans.noteSwept(memoryId)
  }

  return {
    async maintain(memoryId, signal) {
      await room.make(memoryId)
      const tended = await take<boolean | null>(memoryId, null, (table) => maintainTable(memoryId, table, { signal }))
      if (tended !== null) return
      // Another process dropped the file, which would otherwise stay due forever.
      compaction.forget(memoryId)
      forget(memoryId)
    },
    async rewriteRemoved(memoryId) {
      await room.make(memoryId)
      return rewriteFile(memoryId)
    },
    reclaim: room.reclaim,
    async dropVersionsBefore(memoryId, version) {
      await room.make(memoryId)
      await take(memoryId, undefined, (table) => clean(memoryId, table))
      return (await versions.list(memoryId)).every((standing) => standing >= version)
    },
    ...createIndexCare(parts),
    noteOrphans,
    forget,
  }
}

type CompactTable = (
  memoryId: string,
  table: Table,
  how?: Pick<MaintenanceOptions, 'isAlone' | 'signal'>,
) => Promise<boolean>

/** Compacts a table; false if another commit came first. */
function createTableCompaction(
  parts: TableMaintenanceDeps,
  {
    requireToOrder,
    noteOrphans,
  }: Pick<ReturnType<typeof createDiskRoom>, 'requireToOrder'> & Pick<TableMaintenance, 'noteOrphans'>,
): CompactTable {
  return async (memoryId, table, how = {}) => {
    const newest = await flushNewest(parts, memoryId)
    await requireToOrder(newest)
    let conflicts = 0
    const onConflict = () => {
      conflicts += 1
      noteOrphans(memoryId)
    }
    try {
      await parts.compaction.maintain(memoryId, table, { ...how, newest, onConflict })
    } catch (error) {
      noteOrphans(memoryId)
      throw error
    }
    return conflicts === 0
  }
}

function createIndexCare({
  connection,
  tables,
  versions,
  disk,
  vectorIndexRows,
}: TableMaintenanceDeps): Pick<TableMaintenance, 'inspect' | 'renewIndexes'> {
  return {
    async inspect(memoryId) {
      await tables.refresh(memoryId)
      const manifest = await readNewestManifest(versions, memoryId)
      if (manifest === null) return null
      const hasTermsIndex = manifest.indexes.some(({ name }) => name === TERMS_INDEX)
      return { hasTermsIndex, areIndexesReadable: await asItIs(connection, memoryId, canListIndexes) }
    },
    async renewIndexes(memoryId) {
      // Lance lists no index if one is unreadable.
      const names = (await readNewestManifest(versions, memoryId))?.indexes.map(({ name }) => name) ?? []
      const renewed = asItIs(connection, memoryId, async (table) => {
        for (const name of new Set([TERMS_INDEX, ...names])) await renewIndex(table, name, vectorIndexRows)
        await disk.all(memoryId, await table.version())
      })
      // An open handle does not see the rebuilt indexes.
      await renewed.finally(() => tables.forget(memoryId))
    },
  }
}

/**
 * Runs work on the table and flushes its writes, also after a failure: an earlier commit may refer
 * to a truncated file. Returns `absent` if there is no table.
 */
function createTake({ tables, disk }: TableMaintenanceDeps): DiskRoomDeps['take'] {
  return async (memoryId, absent, work) => {
    const done = await tables.use(memoryId, async (table) => {
      const flush = async () => disk.all(memoryId, await table.version())
      try {
        const value = await work(table)
        await flush()
        return { value }
      } catch (error) {
        await flush().catch(() => undefined)
        throw error
      }
    })
    return done === null ? absent : done.value
  }
}

/** Runs work on a separate handle. The usual open repairs the table, or fails. */
async function asItIs<Value>(
  connection: Connection,
  memoryId: string,
  work: (table: Table) => Promise<Value>,
): Promise<Value> {
  const table = await connection.openTable(memoryId)
  try {
    return await work(table)
  } finally {
    table.close()
  }
}

function canListIndexes(table: Table): Promise<boolean> {
  return table.listIndices().then(
    () => true,
    () => false,
  )
}

/**
 * Times at which files were written that no version names, by conflicts and by an earlier process.
 * They are deleted once as old as a deletable version.
 */
function createOrphanTracker(now: () => Date) {
  const startedMs = now().getTime()
  const times = new Map<string, { oldestMs: number; newestMs: number }>()
  const timesOf = (name: string) => times.get(name) ?? { oldestMs: startedMs, newestMs: startedMs }
  const isOld = (ms: number) => ms + VERSION_GRACE_MS <= now().getTime()
  return {
    note(name: string): void {
      const nowMs = now().getTime()
      times.set(name, { oldestMs: Math.min(nowMs, timesOf(name).oldestMs), newestMs: nowMs })
    },
    areDue: (name: string) => isOld(timesOf(name).oldestMs),
    noteSwept(name: string): void {
      const { newestMs } = timesOf(name)
      times.set(name, { oldestMs: isOld(newestMs) ? Infinity : newestMs, newestMs })
    },
    forget: (name: string) => void times.delete(name),
  }
}
