import { Index, type IndexConfig, type OptimizeOptions, type Table } from '@lancedb/lancedb'
import { failpoint } from '../../observability/failpoints.ts'
import type { Log } from '../../observability/log.ts'
import { ROWS_PER_PARTITION } from '../chunk-reader.ts'
import type { Manifest } from '../manifest.ts'
import { TERMS_INDEX, termsIndexConfig } from '../open-tables.ts'
import { isCommitConflict, retryConflicts } from '../store-errors.ts'
import type { VersionFiles } from '../version-files.ts'

/**
 * A reader of an old version fails when its files are deleted. 60 s of grace caused no failure; ten
 * minutes is our rule.
 */
export const VERSION_GRACE_MS = 10 * 60_000
/** Each commit adds files to open: 100 single adds slowed a lexical query from 2 to 17 ms. */
const DUE_COMMITS = 50
/** Beyond 50,000 rows an optimize takes seconds, so the threshold grows with the rows. */
const ROWS_PER_DUE_COMMIT = 1000
/**
 * An optimize reads the manifest of every version, 0.2 ms each. With 10,000 versions it took
 * seconds, so the threshold grows with the versions, too.
 */
const VERSIONS_PER_DUE_COMMIT = 50
/**
 * From this multiple of the threshold on, slower searches cost more than waiting for a pause in the
 * writes saves.
 */
const OVERDUE_FACTOR = 2
/** Rows outside the full-text index add about 5 ms to a query per thousand. */
const DUE_UNINDEXED = { rows: 256, share: 0.1 } as const
/**
 * A tenth would remain unindexed after a bulk load. With 7,360 of 100,000 rows outside the index a
 * hybrid find took 93 ms, with none 27.
 */
const DUE_SHARE_AT_REST = 0.005
/**
 * From this size on, a B-tree halves the time of a single add. A label index speeds up a filtered
 * search from 12 to 4 ms. With the bitmap of kinds, corrections do not slow down a search. Both
 * retrievers among 106,000 chunks take 8.7 ms of processor time instead of 15.6.
 */
const SCALAR_INDEX_ROWS = 5000

const SCALAR_COLUMNS = ['id', 'document_id', 'kind', 'labels'] as const

/**
 * One bit, the default, needs ten candidates per hit for a recall of .988. Four bits need two for
 * .979, in less than half the time.
 */
const BITS_PER_DIMENSION = 4

/**
 * Each optimize adds a segment to the vector index. With about twenty segments, Lance logged
 * skipped partitions when it merged them. Rebuilding leaves one segment.
 */
const MAX_VECTOR_SEGMENTS = 4

/** Work accumulated in a memory file since its last compaction. */
type CompactionState = {
  rows: number
  commits: number
  unindexed: number
  /** Existing versions that this process created. */
  versions: number
  /**
   * True if an index that the number of rows calls for is missing, since maintenance ended early.
   */
  hasMissingIndexes: boolean
  cleanUpFrom: number | null
}

/** Options for one maintenance run. */
export type MaintenanceOptions = {
  /**
   * The newest flushed version before the run. It is kept: a power failure may lose newer versions,
   * and its readers continue.
   */
  newest: Pick<Manifest, 'version' | 'writtenAt'>
  /**
   * No process is writing. Files that no version names then belong to failed writes, and are
   * deleted once they are as old as a deletable version.
   */
  isAlone?: boolean
  /** Called for each conflict, which leaves files that no version names. */
  onConflict?: () => void
  /** Stops before the next step; the rest is left for the next run. */
  signal?: AbortSignal | undefined
}

/** Decides when a memory file needs compaction, and compacts it. */
export type Compaction = {
  /** Records a commit to the table, with `rows` new rows. */
  recordCommit(memoryId: string, table: Table, rows: number): Promise<void>
  /** Loads the work that an earlier process left undone in the table. */
  loadPending(memoryId: string, table: Table): Promise<void>
  /** `isAtRest`: there was no write for a while, so that waiting would not combine more work. */
  isDue(memoryId: string, isAtRest?: boolean): boolean
  /** True when compaction should not wait for a pause in the writes. */
  isOverdue(memoryId: string): boolean
  /** Number of rows; `null` for a file without known work. */
  rowsOf(memoryId: string): number | null
  /** Compacts the table. Another node doing the same is not an error. */
  maintain(memoryId: string, table: Table, options: MaintenanceOptions): Promise<void>
  forget(memoryId: string): void
}

