import { Index, type IndexConfig, type OptimizeOptions, type Table } from '@lancedb/lancedb'
import { reachStep } from '../../observability/failpoints.ts'
import type { Log } from '../../observability/log.ts'
import { ROWS_PER_PARTITION } from '../chunk-reader.ts'
import type { Manifest } from '../manifest.ts'
import { TERMS_INDEX, termsIndexConfig } from '../open-tables.ts'
import { isConflict, retryConflicts } from '../store-errors.ts'

/** A reader of an old version fails when its files go; with 60 s grace no failure was seen, ten minutes is the rule. */
export const VERSION_GRACE_MS = 10 * 60_000
/** Each commit adds files to open: 100 single adds took a lexical query from 2 to 17 ms. */
const DUE_COMMITS = 50
/** Beyond 50,000 rows an optimize takes seconds, so commits gather in proportion. */
const ROWS_PER_DUE_COMMIT = 1000
/** An optimize reads the manifest of every version that stands, 0.2 ms each: with 10,000 of them it took seconds, so commits gather in proportion to them, too. */
const VERSIONS_PER_DUE_COMMIT = 50
/** Beyond so many times the commits that are due, searches pay more for them than waiting for a pause in the writes saves. */
const OVERDUE_FACTOR = 2
/** Rows outside the full-text index cost about 5 ms of a query per thousand. */
const DUE_UNINDEXED = { rows: 256, share: 0.1 } as const
/** A tenth would be left for good behind a bulk load: with 7,360 of 100,000 rows outside the index a hybrid find took 93 ms, with none 27. */
const DUE_SHARE_AT_REST = 0.005
/**
 * From here a B-tree halves the time of a single add, and a label index takes a filtered search from 12 to 4 ms. The bitmap of kinds makes a search of a
 * memory with corrections as quick as of one without: both legs among 106,000 chunks 8.7 ms of processor time instead of 15.6.
 */
const SCALAR_INDEX_ROWS = 5000

const SCALAR_COLUMNS = ['id', 'document_id', 'kind', 'labels'] as const

/** One bit, the default, needs ten candidates a hit for a recall of .988, four bits two for .979, in less than half the time. */
const BITS_PER_DIMENSION = 4

/**
 * Each optimize adds a segment to the vector index, and where some twenty piled up Lance logged skipped partitions when
 * it merged them. Building anew leaves one.
 */
const MAX_VECTOR_SEGMENTS = 4

/** What has gathered in a memory file since it was last put in order. */
type State = {
  rows: number
  commits: number
  unindexed: number
  /** That stand, of those this process made. */
  versions: number
  /** An index that so many rows call for is missing: an upkeep ended before it was made. */
  missesIndexes: boolean
  cleanUpFrom: number | null
}

/** Options for one maintenance run. */
export type MaintenanceOptions = {
  /** The newest version before, whole on the disk. It stays: a loss of power takes what is made of it now, and whoever began to read it goes on. */
  newest: Pick<Manifest, 'version' | 'writtenAt'>
  /** Nothing is being written by anyone: what no version names is of writes that came to nothing, and goes as well once it is as old as a version that goes. */
  isAlone?: boolean
  /** Told of each conflict, after which files stand that no version names. */
  onConflict?: () => void
  /** Fires when the rest is to be left for the next time: nothing more is begun then. */
  signal?: AbortSignal | undefined
}

/** When a memory file has to be put in order, and doing it. */
export type Compaction = {
  /** Notes a commit to the table, `rows` of it new. */
  noteCommit(memoryId: string, table: Table, rows: number): Promise<void>
  /** Notes what a process before this one left undone in the table. */
  loadPending(memoryId: string, table: Table): Promise<void>
  /** `isAtRest`: nothing has been written to it for a while, so that no more will come to be put in order along with what is there. */
  isDue(memoryId: string, isAtRest?: boolean): boolean
  /** True when it should not wait for a pause in the writes. */
  isOverdue(memoryId: string): boolean
  /** Puts the table in order. Another node doing the same is no error. */
  maintain(memoryId: string, table: Table, circumstances: MaintenanceOptions): Promise<void>
  forget(memoryId: string): void
}

