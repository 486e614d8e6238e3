import type { Connection, MergeResult, Table } from '@lancedb/lancedb'
import type { Table as ArrowTable } from 'apache-arrow'
import { ApiError } from '../errors.ts'
import { reachStep } from '../observability/failpoints.ts'
import { documentPredicate } from './chunk-predicate.ts'
import { findLastRow } from './chunk-reads.ts'
import { readDimensions } from './chunk-schema.ts'
import { toChunkTable } from './chunk-table.ts'
import { inTurnsOf } from './chunk-turns.ts'
import { createDiskSync } from './disk-sync.ts'
import { FILES_OPENED, type FileGate } from './file-gate.ts'
import type { KeptRecords } from './kept-records.ts'
import { createLane, type Lane } from './lane.ts'
import type { ChunkRow, Inspection, RemoveOptions } from './memory-file.ts'
import type { OpenTables } from './open-tables.ts'
import { requireWritable } from './require-writable.ts'
import { retryConflicts } from './retry-conflicts.ts'
import { createSideWork, type SideWork } from './side-work.ts'
import { isConflict, isFull, isNotFound, otherVectors } from './store-errors.ts'
import { createTableCare, type TableCare } from './table-care.ts'
import { createTurns } from './turns.ts'
import type { Upkeep } from './upkeep.ts'
import type { VersionFiles } from './version-files.ts'

/** Everything that changes memory files, one write after the other in each. */
export type ChunkWriter = {
  /** `areNew`: none of their documents was ever written. */
  add(memoryId: string, chunks: readonly ChunkRow[], areNew: boolean): Promise<void>
  /** See `MemoryFile.remove`. */
  remove(memoryId: string, documentIds: readonly string[], options: RemoveOptions): Promise<void>
  /** Puts the file in order beside the writes; callers at the same time share one run. */
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
  /** Removes the file; what waits to be written is rejected with `memory_not_found`. */
  drop(memoryId: string): Promise<void>
  /** Resolves when nothing is being written. */
  idle(): Promise<void>
}

type Parts = {
  /** Where on a disk the memory files are; `null`: on none. */
  folder: string | null
  connection: Connection
  tables: OpenTables
  gate: FileGate
  upkeep: Upkeep
  versions: VersionFiles
  vectorIndexRows: number
  freeBytes: () => Promise<number>
  kept: Pick<KeptRecords, 'forget'>
  now: () => Date
}

/** The writer over these parts. Nothing resolves before it is durable. */
export function createChunkWriter({ folder, connection, tables, gate, upkeep, kept, ...parts }: Parts): ChunkWriter {
  const lanes = new Map<string, Lane>()
  // Opened anew, it sets such a version aside (`torn-version.ts`).
  const disk = createDiskSync(folder, tables.forget)
  const side = createSideWork()
  const turns = createTurns((memoryId, work) => laneOf(memoryId).run(work))
  // A folder is held by one process.
  const care = createTableCare({ ...parts, connection, tables, upkeep, disk, folder, inTurn: turns.take })

  const noteStray = (memoryId: string) => () => care.noteStray(memoryId)

  function laneOf(memoryId: string): Lane {
    const write: Commit = (...written) => commit(memoryId, ...written)
    const lane = lanes.get(memoryId) ?? createLane(inGate(gate, whereFull(write, noteStray(memoryId))))
    lanes.set(memoryId, lane)
    return lane
  }

  async function commit(memoryId: string, chunks: readonly ChunkRow[], areNew: boolean): Promise<void> {
    for await (const some of inTurnsOf(chunks)) for (const chunk of some) requireWritable(chunk)
    const rows = await toChunkTable(chunks)
    const dimensions = chunks[0]?.vector.length ?? 0
    if (await tables.use(memoryId, (table) => isInTheWay(table, dimensions))) await removeTable(memoryId)
    await tables.useOrMake(memoryId, rows.schema, async (table) => {
      const mergeRows = () => retryConflicts(() => merge(table, rows), noteStray(memoryId))
      const { version } = await (areNew ? append(table, rows, mergeRows) : mergeRows())
      if (!areNew) kept.forget(table)
      reachStep('memory-file:appended')
      await disk.commit(memoryId, version)
      await upkeep.noteCommit(memoryId, table, chunks.length)
    })
  }

  async function removeRows(memoryId: string, table: Table, predicate: string): Promise<void> {
    const { version } = await retryConflicts(() => table.delete(predicate), noteStray(memoryId))
    kept.forget(table)
    reachStep('memory-file:rows-removed')
    await disk.all(memoryId, version)
    await upkeep.noteCommit(memoryId, table, 0)
  }

  async function removeTable(memoryId: string): Promise<void> {
    const removal = () => tables.remove(memoryId, () => dropIfThere(connection, memoryId))
    await turns.remove(memoryId, () => side.do(memoryId, removal))
    upkeep.forget(memoryId)
    disk.forget(memoryId)
    care.forget(memoryId)
  }

  return {
    add: (memoryId, chunks, areNew) => laneOf(memoryId).add(chunks, areNew),
    async remove(memoryId, documentIds, { confirm }) {
      const predicate = documentPredicate(documentIds)
      const removal = (table: Table) => {
        const remove = (which: string) => removeRows(memoryId, table, which)
        return confirm ? removeStanding(table, predicate, { confirm, remove }) : remove(predicate)
      }
      const work = async () => void (await tables.use(memoryId, removal))
      await laneOf(memoryId).run(() => gate.run(FILES_OPENED.write, work))
    },
    ...besideWrites(side, care),
    async drop(memoryId) {
      const lane = laneOf(memoryId)
      lane.reject(new ApiError('memory_not_found'))
      await lane.run(async () => {
        await removeTable(memoryId)
        lanes.delete(memoryId)
      })
    },
    async idle() {
      await Promise.all([...lanes.values()].map((lane) => lane.idle()))
      await side.idle()
    },
  }
}

