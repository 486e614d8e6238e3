import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, Index, type Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { failpoint } from '../observability/failpoints.ts'
import type { Log } from '../observability/log.ts'
import { hasCurrentSchema } from './chunk-table.ts'
import type { DatasetPlace } from './dataset-place.ts'
import { setAsideTornVersion } from './durability.ts'
import {
  isNotFoundError,
  isStorageFull,
  isTableExistsError,
  retryConflicts,
  unsupportedFileVersion,
} from './store-errors.ts'

/** The full-text index of the terms; Lance names an index after its column. */
export const TERMS_INDEX = 'terms_idx'

/** Open tables of one place. */
export type OpenTables = {
  /**
   * Runs `work` on the memory's table, which stays open meanwhile; `null` if the memory has none.
   * If files of the table are missing, after cleanup or a drop by another process, runs once more
   * on a reopened table.
   */
  use<T>(memoryId: string, work: (table: Table) => Promise<T>): Promise<T | null>
  /** Like `use`, but creates a missing table with this schema. */
  useOrCreate<T>(memoryId: string, schema: Schema, work: (table: Table) => Promise<T>): Promise<T>
  /**
   * Loads the versions that other processes wrote, and forgets the handle of a dropped table.
   * Rejects if the table cannot be read.
   */
  refresh(memoryId: string): Promise<void>
  /** Forgets the handle, so that the next use opens the table again. */
  forget(memoryId: string): void
  /**
   * Forgets the handle, and waits until no forgotten handle is in use, so that no caller reads an
   * old version. Stops waiting after `timeoutMs`.
   */
  forgetAndDrain(memoryId: string, timeoutMs: number): Promise<void>
  /**
   * Runs the deletion of a table. Concurrent users wait, and then find no table. Rejects as the
   * deletion does.
   */
  drop(memoryId: string, removal: () => Promise<void>): Promise<void>
  close(): void
}

type TablesOptions = TableLocation & { maxOpenTables: number }
/** Memory files as LanceDB sees them and, on disk, as the file system does. */
type TableLocation = Pick<DatasetPlace, 'folder' | 'createEmpty'> & { connection: Connection; log: Log }
type Handle = {
  /** Needed for a forgotten handle, which may still have a writer. */
  memoryId: string
  table: Promise<Table | null>
  users: number
  forgotten: boolean
  isRemoval?: true
}

/** Interval of checks for the last user of a handle. */
const POLL_MS = 20

/** Creates the open tables of a place. */
export function createOpenTables(options: TablesOptions): OpenTables {
  const handles = createHandles(options)
  const { forget } = handles
  const use = createTableUse(options, handles)

  return {
    use: (memoryId, work) => use(memoryId, null, work),
    useOrCreate: <T>(memoryId: string, schema: Schema, work: (table: Table) => Promise<T>) =>
      use(memoryId, schema, work) as Promise<T>,
    async refresh(memoryId) {
      const table = await handles.open.get(memoryId)?.table.catch(() => null)
      try {
        await table?.checkoutLatest()
      } catch (error) {
        if (!isNotFoundError(error)) throw error
        forget(memoryId)
      }
    },
    forget,
    async forgetAndDrain(memoryId, timeoutMs) {
      forget(memoryId)
      const until = performance.now() + timeoutMs
      while (handles.isInUse(memoryId) && performance.now() < until) await pause(POLL_MS)
    },
    // Blocks reopening: repair or maintenance of a table whose files are being deleted makes the
    // deletion fail, or leaves a broken table.
    async drop(memoryId, removal) {
      forget(memoryId)
      const removed = removal()
      const nothing = () => null
      const table = removed.then(nothing, nothing)
      const handle: Handle = { memoryId, table, users: 1, forgotten: false, isRemoval: true }
      handles.open.set(memoryId, handle)
      try {
        await removed
      } finally {
        // A waiter may have opened a table that another process created since.
        if (handles.open.get(memoryId) === handle) handles.open.delete(memoryId)
        handle.forgotten = true
        handles.release(handle)
      }
    },
    close() {
      for (const memoryId of [...handles.open.keys()]) forget(memoryId)
    },
  }
}

type Use = <T>(memoryId: string, schema: Schema | null, work: (table: Table) => Promise<T>) => Promise<T | null>

/**
 * See {@link OpenTables.use}. With a schema, a missing table is created, and the work runs once.
 */
function createTableUse(place: TableLocation, { claim, release, forget, forgetMissing }: Handles): Use {
  return async (memoryId, schema, work) => {
    for (let isRepeated = false; ; isRepeated = true) {
      const handle = claim(memoryId, schema)
      try {
        const opening = handle.table
        const table = await openOrNull(place, handle, schema)
        if (table !== null) return await work(table)
        forgetMissing(handle, opening)
        return null
      } catch (error) {
        // A failed open must not fail the next caller, too.
        if (await failedToOpen(handle)) forget(memoryId)
        if (schema !== null || isRepeated || !isNotFoundError(error)) throw error
      } finally {
        release(handle)
      }
      forget(memoryId)
    }
  }
}

type Handles = ReturnType<typeof createHandles>

/**
 * Keeps at most `maxOpenTables` tables open in addition to those in use, and closes the least
 * recently used. Each takes about one file descriptor and some memory.
 *
 * A process killed between creating a table and its full-text index leaves a table that Lance
 * searches with no result or an error. Opening creates the missing index, so no such table is ever
 * used.
 *
 * A handle on disk sees only its own writes. When a handle is dropped during a write, its successor
 * refreshes before that write is acknowledged.
 */