/** `vectorIndexRows` is the number of rows from which vectors are indexed; fewer are compared one by one, exactly. */
export function createCompaction({
  now,
  log,
  vectorIndexRows,
}: {
  now: () => Date
  log: Log
  vectorIndexRows: number
}): Compaction {
  const states = new Map<string, State>()

  return {
    async noteCommit(memoryId, table, rows) {
      const state = states.get(memoryId)
      if (state === undefined) {
        states.set(memoryId, await readState(table, vectorIndexRows, now().getTime() + VERSION_GRACE_MS))
        return
      }
      state.commits += 1
      state.versions += 1
      state.rows += rows
      state.unindexed += rows
    },
    async loadPending(memoryId, table) {
      if (states.has(memoryId)) return
      const state = await readState(table, vectorIndexRows, now().getTime() + VERSION_GRACE_MS)
      // Of one that is in order nothing is kept: the first write reads it, and cleans up behind the process before.
      if (isPending(state, true) && !states.has(memoryId)) states.set(memoryId, state)
    },
    isDue(memoryId, isAtRest = false) {
      const state = states.get(memoryId)
      if (state === undefined) return false
      return (state.cleanUpFrom !== null && now().getTime() >= state.cleanUpFrom) || isPending(state, isAtRest)
    },
    isOverdue(memoryId) {
      const state = states.get(memoryId)
      return state !== undefined && state.commits >= OVERDUE_FACTOR * dueCommits(state)
    },
    async maintain(memoryId, table, { newest, isAlone = false, onConflict, signal }) {
      if (signal?.aborted) return
      const before = states.get(memoryId)
      const commitsBefore = before?.commits ?? 0
      const unindexedBefore = before?.unindexed ?? 0
      let done: MaintenanceResult = { removed: 0, isWhole: true }
      try {
        const graceBeganMs = now().getTime() - VERSION_GRACE_MS
        // Put in order just before, nothing is made now that would take the place of the newest.
        const cleanupOlderThan = new Date(isAlone ? graceBeganMs : Math.min(graceBeganMs, newest.writtenAt.getTime()))
        const cleaning = { cleanupOlderThan, deleteUnverified: isAlone }
        done = await retryConflicts(
          () => optimizeTable(table, { cleaning, vectorIndexRows, signal }),
          onConflict,
          signal,
        )
      } catch (error) {
        if (!isConflict(error)) throw error
        if (signal?.aborted) return
        log.info(
          { memoryId },
          'Maintenance of the memory file left for the next time: others wrote to it all the while.',
        )
        return
      }
      const rows = await table.countRows()
      // Commits made meanwhile stay counted; the versions this run superseded wait for their grace.
      const since = states.get(memoryId)
      states.set(memoryId, {
        rows,
        commits: Math.max(0, (since?.commits ?? 0) - commitsBefore),
        unindexed: Math.max(0, (since?.unindexed ?? 0) - unindexedBefore),
        versions: Math.max(0, (since?.versions ?? 0) - done.removed),
        missesIndexes: !done.isWhole,
        cleanUpFrom:
          (await table.version()) > newest.version || commitsBefore > 0 ? now().getTime() + VERSION_GRACE_MS : null,
      })
    },
    forget: (memoryId) => void states.delete(memoryId),
  }
}

/** What stands in the table itself: counted once, when a process first reads or writes it. */
async function readState(table: Table, vectorIndexRows: number, cleanUpFrom: number): Promise<State> {
  // One behind the other: a table cannot be closed, after a failure of the first, while the second is under way.
  const stats = await table.stats()
  const terms = await table.indexStats(TERMS_INDEX)
  // Where none can be listed, since one cannot be read, that is for the doctor to find.
  const indexes = await table.listIndices().catch(() => null)
  return {
    rows: stats.numRows,
    commits: stats.fragmentStats.numFragments,
    unindexed: terms?.numUnindexedRows ?? stats.numRows,
    versions: 0,
    missesIndexes: indexes !== null && listMissing(indexes, stats.numRows, vectorIndexRows).length > 0,
    // A process before this one may have left old versions.
    cleanUpFrom,
  }
}