type Commit = (chunks: readonly ChunkRow[], areNew: boolean) => Promise<void>

/** The commit, `note` being told where it finds no room. */
function whereFull(commit: Commit, note: () => void): Commit {
  return async (...written) => {
    try {
      await commit(...written)
    } catch (error) {
      if (isFull(error)) note()
      throw error
    }
  }
}

/** What ran out of files may have written its chunks: repeated, they are merged, which does not double them. */
function inGate(gate: FileGate, commit: Commit): Commit {
  return (chunks, areNew) => gate.run(FILES_OPENED.write, (isRepeated) => commit(chunks, areNew && !isRepeated))
}

/** See `RemoveOptions`: what is written later stands behind all that stood before. So does what upkeep moves, which is looked for again. */
async function removeStanding(
  table: Table,
  predicate: string,
  { confirm, remove }: { confirm: () => Promise<boolean>; remove: (which: string) => Promise<void> },
): Promise<void> {
  for (;;) {
    const last = await findLastRow(table, predicate)
    if (last === null || !(await confirm())) return
    await remove(`${predicate} AND _rowid <= ${last}`)
  }
}

function besideWrites(
  side: SideWork,
  care: TableCare,
): Pick<ChunkWriter, 'maintain' | 'inspect' | 'renewIndexes' | 'rewriteRemoved' | 'dropVersionsBefore' | 'reclaim'> {
  return {
    maintain: (memoryId, signal) => side.share(memoryId, () => care.tend(memoryId, signal)),
    rewriteRemoved: (memoryId) => side.do(memoryId, () => care.rewriteRemoved(memoryId)),
    inspect: care.inspect,
    renewIndexes: (memoryId) => side.do(memoryId, () => care.renewIndexes(memoryId)),
    dropVersionsBefore: (memoryId, version) => side.do(memoryId, () => care.dropVersionsBefore(memoryId, version)),
    reclaim: (memoryId) => side.do(memoryId, () => care.reclaim(memoryId)),
  }
}

async function dropIfThere(connection: Connection, name: string): Promise<void> {
  try {
    await connection.dropTable(name)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** For chunks that stand nowhere; after a conflict they are merged, which could not double them. */
async function append(
  table: Table,
  rows: ArrowTable,
  mergeRows: () => Promise<{ version: number }>,
): Promise<{ version: number }> {
  try {
    return await table.add(rows)
  } catch (error) {
    if (!isConflict(error)) throw error
  }
  return mergeRows()
}

/** Chunks that stand there already are replaced. */
function merge(table: Table, rows: ArrowTable): Promise<MergeResult> {
  return table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows)
}

/**
 * True for an empty table made for vectors of another length, as an add that came to nothing may have left. Rejects with
 * `embedding_model_pinned` where it is not empty.
 */
async function isInTheWay(table: Table, dimensions: number): Promise<boolean> {
  const present = await readDimensions(table)
  if (present === dimensions) return false
  if ((await table.countRows()) === 0) return true
  throw otherVectors(present, dimensions)
}
