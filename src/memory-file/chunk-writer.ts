import type { Connection, MergeResult, Table } from '@lancedb/lancedb'
import type { Table as ArrowTable } from 'apache-arrow'
import { createGroupCommitQueue, type GroupCommitQueue } from '../concurrency/group-commit.ts'
import { createKeyedMutex } from '../concurrency/keyed-mutex.ts'
import { ApiError } from '../errors.ts'
import { reachStep } from '../observability/failpoints.ts'
import { documentPredicate, requireDocumentId, requireFileName, requireWritable } from './chunk-predicate.ts'
import { findLastRow } from './chunk-reader.ts'
import { batchesWithYield, readDimensions, toChunkTable } from './chunk-table.ts'
import type { DatasetPlace } from './dataset-place.ts'
import { createDiskSync } from './durability.ts'
import { FILES_OPENED, type FileGate } from './file-gate.ts'
import type { Compaction } from './maintenance/compaction.ts'
import { createTableMaintenance } from './maintenance/table-maintenance.ts'
import type { ChunkRow, MemoryFile } from './memory-file.ts'
import type { OpenTables } from './open-tables.ts'
import type { RecordCache } from './record-cache.ts'
import { isConflict, isFull, isNotFound, otherVectors, retryConflicts, throwStoreError } from './store-errors.ts'

/**
 * Limits of one commit: large enough to hide the fixed cost of a commit, and small enough to build
 * the table in about 10 ms.
 */
const COMMIT_LIMIT = { items: 1024, bytes: 8 * 1024 * 1024 } as const

/**
 * All changes to memory files. Writes to a file run one after another; maintenance runs beside
 * them.
 */
export type ChunkWriter = Pick<
  MemoryFile,
  | 'add'
  | 'remove'
  | 'drop'
  | 'maintain'
  | 'rewriteRemoved'
  | 'dropVersionsBefore'
  | 'reclaim'
  | 'inspect'
  | 'renewIndexes'
> & {
  /** Resolves when no write is running. */
  idle(): Promise<void>
}

/** Dependencies of the writer. */
export type ChunkWriterDeps = Pick<DatasetPlace, 'folder' | 'versions' | 'freeBytes' | 'guard'> & {
  connection: Connection
  tables: OpenTables
  gate: FileGate
  compaction: Compaction
  vectorIndexRows: number
  cache: Pick<RecordCache, 'forget'>
  now: () => Date
}

/** Creates the writer. Every call resolves only after its change is durable. */
export function createChunkWriter(deps: ChunkWriterDeps): ChunkWriter {
  const { tables, guard } = deps
  const guarded = <Value>(work: Promise<Value>) => guard(work).catch(throwStoreError)
  const queues = new Map<string, GroupCommitQueue<ChunkRow>>()
  // Reopening the table sets a torn version aside (`durability.ts`).
  const disk = createDiskSync(deps.folder, tables.forget)
  const mutex = createKeyedMutex()
  const turns = createCancellableTurns((name, work) => queueOf(name).run(work))
  const maintenance = createTableMaintenance({ ...deps, disk, inTurn: turns.take })
  const remove = createTableRemoval(deps, { disk, noteOrphans: maintenance.noteOrphans })
  const commit = createCommit(deps, { disk, noteOrphans: maintenance.noteOrphans, removeTable })

  function queueOf(name: string): GroupCommitQueue<ChunkRow> {
    const known = queues.get(name)
    if (known !== undefined) return known
    const write = (chunks: readonly ChunkRow[], areNew: boolean) => commit(name, chunks, areNew)
    const queue = createGroupCommitQueue({ commit: write, bytesOf, limit: COMMIT_LIMIT })
    queues.set(name, queue)
    return queue
  }

  async function removeTable(name: string): Promise<void> {
    const removal = () => tables.remove(name, () => dropIfThere(deps.connection, name))
    await turns.remove(name, () => mutex.run(name, removal))
    deps.compaction.forget(name)
    disk.forget(name)
    maintenance.forget(name)
  }

  /** Runs work that excludes other maintenance of the file. */
  const beside = async <Value>(name: string, work: () => Promise<Value>) =>
    guarded(mutex.run(requireFileName(name), work))

  return {
    async add(name, chunks, { areNew = false } = {}) {
      requireFileName(name)
      if (chunks.length > 0) await guarded(queueOf(name).add(chunks, areNew))
    },
    async remove(name, documentIds, { confirm } = {}) {
      requireFileName(name)
      const predicate = documentPredicate(documentIds.map(requireDocumentId))
      if (documentIds.length > 0) await guarded(queueOf(name).run(() => remove(name, predicate, confirm)))
    },
    async drop(name) {
      const queue = queueOf(requireFileName(name))
      queue.reject(new ApiError('memory_not_found'))
      const drop = async () => {
        await removeTable(name)
        queues.delete(name)
      }
      await guarded(queue.run(drop))
    },
    maintain: async (name, signal) =>
      guarded(mutex.share(requireFileName(name), () => maintenance.maintain(name, signal))),
    rewriteRemoved: (name) => beside(name, () => maintenance.rewriteRemoved(name)),
    dropVersionsBefore: (name, version) => beside(name, () => maintenance.dropVersionsBefore(name, version)),
    reclaim: (name) => beside(name, () => maintenance.reclaim(name)),
    renewIndexes: (name) => beside(name, () => maintenance.renewIndexes(name)),
    inspect: async (name) => guarded(maintenance.inspect(requireFileName(name))),
    async idle() {
      await Promise.all([...queues.values()].map((queue) => queue.idle()))
      await mutex.idle()
    },
  }
}