type CompactionDeps = { now: () => Date; log: Log; vectorIndexRows: number; versions: Pick<VersionFiles, 'list'> }

/**
 * `vectorIndexRows`: the number of rows from which vectors are indexed. Fewer vectors are compared
 * exactly.
 */
export function createCompaction(deps: CompactionDeps): Compaction {
  const { now, vectorIndexRows, versions } = deps
  const states = new Map<string, CompactionState>()

  return {
    async recordCommit(memoryId, table, rows) {
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
      // No state is kept for a compacted table without old versions. Its first write loads it.
      const hasOldVersions = (await versions.list(memoryId)).length > 1
      if ((isPending(state, true) || hasOldVersions) && !states.has(memoryId)) states.set(memoryId, state)
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
    rowsOf: (memoryId) => states.get(memoryId)?.rows ?? null,
    maintain: (memoryId, table, options) => runMaintenance({ ...deps, states }, { memoryId, table, ...options }),
    forget: (memoryId) => void states.delete(memoryId),
  }
}

type MaintenanceRun = MaintenanceOptions & { memoryId: string; table: Table }

/** Compacts a table and updates its state. Conflicts with other processes postpone the run. */
async function runMaintenance(
  { states, now, log, vectorIndexRows }: CompactionDeps & { states: Map<string, CompactionState> },
  { memoryId, table, newest, isAlone = false, onConflict, signal }: MaintenanceRun,
): Promise<void> {
  if (signal?.aborted) return
  const before = states.get(memoryId)
  const commitsBefore = before?.commits ?? 0
  const unindexedBefore = before?.unindexed ?? 0
  let done: MaintenanceResult = { removed: 0, isWhole: true }
  try {
    const graceBeganMs = now().getTime() - VERSION_GRACE_MS
    // If the table was compacted just before, this run creates no version that could replace
    // the newest.
    const cleanupOlderThan = new Date(isAlone ? graceBeganMs : Math.min(graceBeganMs, newest.writtenAt.getTime()))
    const cleaning = { cleanupOlderThan, deleteUnverified: isAlone }
    done = await retryConflicts(() => compactTable(table, { cleaning, vectorIndexRows, signal }), onConflict, signal)
  } catch (error) {
    if (!isCommitConflict(error)) throw error
    if (signal?.aborted) return
    log.info({ memoryId }, 'Maintenance of the memory file was postponed: other processes kept writing to it.')
    return
  }
  const rows = await table.countRows()
  // Commits made during the run stay counted; versions replaced by the run wait for their grace
  // period.
  const since = states.get(memoryId)
  states.set(memoryId, {
    rows,
    commits: Math.max(0, (since?.commits ?? 0) - commitsBefore),
    unindexed: Math.max(0, (since?.unindexed ?? 0) - unindexedBefore),
    versions: Math.max(0, (since?.versions ?? 0) - done.removed),
    hasMissingIndexes: !done.isWhole,
    cleanUpFrom:
      (await table.version()) > newest.version || commitsBefore > 0 ? now().getTime() + VERSION_GRACE_MS : null,
  })
}

/** Reads the state from the table, once, when a process first reads or writes it. */
async function readState(table: Table, vectorIndexRows: number, cleanUpFrom: number): Promise<CompactionState> {
  // Sequential: a table cannot be closed, after the first call fails, while the second is running.
  const stats = await table.stats()
  const terms = await table.indexStats(TERMS_INDEX)
  // Listing fails if an index is unreadable, which the doctor reports.
  const indexes = await table.listIndices().catch(() => null)
  return {
    rows: stats.numRows,
    commits: stats.fragmentStats.numFragments,
    unindexed: terms?.numUnindexedRows ?? stats.numRows,
    versions: 0,
    hasMissingIndexes: indexes !== null && listMissingIndexes(indexes, stats.numRows, vectorIndexRows).length > 0,
    // An earlier process may have left old versions.
    cleanUpFrom,
  }
}

/** True when enough commits or unindexed rows have accumulated for compaction to pay off. */
function isPending(state: CompactionState, isAtRest: boolean): boolean {
  const share = isAtRest ? DUE_SHARE_AT_REST : DUE_UNINDEXED.share
  const dueUnindexed = Math.max(DUE_UNINDEXED.rows, state.rows * share)
  return state.hasMissingIndexes || state.commits >= dueCommits(state) || state.unindexed >= dueUnindexed
}

/** Number of commits after which a table is compacted. */
function dueCommits({ rows, versions }: CompactionState): number {
  return Math.max(DUE_COMMITS, rows / ROWS_PER_DUE_COMMIT, versions / VERSIONS_PER_DUE_COMMIT)
}

type OptimizeRequest = { cleaning: Partial<OptimizeOptions>; vectorIndexRows: number; signal: AbortSignal | undefined }
/** Number of deleted versions, and whether the run is complete. */
type MaintenanceResult = { removed: number; isWhole: boolean }

async function compactTable(
  table: Table,
  { cleaning, vectorIndexRows, signal }: OptimizeRequest,
): Promise<MaintenanceResult> {
  failpoint('maintenance:begun')
  const { prune } = await table.optimize(cleaning)
  failpoint('maintenance:compacted')
  const removed = prune.oldVersionsRemoved
  const rows = await table.countRows()
  for (const column of listMissingIndexes(await table.listIndices(), rows, vectorIndexRows)) {
    if (signal?.aborted) return { removed, isWhole: false }
    await table.createIndex(column, { config: indexOf(column, rows) })
  }
  if (rows >= vectorIndexRows && !signal?.aborted) await mergeVectorIndex(table, rows)
  return { removed, isWhole: true }
}

/**
 * Columns without an index that this number of rows calls for. The index of terms is created with
 * the table.
 */
function listMissingIndexes(present: readonly IndexConfig[], rows: number, vectorIndexRows: number): string[] {
  const indexed = new Set(present.flatMap(({ columns }) => columns))
  const scalars = rows >= SCALAR_INDEX_ROWS ? SCALAR_COLUMNS : []
  return [...scalars, ...(rows >= vectorIndexRows ? ['vector'] : [])].filter((column) => !indexed.has(column))
}

async function mergeVectorIndex(table: Table, rows: number): Promise<void> {
  const segments = (await table.indexStats('vector_idx'))?.numIndices ?? 0
  if (segments > MAX_VECTOR_SEGMENTS)
    await table.createIndex('vector', { config: vectorIndexConfig(rows), replace: true })
}

/** Rebuilds an index, or drops it when the table is too small to have one. */
export async function rebuildIndex(table: Table, name: string, vectorIndexRows: number): Promise<void> {
  const column = name.replace(/_idx$/, '')
  const rows = await table.countRows()
  const minRows = column === 'terms' ? 0 : column === 'vector' ? vectorIndexRows : SCALAR_INDEX_ROWS
  if (rows < minRows) await table.dropIndex(name)
  else await table.createIndex(column, { config: indexOf(column, rows), replace: true })
}

function indexOf(column: string, rows: number): Index {
  if (column === 'terms') return termsIndexConfig()
  if (column === 'vector') return vectorIndexConfig(rows)
  if (column === 'kind') return Index.bitmap()
  return column === 'labels' ? Index.labelList() : Index.btree()
}

/** Configuration of the vector index for a number of rows. */
export function vectorIndexConfig(rows: number): Index {
  const numPartitions = Math.max(1, Math.round(rows / ROWS_PER_PARTITION))
  return Index.ivfRq({ distanceType: 'dot', numPartitions, numBits: BITS_PER_DIMENSION })
}
