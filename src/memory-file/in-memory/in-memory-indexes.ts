import type { Table } from '@lancedb/lancedb'
import type { RunningThread } from '../../concurrency/worker-thread.ts'
import type { Log } from '../../observability/log.ts'
import { readManifest } from '../manifest.ts'
import type { VersionFiles } from '../version-files.ts'
import type { IndexReply, IndexRequest } from './index-thread.ts'
import { countIndexedBytes, createLoadedIndex, type LoadedIndex, type LoadedIndexOptions } from './loaded-index.ts'

/** Indexes of memory files in use, within a budget of memory. */
export type InMemoryIndexes = {
  /**
   * The index of a table at its current version. `null` if Lance has to search: without an index,
   * a search starts to build it, as does a search after large changes.
   */
  open(name: string, table: Table): Promise<LoadedIndex | null>
  /** The record of a row; `null` if no current index has it. */
  recordOf(name: string, row: bigint): Uint8Array | null
  /** Call after each write of the process, before the acknowledgement; `rows` were added. */
  noteWrite(name: string, rows?: number): void
  /**
   * Call when a memory file with so many rows is at rest. Builds its index before the first search
   * if the process has written most of the file, and updates one that has missed writes.
   */
  prepare(name: string, rows: number): void
  /** Removes the index of a memory file. */
  forget(name: string): void
  /** Resolves when no index is being built. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** Runs work on a table, which stays open meanwhile; `null` without a table. */
type UseTable = <T>(name: string, work: (table: Table) => Promise<T>) => Promise<T | null>

/** Options of {@link createInMemoryIndexes}. */
export type InMemoryIndexesOptions = {
  use: UseTable
  versions: Pick<VersionFiles, 'read'>
  /** True if other processes write as well, so that each search asks for the newest version. */
  isShared: boolean
  /** Starts the thread of the indexes. */
  start: () => RunningThread<IndexRequest, IndexReply>
  /** Bytes of all indexes together; 0 for none. */
  budgetBytes: number
  log: Pick<Log, 'warn'>
  nowMs?: () => number
  maxComparedRows?: LoadedIndexOptions['maxComparedRows']
}

/** An index with its state; `index` is `null` until the table is read. */
type Entry = {
  index: LoadedIndex | null
  /** False while the index is built, or many rows are added. */
  isReady: boolean
  /** Number of writes of the process. */
  writes: number
  /** The table, and the number of writes, at the last comparison. */
  known: { table: Table; writes: number } | null
  bytes: number
  usedMs: number
  restUntilMs: number
}

/** Maximum new rows that a search reads, in about 30 ms. More are read beside searches. */
const MAX_ROWS_WAITED_FOR = 2048
/** Time after a use for which an index is not removed for another one. */
const RECENT_MS = 60_000
/** Time after the last use at which an index is removed. */
const UNUSED_MS = 10 * 60_000
const SWEEP_MS = 60_000
/** Fewer rows are indexed during the first search or two. */
const MIN_PREPARED_ROWS = 4096
/** Share of the rows that the process must have written to index them before a search. */
const MIN_PREPARED_SHARE = 0.5
/** Memory of an index of few rows: a block of vectors, and parts of pages. */
const BASE_BYTES = 512 * 1024
/** Pause after an index could not be built. */
const RETRY_MS = 60_000
/**
 * Pause before an index is built again, relative to the time of building. Compaction moves all rows
 * every few seconds while a memory is filled.
 */
const REST = 5

/** Creates the indexes; a search of a memory starts to build one. */
export function createInMemoryIndexes(options: InMemoryIndexesOptions): InMemoryIndexes {
  const { isShared, budgetBytes, nowMs = () => performance.now() } = options
  const entries = createEntries({ budgetBytes, nowMs })
  const updates = createUpdates({ ...options, nowMs, entries })
  const preparations = createPreparations({ entries, updates })
  let isClosed = false

  /** True if the index has all rows of the table. */
  async function sync(name: string, { entry, index }: { entry: Entry; index: LoadedIndex }, table: Table) {
    const { writes } = entry
    if (!isShared && entry.known?.table === table && entry.known.writes === writes) return true
    const isCurrent = await index.sync(table, MAX_ROWS_WAITED_FOR)
    if (entries.byName.get(name) !== entry) return false
    if (!isCurrent) updates.startLater(name, entry)
    else {
      entry.known = { table, writes }
      entry.bytes = BASE_BYTES + index.bytes()
      if (!entries.makeRoom(0)) {
        updates.refuse(name)
        return false
      }
    }
    return isCurrent
  }

  const sweeping = setInterval(() => {
    entries.forgetUnused()
    if (entries.byName.size === 0) updates.endThread()
  }, SWEEP_MS).unref()

  return {
    async open(name, table) {
      if (budgetBytes === 0 || isClosed) return null
      const entry = entries.use(name)
      if (entry === null) updates.start(name)
      if (!entry?.index || !entry.isReady) return null
      const { index } = entry
      const isCurrent = await sync(name, { entry, index }, table).catch((error: unknown) => updates.fail(name, error))
      return isCurrent ? index : null
    },
    recordOf(name, row) {
      const entry = entries.byName.get(name)
      // A write of the process may have replaced the row.
      return entry?.index && entry.known?.writes === entry.writes ? entry.index.recordOf(row) : null
    },
    noteWrite(name, rows = 0) {
      preparations.noteRows(name, rows)
      const entry = entries.byName.get(name)
      if (entry !== undefined) entry.writes += 1
    },
    prepare(name, rows) {
      // The process that searches a bucket is often another one.
      if (budgetBytes > 0 && !isClosed && !isShared) preparations.prepare(name, rows)
    },
    forget(name) {
      preparations.forget(name)
      entries.forget(name)
    },
    idle: updates.idle,
    async close() {
      isClosed = true
      clearInterval(sweeping)
      await updates.close()
    },
  }
}

/** Indexes that are built or updated before a search. */
type Preparations = Pick<InMemoryIndexes, 'prepare' | 'forget'> & {
  /** Notes rows that the process has written. */
  noteRows(name: string, rows: number): void
}

function createPreparations({ entries, updates }: { entries: Entries; updates: Updates }): Preparations {
  const written = new Map<string, number>()
  return {
    noteRows: (name, rows) => void written.set(name, rows + (written.get(name) ?? 0)),
    prepare(name, rows) {
      const entry = entries.byName.get(name)
      if (entry !== undefined && entry.known?.writes !== entry.writes) updates.startLater(name, entry)
      if (entry !== undefined || (written.get(name) ?? 0) < Math.max(MIN_PREPARED_ROWS, MIN_PREPARED_SHARE * rows))
        return
      // An index that is removed without a search is not built again after a few more rows.
      written.delete(name)
      updates.start(name)
    },
    forget: (name) => void written.delete(name),
  }
}

/** Builds and updates indexes beside searches, one after another. */
type Updates = {
  /** Starts to build an index, except shortly after a failure. */
  start(name: string): void
  /** Starts the update of an index without many new rows, after a rest. */
  startLater(name: string, entry: Entry): void
  /** Removes an index, and builds none for some time. */
  refuse(name: string): void
  fail(name: string, err: unknown): void
  idle(): Promise<void>
  endThread(): void
  close(): Promise<void>
}

type UpdatesDeps = InMemoryIndexesOptions & { nowMs: () => number; entries: Entries }

function createUpdates(deps: UpdatesDeps): Updates {
  const { use, start, log, nowMs, entries } = deps
  const refusedUntilMs = new Map<string, number>()
  let isClosed = false
  let last: Promise<void> = Promise.resolve()
  const warn = (err: unknown, message: string) => {
    if (!isClosed) log.warn({ err }, `${message}; Lance searches the memory file`)
  }
  const thread = createThread(start, (err) => {
    entries.byName.clear()
    if (err !== undefined) warn(err, 'the thread of in-memory indexes failed')
  })
  const update = createUpdate({ ...deps, call: thread.call })

  function refuse(name: string): void {
    entries.forget(name)
    refusedUntilMs.set(name, nowMs() + RETRY_MS)
  }

  function fail(name: string, err: unknown): void {
    refuse(name)
    warn(err, 'an in-memory index could not be built')
  }

  async function run(name: string, entry: Entry): Promise<void> {
    if (isClosed || entries.byName.get(name) !== entry) return
    const isThere = await use(name, async (table) => {
      if (!(await update(name, entry, table))) refuse(name)
      return true
    })
    if (isThere === null) entries.forget(name)
  }

  function enqueue(name: string, entry: Entry): void {
    last = last.then(() => run(name, entry)).catch((error: unknown) => fail(name, error))
  }

  return {
    start(name) {
      if (nowMs() >= (refusedUntilMs.get(name) ?? 0)) enqueue(name, entries.add(name))
    },
    startLater(name, entry) {
      if (!entry.isReady) return
      entry.isReady = false
      setTimeout(() => enqueue(name, entry), Math.max(0, entry.restUntilMs - nowMs())).unref()
    },
    refuse,
    fail,
    idle: () => last,
    endThread: thread.end,
    async close() {
      isClosed = true
      thread.close()
      await last
    },
  }
}

/** The indexes by name, in order of last use, oldest first. */
type Entries = {
  readonly byName: Map<string, Entry>
  add(name: string): Entry
  /** Notes the use of an index; `null` if there is none. */
  use(name: string): Entry | null
  forget(name: string): void
  forgetUnused(): void
  /** Removes unused indexes until there is room for so many bytes; false if there is none. */
  makeRoom(bytes: number): boolean
}

function createEntries({ budgetBytes, nowMs }: { budgetBytes: number; nowMs: () => number }): Entries {
  const byName = new Map<string, Entry>()
  function forget(name: string): void {
    const entry = byName.get(name)
    byName.delete(name)
    entry?.index?.close()
  }
  return {
    byName,
    add(name) {
      const entry = { index: null, isReady: false, writes: 0, known: null, bytes: 0, usedMs: nowMs(), restUntilMs: 0 }
      byName.set(name, entry)
      return entry
    },
    use(name) {
      const entry = byName.get(name)
      if (entry === undefined) return null
      entry.usedMs = nowMs()
      byName.delete(name)
      byName.set(name, entry)
      return entry
    },
    forget,
    forgetUnused() {
      for (const [name, { usedMs, isReady }] of byName) if (isReady && nowMs() - usedMs > UNUSED_MS) forget(name)
    },
    makeRoom(bytes) {
      const isRoom = () => [...byName.values()].reduce((total, entry) => total + entry.bytes, bytes) <= budgetBytes
      for (const [name, { usedMs, index }] of bytes > budgetBytes ? [] : byName) {
        if (isRoom()) break
        if (index !== null && nowMs() - usedMs > RECENT_MS) forget(name)
      }
      return isRoom()
    },
  }
}

type UpdateDeps = Pick<InMemoryIndexesOptions, 'versions' | 'maxComparedRows'> & {
  nowMs: () => number
  entries: Entries
  call: IndexThread['call']
}

/** Updates an index to the version of the table, or builds one; false without room. */
type Update = (name: string, entry: Entry, table: Table) => Promise<boolean>

function createUpdate({ versions, nowMs, entries, call, maxComparedRows }: UpdateDeps): Update {
  let numbers = 0

  /** `null` if there is no room, or writes came in between every time. */
  async function build(name: string, entry: Entry, table: Table): Promise<LoadedIndex | null> {
    entry.index?.close()
    entry.index = null
    entry.bytes = 0
    const { fragments } = readManifest(await versions.read(name, await table.version()))
    const bytes = BASE_BYTES + (await countIndexedBytes(table, fragments, maxComparedRows))
    if (!entries.makeRoom(bytes)) return null
    entry.bytes = bytes
    numbers += 1
    const index = createLoadedIndex({ name, number: numbers, versions, call, maxComparedRows })
    let isBuilt = false
    try {
      isBuilt = await index.sync(table, Number.POSITIVE_INFINITY)
    } finally {
      if (!isBuilt) index.close()
    }
    return isBuilt ? index : null
  }

  return async (name, entry, table) => {
    const startedMs = nowMs()
    const isSynced = await entry.index?.sync(table, Number.POSITIVE_INFINITY)
    const index = isSynced ? entry.index : await build(name, entry, table)
    if (index === null) return false
    if (entries.byName.get(name) === entry) Object.assign(entry, { index, isReady: true })
    else index.close()
    entry.restUntilMs = nowMs() + REST * (nowMs() - startedMs)
    return true
  }
}

/** After `close`, calls reject instead of starting the thread. */
type IndexThread = { call: (request: IndexRequest) => Promise<IndexReply>; end(): void; close(): void }

/** Starts the thread at the first call. All indexes are lost when the thread ends or fails. */
function createThread(start: InMemoryIndexesOptions['start'], onEnd: (err?: unknown) => void): IndexThread {
  let thread: ReturnType<typeof start> | null = null
  let isClosed = false
  function end(err?: unknown): void {
    const ended = thread
    thread = null
    if (ended !== null) onEnd(err)
    void ended?.terminate()
  }
  return {
    async call(request) {
      if (isClosed) throw new Error('the in-memory indexes are closed')
      thread ??= start()
      const used = thread
      try {
        return await used.call(request)
      } catch (error) {
        if (thread === used) end(error)
        throw error
      }
    },
    end: () => end(),
    close() {
      isClosed = true
      end()
    },
  }
}