function createHandles({ maxOpenTables, ...place }: TablesOptions) {
  // In order of last use, oldest first.
  const open = new Map<string, Handle>()
  const forgotten = new Set<Handle>()

  function claim(memoryId: string, schema: Schema | null): Handle {
    const opened = { memoryId, users: 0, forgotten: false }
    const handle = open.get(memoryId) ?? { ...opened, table: openTable(place, memoryId) }
    if (schema !== null) handle.table = handle.table.then((table) => table ?? createTable(place, memoryId, schema))
    handle.users += 1
    open.delete(memoryId)
    open.set(memoryId, handle)
    return handle
  }

  function release(handle: Handle): void {
    handle.users -= 1
    if (handle.forgotten) {
      const next = open.get(handle.memoryId)
      if (next !== undefined && !next.isRemoval) refreshHandle(next)
      if (handle.users === 0) forgotten.delete(handle)
      closeWhenUnused(handle)
    }
    for (const [id, { users }] of open) {
      if (open.size <= maxOpenTables) break
      if (users === 0) forget(id)
    }
  }

  function forget(memoryId: string): void {
    const handle = open.get(memoryId)
    if (handle === undefined || handle.isRemoval) return
    open.delete(memoryId)
    handle.forgotten = true
    if (handle.users > 0) forgotten.add(handle)
    closeWhenUnused(handle)
  }

  /** A missing table is looked up again at the next use: another node may create it. */
  function forgetMissing(handle: Handle, opening: Handle['table']): void {
    if (handle.table === opening && open.get(handle.memoryId) === handle) open.delete(handle.memoryId)
  }

  const isInUse = (memoryId: string) => [...forgotten].some((handle) => handle.memoryId === memoryId)

  return { open, claim, release, forget, forgetMissing, isInUse }
}

function refreshHandle(handle: Handle): void {
  handle.table = handle.table.then(async (table) => {
    try {
      await table?.checkoutLatest()
    } catch (error) {
      table?.close()
      throw error
    }
    return table
  })
  // The next user of the handle receives the error.
  handle.table.catch(() => undefined)
}

function openOrNull(place: TableLocation, { memoryId, table }: Handle, schema: Schema | null): Handle['table'] {
  return schema === null ? table.catch((error) => nullIfEmptyOnFullDisk(place, memoryId, error)) : table
}

/**
 * Returns `null` for a table that cannot be opened on a full disk but has no rows. An add that also
 * ran out of space created the table without its index, and readers miss nothing. Rejects with
 * `error` otherwise.
 */
async function nullIfEmptyOnFullDisk({ connection }: TableLocation, memoryId: string, error: unknown): Promise<null> {
  if (!isStorageFull(error)) throw error
  const table = await connection.openTable(memoryId).catch((cause) => {
    if (isNotFoundError(cause)) return null
    throw error
  })
  if (table === null) return null
  try {
    if ((await table.countRows()) > 0) throw error
    return null
  } finally {
    table.close()
  }
}

function closeWhenUnused(handle: Handle): void {
  if (handle.users > 0) return
  void handle.table.then(
    (table) => table?.close(),
    () => undefined,
  )
}

function failedToOpen(handle: Handle): Promise<boolean> {
  return handle.table.then(
    () => false,
    () => true,
  )
}

async function openTable(place: TableLocation, memoryId: string): Promise<Table | null> {
  const table = await openCompleteVersion(place, memoryId)
  if (table === null) return null
  if (!(await hasCurrentSchema(table))) throw unsupportedFileVersion()
  await ensureTermsIndex(table)
  return table
}

async function openCompleteVersion(
  { connection, folder, log }: TableLocation,
  memoryId: string,
): Promise<Table | null> {
  // Maintenance creates several versions before it flushes them.
  while (folder !== null && (await setAsideTornVersion(folder, memoryId))) {
    log.warn(
      { memoryId },
      'The newest version of the memory file was torn and set aside; the version before it is used.',
    )
  }
  try {
    return await connection.openTable(memoryId)
  } catch (error) {
    if (isNotFoundError(error)) return null
    throw error
  }
}

async function createTable(place: TableLocation, memoryId: string, schema: Schema): Promise<Table> {
  try {
    const table = await place.createEmpty(place.connection, memoryId, schema)
    failpoint('memory-file:made')
    await ensureTermsIndex(table)
    return table
  } catch (error) {
    if (!isTableExistsError(error)) throw error
    const table = await openTable(place, memoryId)
    if (table === null) throw error
    return table
  }
}

/**
 * Creates the full-text index if missing. Our terms are analysed already; Lance only splits at
 * spaces.
 */
async function ensureTermsIndex(table: Table): Promise<void> {
  await retryConflicts(async () => {
    const indices = await table.listIndices()
    if (indices.some((index) => index.name === TERMS_INDEX)) return
    try {
      await table.createIndex('terms', { config: termsIndexConfig(), replace: false })
    } catch (error) {
      // Another handle created the same index in the meantime.
      if (!isTableExistsError(error)) throw error
    }
  })
}

/** Configuration of the index of `terms`: words split at spaces, unchanged. */
export function termsIndexConfig(): Index {
  return Index.fts({
    baseTokenizer: 'whitespace',
    withPosition: false,
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    maxTokenLength: 1000,
  })
}
