import type { Connection, Table } from '@lancedb/lancedb'
import type { Inspection } from '../memory-file.ts'
import { TERMS_INDEX } from '../open-tables.ts'
import { readNewestManifest } from '../version-files.ts'
import { type MaintenanceOptions, rebuildIndex, VERSION_GRACE_MS } from './compaction.ts'
import { createDiskSpace, type DiskSpaceDeps, flushNewest, readNewest } from './free-space.ts'
import { purgeDeletedRows } from './reclaim.ts'

/** Maintenance of memory files beside their writes, one operation at a time per file. */
export type TableMaintenance = {
  /** See `MemoryFile.maintain`. */
  maintain(memoryId: string, signal?: AbortSignal): Promise<void>
  /** See `MemoryFile.purgeDeletedRows`. */
  purgeDeletedRows(memoryId: string): Promise<number | null>
  /** See `MemoryFile.deleteVersionsBefore`. */
  deleteVersionsBefore(memoryId: string, version: number): Promise<boolean>
  /** See `MemoryFile.reclaimSpace`. */
  reclaimSpace(memoryId: string): Promise<number | null>
  /** See `MemoryFile.inspect`. */
  inspect(memoryId: string): Promise<Inspection | null>
  /** See `MemoryFile.rebuildIndexes`. */
  rebuildIndexes(memoryId: string): Promise<void>
  /** Records a failed commit, after a conflict or on a full disk, whose files no version names. */
  recordOrphans(memoryId: string): void
  forget(memoryId: string): void
}

/** Dependencies of the maintenance. */
export type TableMaintenanceDeps = Omit<DiskSpaceDeps, 'useAndFlush' | 'recordOrphans' | 'purgeDeletedRows'> & {
  connection: Connection
  vectorIndexRows: number
  now: () => Date
}

/** Creates the maintenance. */
export function createTableMaintenance(deps: TableMaintenanceDeps): TableMaintenance {
  const { versions, compaction, vectorIndexRows, folder } = deps
  const useAndFlush = createFlushedUse(deps)
  const orphans = createOrphanTracker(deps.now)
  const recordOrphans = (memoryId: string) => {
    space.forget(memoryId)
    orphans.note(memoryId)
  }
  const forget = (memoryId: string) => {
    space.forget(memoryId)
    orphans.forget(memoryId)
  }
  const purgeFile = (memoryId: string) =>
    useAndFlush<number | null>(memoryId, 0, (table) => purgeTable(memoryId, table))
  const space = createDiskSpace({ ...deps, useAndFlush, recordOrphans, purgeDeletedRows: purgeFile })

  const maintainTable = createTableCompaction(deps, { requireForCompaction: space.requireForCompaction, recordOrphans })

  function purgeTable(memoryId: string, table: Table): Promise<number | null> {
    return purgeDeletedRows(table, {
      readNewest: () => readNewest(versions, memoryId),
      compact: () => maintainTable(memoryId, table),
      inTurn: (work) => deps.inTurn(memoryId, work),
      rebuildIndex: (name) => rebuildIndex(table, name, vectorIndexRows),
    })
  }

  async function deleteOldVersionsAndOrphans(memoryId: string, table: Table): Promise<void> {
    await maintainTable(memoryId, table)
    if (folder === null || !orphans.areDue(memoryId)) return
    await deps.inTurn(memoryId, async () => {
      // Compacts the writes made since, so that the cleanup creates no newer version.
      await maintainTable(memoryId, table)
      await maintainTable(memoryId, table, { isAlone: true })
    })
    orphans.recordSweep(memoryId)
  }

  return {
    async maintain(memoryId, signal) {
      await space.freeForCompaction(memoryId)
      const hasCompacted = await useAndFlush<boolean | null>(memoryId, null, (table) =>
        maintainTable(memoryId, table, { signal }),
      )
      if (hasCompacted !== null) return
      // Another process dropped the file, which would otherwise stay due forever.
      compaction.forget(memoryId)
      forget(memoryId)
    },
    async purgeDeletedRows(memoryId) {
      await space.freeForCompaction(memoryId)
      return purgeFile(memoryId)
    },
    reclaimSpace: space.reclaimSpace,
    async deleteVersionsBefore(memoryId, version) {
      await space.freeForCompaction(memoryId)
      await useAndFlush(memoryId, undefined, (table) => deleteOldVersionsAndOrphans(memoryId, table))
      return (await versions.list(memoryId)).every((standing) => standing >= version)
    },
    ...createIndexMaintenance(deps),
    recordOrphans,
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
  deps: TableMaintenanceDeps,
  {
    requireForCompaction,
    recordOrphans,
  }: Pick<ReturnType<typeof createDiskSpace>, 'requireForCompaction'> & Pick<TableMaintenance, 'recordOrphans'>,
): CompactTable {
  return async (memoryId, table, how = {}) => {
    const newest = await flushNewest(deps, memoryId)
    await requireForCompaction(newest)
    let conflicts = 0
    const onConflict = () => {
      conflicts += 1
      recordOrphans(memoryId)
    }
    try {
      await deps.compaction.maintain(memoryId, table, { ...how, newest, onConflict })
    } catch (error) {
      recordOrphans(memoryId)
      throw error
    }
    return conflicts === 0
  }
}

function createIndexMaintenance({
  connection,
  tables,
  versions,
  disk,
  vectorIndexRows,
}: TableMaintenanceDeps): Pick<TableMaintenance, 'inspect' | 'rebuildIndexes'> {
  return {
    async inspect(memoryId) {
      await tables.refresh(memoryId)
      const manifest = await readNewestManifest(versions, memoryId)
      if (manifest === null) return null
      const hasTermsIndex = manifest.indexes.some(({ name }) => name === TERMS_INDEX)
      return { hasTermsIndex, areIndexesReadable: await withSeparateHandle(connection, memoryId, canListIndexes) }
    },
    async rebuildIndexes(memoryId) {
      // Lance lists no index if one is unreadable.
      const names = (await readNewestManifest(versions, memoryId))?.indexes.map(({ name }) => name) ?? []
      const renewed = withSeparateHandle(connection, memoryId, async (table) => {
        for (const name of new Set([TERMS_INDEX, ...names])) await rebuildIndex(table, name, vectorIndexRows)
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
function createFlushedUse({ tables, disk }: TableMaintenanceDeps): DiskSpaceDeps['useAndFlush'] {
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
async function withSeparateHandle<Value>(
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
    recordSweep(name: string): void {
      const { newestMs } = timesOf(name)
      times.set(name, { oldestMs: isOld(newestMs) ? Infinity : newestMs, newestMs })
    },
    forget: (name: string) => void times.delete(name),
  }
}
