import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, Index, type Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { reachStep } from '../observability/failpoints.ts'
import type { Log } from '../observability/log.ts'
import { hasOurForm } from './chunk-table.ts'
import type { DatasetPlace } from './dataset-place.ts'
import { setAsideTornVersion } from './durability.ts'
import { isAlreadyThere, isFull, isNotFound, olderForm, retryConflicts } from './store-errors.ts'

/** The full-text index of the terms; Lance names an index after its column. */
export const TERMS_INDEX = 'terms_idx'

/** The open tables of a place. */
export type OpenTables = {
  /**
   * Runs `work` on the memory's table, which stays open meanwhile; `null` when the memory has none. Where files of it are gone, after a clean-up or a drop by
   * another process, it runs once more on a table that is opened anew.
   */
  use<T>(memoryId: string, work: (table: Table) => Promise<T>): Promise<T | null>
  /** The same, making the table of this schema when there is none. */
  useOrMake<T>(memoryId: string, schema: Schema, work: (table: Table) => Promise<T>): Promise<T>
  /** Has an open table look for what others wrote, which whoever looks into a file wants to know; rejects where that cannot be read. One that is gone is forgotten. */
  refresh(memoryId: string): Promise<void>
  /** Forgets the handle, so that the next use opens it anew. */
  forget(memoryId: string): void
  /** The same, and waits until nobody uses what was forgotten before, so that none reads an older version than the newest; gives up waiting after `patienceMs`. */
  outlive(memoryId: string, patienceMs: number): Promise<void>
  /** Does the removal of a table; whoever wants to use it meanwhile waits, and finds none. Rejects as the removal does. */
  remove(memoryId: string, removal: () => Promise<void>): Promise<void>
  close(): void
}

type TablesOptions = Place & { mostOpen: number }
/** The memory files as LanceDB sees them and, where they lie on a disk, as the file system does. */
type Place = Pick<DatasetPlace, 'folder' | 'createEmpty'> & { connection: Connection; log: Log }
type Handle = {
  /** Of a forgotten handle, which someone may still write by. */
  memoryId: string
  table: Promise<Table | null>
  users: number
  forgotten: boolean
  isRemoval?: true
}

/** How often it is looked whether the last user of a handle has gone. */
const LOOK_AGAIN_MS = 20

