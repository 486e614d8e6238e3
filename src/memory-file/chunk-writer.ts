import type { Connection, MergeResult, Table } from '@lancedb/lancedb'
import type { Table as ArrowTable } from 'apache-arrow'
import { createGroupCommitQueue, type GroupCommitQueue } from '../concurrency/group-commit.ts'
import { createKeyedMutex } from '../concurrency/keyed-mutex.ts'
import { ApiError } from '../errors.ts'
import { failpoint } from '../observability/failpoints.ts'
import { documentPredicate, requireDocumentId, requireFileName, requireWritable } from './chunk-predicate.ts'
import { findLastRow } from './chunk-reader.ts'
import { batchesWithYield, readDimensions, toChunkTable } from './chunk-table.ts'
import type { DatasetPlace } from './dataset-place.ts'
import { createDiskSync, hasVersions } from './durability.ts'
import { FILES_OPENED, type FileGate } from './file-gate.ts'
import type { Compaction } from './maintenance/compaction.ts'
import { createTableMaintenance } from './maintenance/table-maintenance.ts'
import type { ChunkRow, MemoryFile } from './memory-file.ts'
import type { OpenTables } from './open-tables.ts'
import type { RecordCache } from './record-cache.ts'
import {
  dimensionMismatch,
  isCommitConflict,
  isNotFoundError,
  isStorageFull,
  retryConflicts,
  throwStoreError,
} from './store-errors.ts'

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
  | 'deleteDocuments'
  | 'drop'
  | 'maintain'
  | 'purgeDeletedRows'
  | 'deleteVersionsBefore'
  | 'reclaimSpace'
  | 'inspect'
  | 'rebuildIndexes'
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
  cache: Pick<RecordCache, 'evict'>
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
  const turns = createCancellableQueue((name, work) => queueOf(name).run(work))
  const maintenance = createTableMaintenance({ ...deps, disk, inTurn: turns.run })
  const remove = createTableRemoval(deps, { disk, recordOrphans: maintenance.recordOrphans })
  const commit = createCommit(deps, { disk, recordOrphans: maintenance.recordOrphans, removeTable })

  function queueOf(name: string): GroupCommitQueue<ChunkRow> {
    const known = queues.get(name)
    if (known !== undefined) return known
    const write = (chunks: readonly ChunkRow[], areNew: boolean) => commit(name, chunks, areNew)
    const queue = createGroupCommitQueue({ commit: write, bytesOf, limit: COMMIT_LIMIT })
    queues.set(name, queue)
    return queue
  }

  async function removeTable(name: string): Promise<void> {
    const removal = () => tables.drop(name, () => dropIfExists(deps.connection, name))
    await turns.drop(name, () => mutex.run(name, removal))
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
    async deleteDocuments(name, documentIds, { confirm } = {}) {
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
    purgeDeletedRows: (name) => beside(name, () => maintenance.purgeDeletedRows(name)),
    deleteVersionsBefore: (name, version) => beside(name, () => maintenance.deleteVersionsBefore(name, version)),
    reclaimSpace: (name) => beside(name, () => maintenance.reclaimSpace(name)),
    rebuildIndexes: (name) => beside(name, () => maintenance.rebuildIndexes(name)),
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
  recordOrphans: (name: string) => void
}

type Commit = (name: string, chunks: readonly ChunkRow[], areNew: boolean) => Promise<void>

/** Commits chunks to a table, and creates the table if necessary. */
function createCommit(
  { tables, gate, cache, compaction, folder }: ChunkWriterDeps,
  { disk, recordOrphans, removeTable }: CommitDeps & { removeTable: (name: string) => Promise<void> },
): Commit {
  async function write(name: string, chunks: readonly ChunkRow[], areNew: boolean): Promise<void> {
    for await (const some of batchesWithYield(chunks)) for (const chunk of some) requireWritable(chunk)
    const rows = await toChunkTable(chunks)
    const dimensions = chunks[0]?.vector.length ?? 0
    if (await forgetLostFile({ tables, folder }, name)) throw new ApiError('data_damaged', { message: FILE_LOST })
    if (await tables.use(name, (table) => isEmptyWithOtherDimensions(table, dimensions))) await removeTable(name)
    await tables.useOrCreate(name, rows.schema, async (table) => {
      const mergeRows = () =>
        retryConflicts(
          () => merge(table, rows),
          () => recordOrphans(name),
        )
      const { version } = await (areNew ? append(table, rows, mergeRows) : mergeRows())
      if (!areNew) cache.evict(table)
      failpoint('memory-file:appended')
      await disk.commit(name, version)
      await compaction.recordCommit(name, table, chunks.length)
    })
  }

  return async (name, chunks, areNew) => {
    try {
      // An attempt that ran out of file handles may have written its chunks. The repetition merges,
      // which does not duplicate chunks.
      await gate.run(FILES_OPENED.write, (isRepeated) => write(name, chunks, areNew && !isRepeated))
    } catch (error) {
      if (isStorageFull(error)) recordOrphans(name)
      throw error
    }
  }
}

const FILE_LOST = 'The file of this memory is missing. Nothing was added.'

/**
 * Closes an open file whose folder is gone, and returns true. A write would put a new file in the
 * place of the lost one.
 */
async function forgetLostFile(
  { tables, folder }: Pick<ChunkWriterDeps, 'tables' | 'folder'>,
  name: string,
): Promise<boolean> {
  if (folder === null || (await tables.use(name, () => hasVersions(folder, name))) !== false) return false
  tables.forget(name)
  return true
}

/** Deletes the rows of a table that meet a condition. `DeleteOptions` describes `confirm`. */
function createTableRemoval(
  { tables, gate, cache, compaction, folder }: ChunkWriterDeps,
  { disk, recordOrphans }: CommitDeps,
): (name: string, predicate: string, confirm: (() => Promise<boolean>) | undefined) => Promise<void> {
  return async (name, predicate, confirm) => {
    await forgetLostFile({ tables, folder }, name)
    await gate.run(FILES_OPENED.write, () =>
      tables.use(name, async (table) => {
        // Later writes get higher row ids. So do rows that compaction moves, and the loop searches
        // for these again.
        do {
          const rows = confirm === undefined ? predicate : await confirmRows(table, predicate, confirm)
          if (rows === null) return
          const { version } = await retryConflicts(
            () => table.delete(rows),
            () => recordOrphans(name),
          )
          cache.evict(table)
          failpoint('memory-file:rows-removed')
          await disk.all(name, version)
          await compaction.recordCommit(name, table, 0)
        } while (confirm !== undefined)
      }),
    )
  }
}

/** Condition of the rows that exist now; `null` without such rows, or if `confirm` refuses. */
async function confirmRows(table: Table, predicate: string, confirm: () => Promise<boolean>): Promise<string | null> {
  const last = await findLastRow(table, predicate)
  return last !== null && (await confirm()) ? `${predicate} AND _rowid <= ${last}` : null
}

function bytesOf({ text, terms, windows, vector }: ChunkRow): number {
  return text.length + terms.length + windows.byteLength + vector.byteLength
}

async function dropIfExists(connection: Connection, name: string): Promise<void> {
  try {
    await connection.dropTable(name)
  } catch (error) {
    if (!isNotFoundError(error)) throw error
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
    if (!isCommitConflict(error)) throw error
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
async function isEmptyWithOtherDimensions(table: Table, dimensions: number): Promise<boolean> {
  const present = await readDimensions(table)
  if (present === dimensions) return false
  if ((await table.countRows()) === 0) return true
  throw dimensionMismatch(present, dimensions)
}

/**
 * Turns in the write queue of a memory file for maintenance. Dropping a file waits for its
 * maintenance, which therefore must not wait in the queue behind the drop.
 */
type CancellableQueue = {
  /** Runs work in its turn; rejects with `memory_not_found` while the file is being dropped. */
  run(name: string, work: () => Promise<void>): Promise<void>
  /** Runs the drop in its own turn, and cancels waiting maintenance. */
  drop(name: string, removal: () => Promise<void>): Promise<void>
}

/** Takes turns by `run`. */
export function createCancellableQueue(
  run: (name: string, work: () => Promise<void>) => Promise<void>,
): CancellableQueue {
  const removing = new Set<string>()
  const waiting = new Map<string, (reason: unknown) => void>()
  const gone = () => new ApiError('memory_not_found')
  return {
    async run(name, work) {
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
    async drop(name, removal) {
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
