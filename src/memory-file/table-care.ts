import type { Connection, Table } from '@lancedb/lancedb'
import type { DiskSync } from './disk-sync.ts'
import type { Manifest } from './manifest/read-manifest.ts'
import type { Inspection } from './memory-file.ts'
import { type OpenTables, TERMS_INDEX } from './open-tables.ts'
import { rewriteRemoved } from './rewrite-removed.ts'
import { type Circumstances, renewIndex, type Upkeep, VERSION_GRACE_MS } from './upkeep.ts'
import { readNewestManifest, type VersionFiles } from './version-files.ts'

/** What is done to memory files beside their writes; one thing at a time each. */
export type TableCare = {
  /** See `MemoryFile.maintain`. */
  tend(memoryId: string, signal?: AbortSignal): Promise<void>
  /** See `MemoryFile.rewriteRemoved`. */
  rewriteRemoved(memoryId: string): Promise<number | null>
  /** See `MemoryFile.dropVersionsBefore`. */
  dropVersionsBefore(memoryId: string, version: number): Promise<boolean>
  /** See `MemoryFile.inspect`. */
  inspect(memoryId: string): Promise<Inspection | null>
  /** See `MemoryFile.renewIndexes`. */
  renewIndexes(memoryId: string): Promise<void>
  /** Another commit came before one of this process, whose files stand and are named by no version. */
  noteConflict(memoryId: string): void
  forget(memoryId: string): void
}

/** What it works with. */
export type TableCareParts = {
  connection: Connection
  tables: OpenTables
  versions: VersionFiles
  upkeep: Upkeep
  disk: DiskSync
  vectorIndexRows: number
  now: () => Date
  /** Whether no other process writes to the memory files, so that what no version names here is of nobody. */
  isOnlyWriter: boolean
  /** Does work in the turn of the memory's writes. */
  inTurn(memoryId: string, work: () => Promise<void>): Promise<void>
}

/** The care over these parts. */
export function createTableCare(parts: TableCareParts): TableCare {
  const { connection, tables, versions, upkeep, disk, vectorIndexRows } = parts
  const strays = createStrays(parts.now)

  /** False where another commit came before. */
  async function tendTable(
    memoryId: string,
    table: Table,
    how: Pick<Circumstances, 'isAlone' | 'signal'> = {},
  ): Promise<boolean> {
    const newest = await flushNewest(parts, memoryId)
    let conflicts = 0
    const onConflict = () => {
      conflicts += 1
      strays.note(memoryId)
    }
    try {
      await upkeep.carryOut(memoryId, table, { ...how, newest, onConflict })
    } catch (error) {
      strays.note(memoryId)
      throw error
    }
    return conflicts === 0
  }

  function rewriteTable(memoryId: string, table: Table): Promise<number | null> {
    return rewriteRemoved(table, {
      readNewest: () => readNewest(versions, memoryId),
      tend: () => tendTable(memoryId, table),
      inTurn: (work) => parts.inTurn(memoryId, work),
      renewIndex: (name) => renewIndex(table, name, vectorIndexRows),
    })
  }

  async function clean(memoryId: string, table: Table): Promise<void> {
    await tendTable(memoryId, table)
    if (!parts.isOnlyWriter || !strays.areDue(memoryId)) return
    await parts.inTurn(memoryId, async () => {
      // What was written since, so that nothing newer is made beside the sweeping.
      await tendTable(memoryId, table)
      await tendTable(memoryId, table, { isAlone: true })
    })
    strays.noteSwept(memoryId)
  }

  /** Does work on the table and forces to the disk what it wrote; `absent` where there is no table. */
  async function take<Value>(memoryId: string, absent: Value, work: (table: Table) => Promise<Value>): Promise<Value> {
    const done = await tables.use(memoryId, async (table) => ({ value: await flushed(disk, memoryId, table, work) }))
    return done === null ? absent : done.value
  }

  return {
    async tend(memoryId, signal) {
      const tended = await take<boolean | null>(memoryId, null, (table) => tendTable(memoryId, table, { signal }))
      if (tended !== null) return
      // Dropped by another process: it would be due for ever.
      upkeep.forget(memoryId)
      strays.forget(memoryId)
    },
    rewriteRemoved: (memoryId) => take<number | null>(memoryId, 0, (table) => rewriteTable(memoryId, table)),
    async dropVersionsBefore(memoryId, version) {
      await take(memoryId, undefined, (table) => clean(memoryId, table))
      return (await versions.list(memoryId)).every((standing) => standing >= version)
    },
    async inspect(memoryId) {
      await tables.lookForNewest(memoryId)
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
    noteConflict: strays.note,
    forget: strays.forget,
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

/** The newest version, forced to the disk: what a loss of power leaves while nothing newer is there. */
async function flushNewest({ versions, disk }: TableCareParts, memoryId: string): Promise<Manifest> {
  const newest = await readNewest(versions, memoryId)
  await disk.all(memoryId, newest.version)
  return newest
}

async function readNewest(versions: VersionFiles, memoryId: string): Promise<Manifest> {
  const manifest = await readNewestManifest(versions, memoryId)
  // In Lance's words, so that the handle is forgotten as where Lance finds nothing.
  if (manifest === null) throw new Error(`the table of ${memoryId} was not found`)
  return manifest
}

/** When files were written that no version names: by conflicts, and by a process before this one. They are swept when they are as old as a version that goes. */
function createStrays(now: () => Date) {
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