/** The open tables of a place. */
export function createOpenTables(options: TablesOptions): OpenTables {
  const handles = createHandles(options)
  const { forget } = handles
  const use = createUse(options, handles)

  return {
    use: (memoryId, work) => use(memoryId, null, work),
    useOrMake: <T>(memoryId: string, schema: Schema, work: (table: Table) => Promise<T>) =>
      use(memoryId, schema, work) as Promise<T>,
    async refresh(memoryId) {
      const table = await handles.open.get(memoryId)?.table.catch(() => null)
      try {
        await table?.checkoutLatest()
      } catch (error) {
        if (!isNotFound(error)) throw error
        forget(memoryId)
      }
    },
    forget,
    async outlive(memoryId, patienceMs) {
      forget(memoryId)
      const until = performance.now() + patienceMs
      while (handles.isInUse(memoryId) && performance.now() < until) await pause(LOOK_AGAIN_MS)
    },
    // Opened between, it would be mended or maintained while its files go: the removal then fails, or leaves a table that is none.
    async remove(memoryId, removal) {
      forget(memoryId)
      const removed = removal()
      const nothing = () => null
      const table = removed.then(nothing, nothing)
      const handle: Handle = { memoryId, table, users: 1, forgotten: false, isRemoval: true }
      handles.open.set(memoryId, handle)
      try {
        await removed
      } finally {
        // Whoever waited for it may have opened what another made since.
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

/** See {@link OpenTables.use}; with a schema the table is made where there is none, and the work runs once. */
function createUse(place: Place, { claim, release, forget, forgetMissing }: Handles): Use {
  return async (memoryId, schema, work) => {
    for (let isRepeated = false; ; isRepeated = true) {
      const handle = claim(memoryId, schema)
      try {
        const opening = handle.table
        const table = await orNothing(place, handle, schema)
        if (table !== null) return await work(table)
        forgetMissing(handle, opening)
        return null
      } catch (error) {
        // A handle whose opening failed must not fail the next caller too.
        if (await failedToOpen(handle)) forget(memoryId)
        if (schema !== null || isRepeated || !isNotFound(error)) throw error
      } finally {
        release(handle)
      }
      forget(memoryId)
    }
  }
}

type Handles = ReturnType<typeof createHandles>

/**
 * Keeps at most `mostOpen` tables open beside those in use (about one file descriptor and some memory each), dropping
 * the one used longest ago. A process killed between making a table and its full-text index leaves one that Lance
 * searches without an answer or with an error: opening makes the missing index, so no such table is ever used.
 *
 * In a folder a handle reads what was there when it was opened and what was written by itself. By one that is forgotten in the midst of a write more may come, so
 * its successor looks for the newest before whoever wrote is told that it is written.
 */
function createHandles({ mostOpen, ...place }: TablesOptions) {
  // In order of last use, oldest first.
  const open = new Map<string, Handle>()
  const forgotten = new Set<Handle>()

  function claim(memoryId: string, schema: Schema | null): Handle {
    const opened = { memoryId, users: 0, forgotten: false }
    const handle = open.get(memoryId) ?? { ...opened, table: openTable(place, memoryId) }
    if (schema !== null) handle.table = handle.table.then((table) => table ?? makeTable(place, memoryId, schema))
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
      closeWhenFree(handle)
    }
    for (const [id, { users }] of open) {
      if (open.size <= mostOpen) break
      if (users === 0) forget(id)
    }
  }

  function forget(memoryId: string): void {
    const handle = open.get(memoryId)
    if (handle === undefined || handle.isRemoval) return
    open.delete(memoryId)
    handle.forgotten = true
    if (handle.users > 0) forgotten.add(handle)
    closeWhenFree(handle)
  }

  /** A table that is not there is looked for again at the next use: another node may make it. */
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
  // Told to whoever uses it next.
  handle.table.catch(() => undefined)
}

function orNothing(place: Place, { memoryId, table }: Handle, schema: Schema | null): Handle['table'] {
  return schema === null ? table.catch((error) => nothingYet(place, memoryId, error)) : table
}

/**
 * `null` in place of a table that could not be opened for want of room while it has no row: made by an add that found no room either, it lacks its index,
 * and whoever only reads misses nothing. Rejects with `error` otherwise.
 */
async function nothingYet({ connection }: Place, memoryId: string, error: unknown): Promise<null> {
  if (!isFull(error)) throw error
  const table = await connection.openTable(memoryId).catch((cause) => {
    if (isNotFound(cause)) return null
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

function closeWhenFree(handle: Handle): void {
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

async function openTable(place: Place, memoryId: string): Promise<Table | null> {
  const table = await openWhole(place, memoryId)
  if (table === null) return null
  if (!(await hasOurForm(table))) throw olderForm()
  await requireTermsIndex(table)
  return table
}

async function openWhole({ connection, folder, log }: Place, memoryId: string): Promise<Table | null> {
  // Upkeep makes several versions before it forces them to the disk.
  while (folder !== null && (await setAsideTornVersion(folder, memoryId))) {
    log.warn(
      { memoryId },
      'The newest version of the memory file was torn and set aside; the version before it is used.',
    )
  }
  try {
    return await connection.openTable(memoryId)
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

async function makeTable(place: Place, memoryId: string, schema: Schema): Promise<Table> {
  try {
    const table = await place.createEmpty(place.connection, memoryId, schema)
    reachStep('memory-file:made')
    await requireTermsIndex(table)
    return table
  } catch (error) {
    if (!isAlreadyThere(error)) throw error
    const table = await openTable(place, memoryId)
    if (table === null) throw error
    return table
  }
}

/** Makes the full-text index where it is missing. The terms are ours, analysed already: Lance only splits them at spaces. */
async function requireTermsIndex(table: Table): Promise<void> {
  await retryConflicts(async () => {
    const indices = await table.listIndices()
    if (indices.some((index) => index.name === TERMS_INDEX)) return
    try {
      await table.createIndex('terms', { config: termsIndexConfig(), replace: false })
    } catch (error) {
      // Another handle made it since it was looked for; its index is the same.
      if (!isAlreadyThere(error)) throw error
    }
  })
}

/** The index of the column `terms`: words at spaces, taken as they are. */
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