/** True when enough commits or unindexed rows have gathered for putting the table in order to pay. */
function isPending(state: State, isAtRest: boolean): boolean {
  const share = isAtRest ? DUE_SHARE_AT_REST : DUE_UNINDEXED.share
  const dueUnindexed = Math.max(DUE_UNINDEXED.rows, state.rows * share)
  return state.missesIndexes || state.commits >= dueCommits(state) || state.unindexed >= dueUnindexed
}

/** Commits after which a table is put in order. */
function dueCommits({ rows, versions }: State): number {
  return Math.max(DUE_COMMITS, rows / ROWS_PER_DUE_COMMIT, versions / VERSIONS_PER_DUE_COMMIT)
}

type OptimizeRequest = { cleaning: Partial<OptimizeOptions>; vectorIndexRows: number; signal: AbortSignal | undefined }
/** The old versions that were removed, and whether all was done. */
type MaintenanceResult = { removed: number; isWhole: boolean }

async function optimizeTable(
  table: Table,
  { cleaning, vectorIndexRows, signal }: OptimizeRequest,
): Promise<MaintenanceResult> {
  reachStep('upkeep:begun')
  const { prune } = await table.optimize(cleaning)
  reachStep('upkeep:compacted')
  const removed = prune.oldVersionsRemoved
  const rows = await table.countRows()
  for (const column of listMissing(await table.listIndices(), rows, vectorIndexRows)) {
    if (signal?.aborted) return { removed, isWhole: false }
    await table.createIndex(column, { config: indexOf(column, rows) })
  }
  if (rows >= vectorIndexRows && !signal?.aborted) await mergeVectorIndex(table, rows)
  return { removed, isWhole: true }
}

/** The columns that so many rows call for an index of, and that have none; that of the terms is made with the table. */
function listMissing(present: readonly IndexConfig[], rows: number, vectorIndexRows: number): string[] {
  const indexed = new Set(present.flatMap(({ columns }) => columns))
  const scalars = rows >= SCALAR_INDEX_ROWS ? SCALAR_COLUMNS : []
  return [...scalars, ...(rows >= vectorIndexRows ? ['vector'] : [])].filter((column) => !indexed.has(column))
}

async function mergeVectorIndex(table: Table, rows: number): Promise<void> {
  const segments = (await table.indexStats('vector_idx'))?.numIndices ?? 0
  if (segments > MAX_VECTOR_SEGMENTS)
    await table.createIndex('vector', { config: vectorIndexConfig(rows), replace: true })
}

/** Makes one index anew, from what is there now; where so few rows are left that there would be none, it goes. */
export async function renewIndex(table: Table, name: string, vectorIndexRows: number): Promise<void> {
  const column = name.replace(/_idx$/, '')
  const rows = await table.countRows()
  const leastRows = column === 'terms' ? 0 : column === 'vector' ? vectorIndexRows : SCALAR_INDEX_ROWS
  if (rows < leastRows) await table.dropIndex(name)
  else await table.createIndex(column, { config: indexOf(column, rows), replace: true })
}

function indexOf(column: string, rows: number): Index {
  if (column === 'terms') return termsIndexConfig()
  if (column === 'vector') return vectorIndexConfig(rows)
  if (column === 'kind') return Index.bitmap()
  return column === 'labels' ? Index.labelList() : Index.btree()
}

/** The index of the column `vector` for so many rows. */
export function vectorIndexConfig(rows: number): Index {
  const numPartitions = Math.max(1, Math.round(rows / ROWS_PER_PARTITION))
  return Index.ivfRq({ distanceType: 'dot', numPartitions, numBits: BITS_PER_DIMENSION })
}
