import type { Connection, Table } from '@lancedb/lancedb'
import type { DiskSync } from '../durability.ts'
import type { Inspection } from '../memory-file.ts'
import { TERMS_INDEX } from '../open-tables.ts'
import { readNewestManifest } from '../version-files.ts'
import { type MaintenanceOptions, renewIndex, VERSION_GRACE_MS } from './compaction.ts'
import { createDiskRoom, type DiskRoomDeps, flushNewest, readNewest } from './disk-room.ts'
import { rewriteRemoved } from './rewrite-removed.ts'

/** What is done to memory files beside their writes; one thing at a time each. */
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
  /** A commit came to nothing, since another came before it or there was no room, and its files stand and are named by no version. */
  noteOrphans(memoryId: string): void
  forget(memoryId: string): void
}

/** What it works with. */
export type TableMaintenanceDeps = Omit<DiskRoomDeps, 'take' | 'noteOrphans' | 'rewriteRemoved'> & {
  connection: Connection
  vectorIndexRows: number
  now: () => Date
}

/** The care over these parts. */
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

  /** False where another commit came before. */
  async function maintainTable(
    memoryId: string,
    table: Table,
    how: Pick<MaintenanceOptions, 'isAlone' | 'signal'> = {},
  ): Promise<boolean> {
    const newest = await flushNewest(parts, memoryId)
    await room.requireToOrder(newest)
    let conflicts = 0
    const onConflict = () => {
      conflicts += 1
      noteOrphans(memoryId)
    }
    try {
      await compaction.maintain(memoryId, table, { ...how, newest, onConflict })
    } catch (error) {
      noteOrphans(memoryId)
      throw error
    }
    return conflicts === 0
  }

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
      // What was written since, so that nothing newer is made beside the sweeping.
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
      // Dropped by another process: it would be due for ever.
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
      // Lance lists no index where one cannot be read.
      const names = (await readNewestManifest(versions, memoryId))?.indexes.map(({ name }) => name) ?? []
      const renewed = asItIs(connection, memoryId, async (table) => {
        for (const name of new Set([TERMS_INDEX, ...names])) await renewIndex(table, name, vectorIndexRows)
        await disk.all(memoryId, await table.version())
      })
      // An open handle knows nothing of what was made anew.
      await renewed.finally(() => tables.forget(memoryId))
    },
  }
}

/** Does work on the table and forces to the disk what it wrote; `absent` where there is no table. */
function createTake({ tables, disk }: TableMaintenanceDeps): DiskRoomDeps['take'] {
  return async (memoryId, absent, work) => {
    const done = await tables.use(memoryId, async (table) => ({ value: await flushed(disk, memoryId, table, work) }))
    return done === null ? absent : done.value
  }
}

/** Does work on a table and forces what it wrote to the disk, also where it fails: what it committed before may stand on a file that found no room. */
async function flushed<Value>(
  disk: DiskSync,
  memoryId: string,
  table: Table,
  work: (table: Table) => Promise<Value>,
): Promise<Value> {
  const flush = async () => disk.all(memoryId, await table.version())
  try {
    const value = await work(table)
    await flush()
    return value
  } catch (error) {
    await flush().catch(() => undefined)
    throw error
  }
}

/** Does work on a table of its own, which is not opened as others are: that would mend it, or fail. */
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

/** When files were written that no version names: by conflicts, and by a process before this one. They are swept when they are as old as a version that goes. */
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