type CommitDeps = {
  disk: ReturnType<typeof createDiskSync>
  /** Called when a commit fails and may leave files behind. */
  noteOrphans: (name: string) => void
}

type Commit = (name: string, chunks: readonly ChunkRow[], areNew: boolean) => Promise<void>

/** Commits chunks to a table, and creates the table if necessary. */
function createCommit(
  { tables, gate, cache, compaction }: ChunkWriterDeps,
  { disk, noteOrphans, removeTable }: CommitDeps & { removeTable: (name: string) => Promise<void> },
): Commit {
  async function write(name: string, chunks: readonly ChunkRow[], areNew: boolean): Promise<void> {
    for await (const some of batchesWithYield(chunks)) for (const chunk of some) requireWritable(chunk)
    const rows = await toChunkTable(chunks)
    const dimensions = chunks[0]?.vector.length ?? 0
    if (await tables.use(name, (table) => isInTheWay(table, dimensions))) await removeTable(name)
    await tables.useOrMake(name, rows.schema, async (table) => {
      const mergeRows = () =>
        retryConflicts(
          () => merge(table, rows),
          () => noteOrphans(name),
        )
      const { version } = await (areNew ? append(table, rows, mergeRows) : mergeRows())
      if (!areNew) cache.forget(table)
      reachStep('memory-file:appended')
      await disk.commit(name, version)
      await compaction.noteCommit(name, table, chunks.length)
    })
  }

  return async (name, chunks, areNew) => {
    try {
      // An attempt that ran out of file handles may have written its chunks. The repetition merges,
      // which does not duplicate chunks.
      await gate.run(FILES_OPENED.write, (isRepeated) => write(name, chunks, areNew && !isRepeated))
    } catch (error) {
      if (isFull(error)) noteOrphans(name)
      throw error
    }
  }
}

/** Deletes the rows of a table that meet a condition. `DeleteOptions` describes `confirm`. */
function createTableRemoval(
  { tables, gate, cache, compaction }: ChunkWriterDeps,
  { disk, noteOrphans }: CommitDeps,
): (name: string, predicate: string, confirm: (() => Promise<boolean>) | undefined) => Promise<void> {
  async function removeRows(name: string, table: Table, predicate: string): Promise<void> {
    const { version } = await retryConflicts(
      () => table.delete(predicate),
      () => noteOrphans(name),
    )
    cache.forget(table)
    reachStep('memory-file:rows-removed')
    await disk.all(name, version)
    await compaction.noteCommit(name, table, 0)
  }

  return async (name, predicate, confirm) => {
    const removal = async (table: Table) => {
      if (confirm === undefined) return removeRows(name, table, predicate)
      // Later writes get higher row ids. So do rows that compaction moves, and the loop searches
      // for these again.
      for (;;) {
        const last = await findLastRow(table, predicate)
        if (last === null || !(await confirm())) return
        await removeRows(name, table, `${predicate} AND _rowid <= ${last}`)
      }
    }
    await gate.run(FILES_OPENED.write, () => tables.use(name, removal))
  }
}

function bytesOf({ text, terms, windows, vector }: ChunkRow): number {
  return text.length + terms.length + windows.byteLength + vector.byteLength
}

async function dropIfThere(connection: Connection, name: string): Promise<void> {
  try {
    await connection.dropTable(name)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/**
 * Appends chunks that the table does not contain. After a conflict the chunks are merged, which
 * cannot duplicate chunks.
 */
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

/** Inserts the chunks, and replaces chunks with the same id. */
function merge(table: Table, rows: ArrowTable): Promise<MergeResult> {
  return table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows)
}

/**
 * True for an empty table with vectors of another length, which a failed add may have left. Rejects
 * with `embedding_model_pinned` if the table is not empty.
 */
async function isInTheWay(table: Table, dimensions: number): Promise<boolean> {
  const present = await readDimensions(table)
  if (present === dimensions) return false
  if ((await table.countRows()) === 0) return true
  throw otherVectors(present, dimensions)
}

/**
 * Turns in the write queue of a memory file for maintenance. Dropping a file waits for its
 * maintenance, which therefore must not wait in the queue behind the drop.
 */
type CancellableTurns = {
  /** Runs work in its turn; rejects with `memory_not_found` while the file is being dropped. */
  take(name: string, work: () => Promise<void>): Promise<void>
  /** Runs the drop in its own turn, and cancels waiting maintenance. */
  remove(name: string, removal: () => Promise<void>): Promise<void>
}

/** Takes turns by `run`. */
export function createCancellableTurns(
  run: (name: string, work: () => Promise<void>) => Promise<void>,
): CancellableTurns {
  const removing = new Set<string>()
  const waiting = new Map<string, (reason: unknown) => void>()
  const gone = () => new ApiError('memory_not_found')
  return {
    async take(name, work) {
      if (removing.has(name)) throw gone()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.set(name, reject)
      // Work cancelled while waiting does nothing in its turn.
      run(name, () => (waiting.get(name) === reject ? work() : Promise.resolve())).then(resolve, reject)
      try {
        await promise
      } finally {
        waiting.delete(name)
      }
    },
    async remove(name, removal) {
      removing.add(name)
      waiting.get(name)?.(gone())
      try {
        await removal()
      } finally {
        removing.delete(name)
      }
    },
  }
}
